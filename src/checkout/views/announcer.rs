//! Announces each change of the screen to screen readers once: by the focus, which moves to the new heading if it was inside
//! the checkout, or else by the live region.

use super::focus::{Focus, Goal};
use super::live_region::{LiveRegion, Timer};
use super::page::{Name, aloud};
use super::sight::Sight;
use super::view_context::Opener;
use crate::texts::{Mark, SpokenText};
use checkout_flow::{Checked, Intent};
use std::mem;
use std::rc::Rc;
use yew::{Callback, Html, NodeRef};

/// What the announcer knows between two drawings. It is not a component, since the checkout draws its region whenever it
/// draws itself.
#[derive(Debug)]
pub(crate) struct Announcer {
    region: LiveRegion,
    focus: Focus,
    sight: Sight,
    /// The state that is drawn.
    now: Rc<Announced>,
    /// The state that was announced. Nothing is announced while a question is open.
    heard: Rc<Announced>,
}

/// The part of a screen whose changes are announced.
#[derive(Debug, Default)]
pub(crate) struct Announced {
    /// The name of the screen; `None` before the first one.
    pub(super) name: Option<Name>,
    /// True when the screen is an error.
    pub(super) alarm: bool,
    /// True when the screen ends or interrupts a payment.
    pub(super) interrupts: bool,
    /// The wish that the payer is asked to confirm.
    pub(super) asking: Option<Intent>,
    /// The sentences that a screen reader says when the screen appears.
    pub(super) said: Vec<SpokenText>,
    /// The last mark that the time left has passed, and the sentence about it.
    pub(super) mark: Mark,
    pub(super) mark_said: SpokenText,
    /// The text about a problem with the connection, and the text for its end.
    pub(super) notice: Option<SpokenText>,
    pub(super) back: SpokenText,
    /// The answer to the payer's own question, and the sentence about it.
    pub(super) checked: Option<Checked>,
    pub(super) checked_said: Option<SpokenText>,
}

impl Announcer {
    /// The announcer of a checkout that has no screen yet.
    pub(crate) fn new(on_timer: Callback<Timer>) -> Self {
        Self {
            region: LiveRegion::new(on_timer),
            focus: Focus::default(),
            sight: Sight::default(),
            now: Rc::default(),
            heard: Rc::default(),
        }
    }

    /// The node around the screen, and the live region with the present text.
    pub(crate) fn nodes(&self) -> (NodeRef, Html) {
        (self.focus.node.clone(), self.region.html())
    }

    /// Ends the present text, or begins the first one.
    pub(crate) fn timer_fired(&mut self, timer: Timer) {
        match timer {
            Timer::RegionReady => self.say_screen(false),
            Timer::TextEnded => self.region.text_ended(),
        }
    }

    /// Notes where the focus is, while the old screen is still in the page.
    pub(crate) fn before_drawing(&mut self) {
        self.focus.look();
    }

    /// Announces what changed, moves the focus and scrolls, after the screen was drawn. True if the live region changed and has
    /// to be drawn again. Only now everything is known that one event changed: the page may answer it by other settings.
    pub(crate) fn rendered(&mut self, announced: Announced, first: bool) -> bool {
        let said = self.region.times();
        self.take(announced);
        if first {
            self.greet();
        }
        let goal = self.focus.take_goal();
        if let Some(goal) = goal.filter(|_| self.now.asking.is_none()) {
            self.focus.move_to(goal, !self.sight.is_due());
        }
        let screen = self.focus.heading().zip(self.focus.screen());
        self.sight.show(screen, goal == Some(Goal::Heading));
        self.focus.shorten_name();
        self.region.times() != said
    }

    fn take(&mut self, announced: Announced) {
        let new = Rc::new(announced);
        let old = mem::replace(&mut self.now, new.clone());
        if old.name.is_none() {
            self.heard = new;
            return;
        }
        let another = new.name != self.heard.name;
        // On another screen the focus moves from the question to the new heading directly.
        if let Some(intent) = old.asking.filter(|_| new.asking.is_none() && !another) {
            self.focus.question_closed(asked_by(intent));
        }
        if new.asking.is_some() || another {
            self.region.drop_waiting();
        }
        if new.asking.is_some() {
            return;
        }
        if another && self.focus.was_within() {
            self.focus.aim_at_heading();
        }
        let same = new.said.first() == self.heard.said.first();
        if another {
            if old.name == Some(Name::Choosing) {
                self.sight.pressed();
            }
            // A page that was just loaded may have the checkout below the window, which the payer did not leave.
            let was_left =
                || old.name != Some(Name::Checking) || self.sight.is_above(self.focus.heading());
            let is_news = new.interrupts && !same && was_left();
            self.sight.screen_changed(is_news);
        }
        if another && self.focus.aims() {
            // The focus makes the screen reader read it.
            self.region.clear();
        } else if another {
            self.say_screen(same);
        } else if new.name == Some(Name::Choosing)
            && let Some(reasons @ [_, ..]) = new.said.get(self.heard.said.len()..)
        {
            // The server left methods out, which the payer may have been about to choose.
            self.region.say(aloud(reasons));
        } else if let Some(news) = self.news() {
            let said = news.aloud("");
            self.region.say(said);
        }
        self.heard = new;
    }

    /// Announces the first screen, unless it is the choice: a payer who returns to the page has to learn how
    /// the payment stands.
    fn greet(&mut self) {
        if self.focus.is_on_stage() {
            self.focus.aim_at_heading();
        } else if self.now.name != Some(Name::Choosing) {
            self.region.begin();
        }
    }

    /// A sentence about what changed on a screen that stays.
    fn news(&self) -> Option<&SpokenText> {
        let (old, new) = (&self.heard, &self.now);
        if new.notice != old.notice {
            return new.notice.as_ref().or(Some(&new.back));
        }
        if new.checked != old.checked && new.checked_said.is_some() {
            return new.checked_said.as_ref();
        }
        (new.mark > old.mark).then_some(&new.mark_said)
    }

    /// Announces a change in a part of the screen, or the answer to a press, at once. Nothing is announced while
    /// a question is open.
    pub(crate) fn announce(&mut self, news: &SpokenText) {
        if self.now.asking.is_none() {
            self.region.say_now(news.aloud(""), false);
        }
    }

    /// Announces the screen; without its heading if that is `known`.
    fn say_screen(&mut self, known: bool) {
        let said = self.now.said.get(usize::from(known)..);
        let said = aloud(said.unwrap_or_default());
        if self.now.alarm {
            self.region.say_now(said, true);
        } else {
            self.region.say(said);
        }
    }

    /// Moves the focus to the heading, because the page wants it.
    pub(crate) fn focus_heading(&self) {
        self.focus.move_to(Goal::Heading, !self.sight.is_due());
    }
}

/// The button that opened the question.
fn asked_by(intent: Intent) -> Opener {
    match intent {
        Intent::Stop => Opener::Cancel,
        Intent::AnotherWay => Opener::AnotherWay,
    }
}
