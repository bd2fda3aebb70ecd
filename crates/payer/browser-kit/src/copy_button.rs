//! A number with a button that copies it.

use crate::texts::sanitized;
use crate::timer;
use crate::written_number::number;
use gloo_timers::callback::Timeout;
use js_sys::Promise;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Element;
use yew::{AttrValue, Component, Context, Html, MouseEvent, Properties, TargetCast, html};

/// How long "copied" is shown in place of "copy".
const SAID: Duration = Duration::from_secs(5);

/// The time-out of a copy: the clipboards of some apps return a promise that never settles.
const COPY_TIMEOUT: Duration = Duration::from_secs(5);

#[wasm_bindgen]
extern "C" {
    /// The clipboard, which an app or a page may have replaced by an object of its own.
    type AnyClipboard;

    /// Copies a text. A bridge of an app may throw, or return nothing although it copies.
    #[wasm_bindgen(method, catch, js_name = writeText)]
    fn write_text(this: &AnyClipboard, text: &str) -> Result<JsValue, JsValue>;
}

/// A text to copy, and the words of its button.
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

/// A number with a button that copies it, and says how that went only after it happened.
#[derive(Debug, Default)]
pub struct CopyButton {
    /// The text that was copied last, and if that worked.
    outcome: Option<(AttrValue, bool)>,
    /// The time-out of the copy that runs, or else the end of the text "copied".
    timer: Option<Timeout>,
}

/// The steps of copying a text.
#[derive(Debug)]
pub enum CopyStep {
    /// The button was pressed.
    Pressed(Option<Element>),
    /// The copying worked, or it failed.
    Answered(AttrValue, Option<Element>, bool),
    /// The result was shown long enough.
    Said,
}

impl Component for CopyButton {
    type Message = CopyStep;
    type Properties = CopyButtonProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    fn update(&mut self, ctx: &Context<Self>, step: CopyStep) -> bool {
        let link = ctx.link().clone();
        match step {
            CopyStep::Pressed(button) => {
                // Said again on every press, hence silent in between.
                self.outcome = None;
                let value = ctx.props().value.clone();
                let answer = {
                    let value = value.clone();
                    move |worked| link.send_message(CopyStep::Answered(value, button, worked))
                };
                let late = answer.clone();
                self.timer = Some(timer::after(COPY_TIMEOUT, move || late(false)));
                spawn_local(async move { answer(write(&value).await) });
            }
            CopyStep::Answered(value, button, worked) => {
                self.outcome = Some((value, worked));
                let said = || timer::after(SAID, move || link.send_message(CopyStep::Said));
                self.timer = worked.then(said);
                if !worked {
                    select(button);
                }
            }
            CopyStep::Said => self.outcome = None,
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let outcome = self.outcome.as_ref();
        let outcome = outcome.filter(|(copied, _)| *copied == props.value);
        let outcome = outcome.map(|(_, worked)| *worked);
        let onclick = ctx
            .link()
            .callback(|press: MouseEvent| CopyStep::Pressed(press.target_dyn_into()));
        html! {
            <>
                if let Some(heard) = &props.heard {
                    <span class="unseen" translate="no">{ heard }</span>
                }
                <span class="number" part="number" translate="no" aria-hidden={props.heard.is_some().then_some("true")}>
                    { if props.grouped { number(&props.value) } else { Html::from(sanitized(&props.value)) } }
                </span>
                <button
                    type="button"
                    class="plain small"
                    part="button copy-button"
                    aria-label={&props.name}
                    {onclick}
                >
                    { if outcome == Some(true) { &props.done } else { &props.label } }
                </button>
                if outcome == Some(false) {
                    <span class="muted" aria-live="polite">{ &props.failed }</span>
                } else {
                    <span class="unseen" aria-live="polite">{ outcome.map(|_| props.done.clone()).unwrap_or_default() }</span>
                }
            </>
        }
    }
}

/// Marks the number before this button, so that the payer can copy it by hand.
fn select(button: Option<Element>) {
    let number = button.and_then(|button| button.previous_element_sibling());
    let selection = web_sys::window().and_then(|window| window.get_selection().ok().flatten());
    if let (Some(selection), Some(number)) = (selection, number) {
        let _ = selection.select_all_children(&number);
    }
}

/// Copies the text. True when the text is on the clipboard now.
async fn write(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    let clipboard = window.navigator().clipboard();
    // Pages without https, and browsers inside apps, have none.
    let Ok(answer) = clipboard.unchecked_into::<AnyClipboard>().write_text(text) else {
        return false;
    };
    JsFuture::from(Promise::resolve(&answer)).await.is_ok()
}
