//! A number with a button that copies it.

use crate::texts::outside;
use crate::timer;
use crate::written_number::number;
use gloo_timers::callback::Timeout;
use std::time::Duration;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Element;
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, TargetCast, html};

/// How long "copied" stands in the place of "copy".
const SAID: Duration = Duration::from_secs(5);

/// Copies numbers, and says how the last one went only after it happened. It is no component: a part of
/// the one that draws the buttons.
#[derive(Debug)]
pub struct Copying {
    report: Callback<Step>,
    /// The text that was copied last, and if that worked.
    outcome: Option<(AttrValue, bool)>,
    silence: Option<Timeout>,
}

/// The texts of a button.
#[derive(Debug, Properties, PartialEq)]
pub struct CopyTexts {
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

/// The steps of copying a text, for [`Copying::step`].
#[derive(Debug)]
pub enum Step {
    /// A button was pressed.
    Pressed(AttrValue, Option<Element>),
    /// The copying worked, or it failed.
    Answered(AttrValue, Option<Element>, bool),
    /// The result was shown long enough.
    Said,
}

impl Copying {
    /// Nothing is copied yet. The steps are reported to the component, which gives them back.
    #[must_use]
    pub fn new(report: Callback<Step>) -> Self {
        Self {
            report,
            outcome: None,
            silence: None,
        }
    }

    /// Takes a step. The buttons have to be drawn after it.
    pub fn step(&mut self, step: Step) {
        let report = self.report.clone();
        match step {
            Step::Pressed(value, button) => {
                // Said again on every press, hence silent in between.
                self.outcome = None;
                spawn_local(async move {
                    let worked = write(&value).await;
                    report.emit(Step::Answered(value, button, worked));
                });
            }
            Step::Answered(value, button, worked) => {
                self.outcome = Some((value, worked));
                self.silence = worked.then(|| timer::after(SAID, move || report.emit(Step::Said)));
                if !worked {
                    select(button);
                }
            }
            Step::Said => self.outcome = None,
        }
    }

    /// A number with its button.
    pub fn button(&self, texts: &CopyTexts) -> Html {
        let value = &texts.value;
        let outcome = self.outcome.as_ref();
        let outcome = outcome.and_then(|(copied, worked)| (copied == value).then_some(*worked));
        let (report, pressed) = (self.report.clone(), value.clone());
        let onclick = move |press: MouseEvent| {
            report.emit(Step::Pressed(pressed.clone(), press.target_dyn_into()));
        };
        html! {
            <>
                if let Some(heard) = &texts.heard {
                    <span class="unseen">{ heard }</span>
                }
                <span class="number" part="number" aria-hidden={texts.heard.is_some().then_some("true")}>
                    { if texts.grouped { number(value) } else { Html::from(outside(value)) } }
                </span>
                <button
                    type="button"
                    class="plain small"
                    part="button copy-button"
                    aria-label={&texts.name}
                    {onclick}
                >
                    { if outcome == Some(true) { &texts.done } else { &texts.label } }
                </button>
                if outcome == Some(false) {
                    <span class="muted" aria-live="polite">{ &texts.failed }</span>
                } else {
                    <span class="unseen" aria-live="polite">{ outcome.map(|_| texts.done.clone()).unwrap_or_default() }</span>
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
    !clipboard.is_undefined() && JsFuture::from(clipboard.write_text(text)).await.is_ok()
}
