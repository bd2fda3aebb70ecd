//! A number with a button that copies it.

use crate::texts::outside;
use crate::timer;
use crate::written_number::number;
use gloo_timers::callback::Timeout;
use std::time::Duration;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::{AttrValue, Component, Context, Html, NodeRef, Properties, html};

/// How long "copied" stands in the place of "copy".
const SAID: Duration = Duration::from_secs(5);

/// A number with a button that copies it, and says so only after it happened.
pub struct CopyButton {
    number: NodeRef,
    outcome: Option<bool>,
    silence: Option<Timeout>,
}

/// The texts of a [`CopyButton`].
#[derive(Debug, Properties, PartialEq)]
pub struct CopyButtonProps {
    /// The text to copy.
    pub value: AttrValue,
    /// True for a number that is shown in groups; any other text is shown as it is.
    #[prop_or_default]
    pub grouped: bool,
    /// The text that a screen reader says in its place.
    #[prop_or_default]
    pub heard: Option<AttrValue>,
    /// The text on the button.
    pub label: AttrValue,
    /// Its accessible name, since there may be several buttons. It stays while the result is shown:
    /// the result is said once, and not by the button too.
    pub name: AttrValue,
    /// The text for a screen reader when the copying worked.
    pub done: AttrValue,
    /// The text for a screen reader when the copying failed.
    pub failed: AttrValue,
}

/// The messages of the copy button: a press, the result of the copying, and the end of the time for
/// which the result is shown.
#[derive(Debug)]
pub enum Message {
    /// The button was pressed.
    Pressed,
    /// The copying worked, or it failed.
    Answered(bool),
    /// The result was shown long enough.
    Said,
}

impl Component for CopyButton {
    type Message = Message;
    type Properties = CopyButtonProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            number: NodeRef::default(),
            outcome: None,
            silence: None,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &CopyButtonProps) -> bool {
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
                    self.silence = Some(timer::after(SAID, said));
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
                <span
                    class="number"
                    part="number"
                    aria-hidden={props.heard.is_some().then_some("true")}
                    ref={&self.number}
                >
                    { if props.grouped { number(&props.value) } else { Html::from(outside(&props.value)) } }
                </span>
                if let Some(heard) = &props.heard {
                    <span class="unseen">{ heard }</span>
                }
                <button
                    type="button"
                    class="plain small"
                    part="button copy-button"
                    aria-label={&props.name}
                    onclick={ctx.link().callback(|_| Message::Pressed)}
                >
                    { if copied { &props.done } else { &props.label } }
                </button>
                { match self.outcome {
                    Some(false) => html! { <span class="muted" aria-live="polite">{ &props.failed }</span> },
                    Some(true) => html! { <span class="unseen" aria-live="polite">{ &props.done }</span> },
                    None => html! { <span class="unseen" aria-live="polite" /> },
                } }
            </>
        }
    }
}

impl CopyButton {
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
