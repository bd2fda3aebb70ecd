use crate::i18n::{Catalog, Text};
use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::{AttrValue, Component, Context, Html, NodeRef, Properties, html};

/// How long "copied" stands in the place of "copy", in milliseconds.
const SAID: u32 = 5_000;

/// A number with a button that copies it, and says so only after it happened.
pub(crate) struct Copy {
    number: NodeRef,
    outcome: Option<bool>,
    silence: Option<Timeout>,
}

#[derive(Properties, PartialEq)]
pub(crate) struct CopyProps {
    /// The text to copy.
    pub(crate) value: AttrValue,
    /// The text to show.
    pub(crate) shown: AttrValue,
    /// The text on the button, and its accessible name where there are several buttons.
    pub(crate) label: AttrValue,
    pub(crate) name: AttrValue,
    /// The texts for a screen reader after the copying: it worked, or it failed.
    pub(crate) done: AttrValue,
    pub(crate) failed: AttrValue,
}

impl CopyProps {
    pub(super) fn new(
        catalog: &Catalog,
        value: &str,
        shown: String,
        label: Text,
        name: Text,
    ) -> Self {
        Self {
            value: AttrValue::from(value.to_owned()),
            shown: AttrValue::from(shown),
            label: catalog.text(label),
            name: catalog.text(name),
            done: catalog.text(Text::Copied),
            failed: catalog.text(Text::CopyFailed),
        }
    }
}

/// The messages of the copy button: a press, the result of the copying, and the end of the time for
/// which the result is shown.
pub(crate) enum Message {
    Pressed,
    Answered(bool),
    Said,
}

impl Component for Copy {
    type Message = Message;
    type Properties = CopyProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            number: NodeRef::default(),
            outcome: None,
            silence: None,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &CopyProps) -> bool {
        if ctx.props().value != old.value {
            self.outcome = None;
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        match message {
            Message::Pressed => {
                let (link, value) = (ctx.link().clone(), ctx.props().value.clone());
                // Said again on every press, hence silent in between.
                self.outcome = None;
                spawn_local(async move {
                    link.send_message(Message::Answered(write(&value).await));
                });
            }
            Message::Answered(worked) => {
                self.outcome = Some(worked);
                self.silence = None;
                if worked {
                    let link = ctx.link().clone();
                    let said = move || link.send_message(Message::Said);
                    self.silence = Some(Timeout::new(SAID, said));
                } else {
                    self.select();
                }
            }
            Message::Said => self.outcome = None,
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let copied = self.outcome == Some(true);
        html! {
            <>
                <span class="number" part="number" ref={&self.number}>{ &props.shown }</span>
                <button
                    type="button"
                    class="plain small"
                    part="button copy-button"
                    aria-label={(!copied).then(|| props.name.clone())}
                    onclick={ctx.link().callback(|_| Message::Pressed)}
                >
                    { if copied { &props.done } else { &props.label } }
                </button>
                <span class={if self.outcome == Some(false) { "muted" } else { "unseen" }} aria-live="polite">
                    { match self.outcome {
                        Some(true) => props.done.clone(),
                        Some(false) => props.failed.clone(),
                        None => AttrValue::default(),
                    } }
                </span>
            </>
        }
    }
}

impl Copy {
    /// Marks the number, so that the payer can copy it by hand.
    fn select(&self) {
        let selection = web_sys::window().and_then(|window| window.get_selection().ok().flatten());
        if let (Some(selection), Some(number)) = (selection, self.number.get()) {
            let _ = selection.select_all_children(&number);
        }
    }
}

/// Copies the text. True when the text is on the clipboard now.
async fn write(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    let clipboard = window.navigator().clipboard();
    // Pages without https, and browsers inside apps, have none.
    !clipboard.is_undefined() && JsFuture::from(clipboard.write_text(text)).await.is_ok()
}
