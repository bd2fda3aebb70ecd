//! The focus: where it was before a drawing, and where it has to be afterwards.

use super::sight::host;
use super::view_context::Opener;
use std::mem;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement};
use yew::NodeRef;

/// The ids of the sentences that are read with a heading to which the focus moves, as far as the screen has
/// them. They become the heading's name, since not every screen reader reads descriptions.
const READ_OUT: &str = "heading note lead until";

/// Where the focus has to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    Heading,
    /// The button that opened a question.
    Opener(Opener),
}

#[derive(Debug, Default)]
pub(super) struct Focus {
    /// Around the screen.
    pub(super) node: NodeRef,
    /// True if the focus was inside before the drawing.
    was_inside: bool,
    /// True if it was there, or on the page's own content in a slot.
    was_within: bool,
    /// Where it has to move after the drawing.
    goal: Option<Goal>,
    /// The button that opened the question which was closed just now. It gets the focus if the dialog could
    /// give it back to no element.
    opener: Option<Opener>,
}

impl Focus {
    /// Looks where the focus is, while the old screen is still in the page. Another event may come before the drawing, and
    /// must not reset this.
    pub(super) fn look(&mut self) {
        self.was_inside |= self.find(":focus").is_some();
        let host = self.screen().and_then(|screen| host(&screen));
        self.was_within |= self.was_inside
            || host.is_some_and(|host| host.matches(":focus-within").unwrap_or_default());
    }

    /// True if the focus was inside before the drawing, or on the page's own content in a slot.
    pub(super) fn was_within(&self) -> bool {
        self.was_within
    }

    /// True where the page moved the focus to the place of the first screen, after the payer repeated a failed load.
    pub(super) fn is_on_stage(&self) -> bool {
        let stage = self.screen().and_then(|screen| screen.parent_element());
        stage.is_some_and(|stage| stage.matches(":focus").unwrap_or_default())
    }

    /// Has the heading get the focus after the drawing.
    pub(super) fn aim_at_heading(&mut self) {
        self.goal = Some(Goal::Heading);
    }

    pub(super) fn aims(&self) -> bool {
        self.goal.is_some()
    }

    /// A question was closed that this button opened.
    pub(super) fn question_closed(&mut self, opener: Opener) {
        self.opener = Some(opener);
    }

    /// The goal after the drawing: what was aimed at, or else what the focus lost.
    pub(super) fn take_goal(&mut self) -> Option<Goal> {
        let nowhere = nothing_has_focus();
        let opener = self.opener.take().filter(|_| nowhere).map(Goal::Opener);
        let lost = mem::take(&mut self.was_inside) && nowhere;
        self.was_within = false;
        let goal = self.goal.take().or(opener);
        goal.or(lost.then_some(Goal::Heading))
    }

    /// Moves the focus to an element, or to the heading if the screen does not have that element. `scrolls` lets the browser
    /// scroll there, also while the payer has zoomed in.
    pub(super) fn move_to(&self, goal: Goal, scrolls: bool) {
        let opener = match goal {
            Goal::Heading => None,
            Goal::Opener(opener) => self.find(&format!("[id='{}']", opener.id())),
        };
        let Some(element) = opener.or_else(|| self.heading()) else {
            return;
        };
        if element.id() == "heading" {
            let _ = element.set_attribute("aria-labelledby", READ_OUT);
        }
        let options = FocusOptions::new();
        options.set_prevent_scroll(!scrolls);
        // An element that cannot take the focus is no reason to stop.
        let _ = element.focus_with_options(&options);
    }

    /// Takes the long name off a heading, which has it only for the moment at which the focus arrives.
    pub(super) fn shorten_name(&self) {
        if let Some(heading) = self.find("#heading[aria-labelledby]:not(:focus)") {
            let _ = heading.remove_attribute("aria-labelledby");
        }
    }

    pub(super) fn screen(&self) -> Option<HtmlElement> {
        self.node.cast()
    }

    pub(super) fn heading(&self) -> Option<HtmlElement> {
        self.find("#heading")
    }

    fn find(&self, selector: &str) -> Option<HtmlElement> {
        self.screen()?
            .query_selector(selector)
            .ok()??
            .dyn_into()
            .ok()
    }
}

/// True when no element has the focus: it was removed, or the browser does not focus a clicked button.
fn nothing_has_focus() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let active = document.and_then(|document| document.active_element());
    active.is_none_or(|active| active.matches("body").unwrap_or_default())
}
