use super::page::aloud;
use super::sight::{host, is_busy_elsewhere, is_out_of_sight, scroll_to};
use crate::browser::visibility::is_hidden;
use crate::texts::{Mark, SpokenText};
use browser_kit::timer;
use checkout_flow::{Checked, Intent};
use gloo_timers::callback::Timeout;
use std::collections::VecDeque;
use std::mem;
use std::rc::Rc;
use std::time::Duration;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement};
use yew::{Callback, Html, NodeRef, html};

/// How long a text stays in the region for screen readers, which speak it when it appears. Afterwards it may
/// be false, so it must not be found there. The next text waits for the same time: a real screen reader never
/// began the second of two texts that came within a few seconds.
const ANNOUNCE_FOR: Duration = Duration::from_secs(5);
/// How long the first text waits, since screen readers do not speak what a region contains from the
/// beginning.
const REGION_DELAY: Duration = Duration::from_millis(500);

const HEADING: &str = "#heading";
/// The ids of the sentences that are read with a heading to which the focus moves, as far as the screen has
/// them. They become the heading's name, since not every screen reader reads descriptions.
const READ_OUT: &str = "heading note lead until";

/// Announces each change of the screen to screen readers once: by the focus, which moves to the new heading
/// if it was inside the checkout, or else by a live region. It is not a component, since the checkout draws
/// it whenever it draws itself.
#[derive(Debug)]
pub struct Announcer {
    node: NodeRef,
    /// Called when a timer fires.
    on_timer: Callback<Timer>,
    /// The text in the live region, and whether it is an error.
    said: (Html, bool),
    /// The texts that wait for the end of this one.
    waiting: VecDeque<Html>,
    /// The number of texts so far: a repeated text needs a new node to be spoken again.
    times: u32,
    timer: Option<Timeout>,
    /// The state that is drawn.
    now: Rc<Announced>,
    /// The state that was announced. Nothing is announced while a question is open.
    heard: Rc<Announced>,
    /// True if the focus was inside before the drawing.
    inside: bool,
    /// True if a press on the choice led to another screen, which has to be scrolled into sight.
    chosen: bool,
    /// True if the payment ended or was interrupted, and the screen that says so has to be scrolled into sight, once,
    /// when the page is visible: most payers are in their wallet then.
    unseen: bool,
    /// The element to which the focus has to move after the drawing.
    goal: Option<&'static str>,
    /// The button that opened the question which was closed just now. It gets the focus if the dialog could
    /// give it back to no element.
    opener: Option<&'static str>,
}

/// What the announcer waits for.
#[derive(Debug, Clone, Copy)]
pub enum Timer {
    /// Screen readers have noticed the region, so the first screen can be announced.
    RegionReady,
    /// The text has been in the region for long enough.
    TextEnded,
}

/// The part of a screen whose changes are announced.
#[derive(Debug, Default)]
pub(super) struct Announced {
    /// The name of the screen; empty before the first one.
    pub(super) name: &'static str,
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

/// The live region of screen readers with a text.
pub(super) fn region(said: &Html, alarm: bool) -> Html {
    html! {
        <>
            <p class="unseen" role="status">if !alarm { { said.clone() } }</p>
            if alarm {
                <p class="unseen" role="alert">{ said.clone() }</p>
            }
        </>
    }
}

impl Announcer {
    /// The announcer of a checkout that has no screen yet.
    #[must_use]
    pub(crate) fn new(on_timer: Callback<Timer>) -> Self {
        Self {
            node: NodeRef::default(),
            on_timer,
            said: Default::default(),
            waiting: VecDeque::new(),
            times: 0,
            timer: None,
            now: Rc::default(),
            heard: Rc::default(),
            inside: false,
            chosen: false,
            unseen: false,
            goal: None,
            opener: None,
        }
    }

    /// The node around the screen.
    pub(super) fn node(&self) -> NodeRef {
        self.node.clone()
    }

    /// The live region with the present text.
    pub(super) fn region(&self) -> Html {
        let (said, alarm) = &self.said;
        // Another node each time, so that the same text is spoken again.
        region(
            &html! { <span key={self.times}>{ said.clone() }</span> },
            *alarm,
        )
    }

    /// Ends the present text, or begins the first one.
    pub(crate) fn timer_fired(&mut self, timer: Timer) {
        match timer {
            Timer::RegionReady => self.say_screen(false),
            Timer::TextEnded => {
                self.said = Default::default();
                if let Some(next) = self.waiting.pop_front() {
                    self.say_now(next, false);
                }
            }
        }
    }

    /// Takes what a screen announces, before the screen is drawn. The old screen is still in the page, so this
    /// is the last chance to see where the focus is.
    pub(super) fn update(&mut self, announced: Announced) {
        let new = Rc::new(announced);
        let old = mem::replace(&mut self.now, new.clone());
        if old.name.is_empty() {
            self.heard = new;
            return;
        }
        let another = new.name != self.heard.name;
        // On another screen the focus moves from the question to the new heading directly.
        if let Some(intent) = old.asking.filter(|_| new.asking.is_none() && !another) {
            self.opener = Some(asked_by(intent));
        }
        // Another event may come before the drawing, and must not reset this.
        self.inside |= self.find(":focus").is_some();
        if new.asking.is_some() || another {
            // They were about the previous screen.
            self.waiting.clear();
        }
        if new.asking.is_some() {
            return;
        }
        if another && self.has_focus_within() {
            self.goal = Some(HEADING);
        }
        // Some browsers do not focus a button that is pressed, so the focus does not tell.
        self.chosen |= another && old.name == "choosing";
        let same = new.said.first() == self.heard.said.first();
        if another {
            // A page that was just loaded may have the checkout below the window, which the payer did not leave.
            let was_left = old.name != "checking"
                || self
                    .find(HEADING)
                    .is_some_and(|heading| heading.get_bounding_client_rect().top() < 0.0);
            self.unseen = new.interrupts && !same && was_left;
        }
        if another && self.goal.is_some() {
            // The focus makes the screen reader read it.
            self.said.0 = Html::default();
        } else if another {
            self.say_screen(same);
        } else if let Some(news) = self.news() {
            let said = news.aloud("");
            self.say(said);
        }
        self.heard = new;
    }

    /// Moves the focus and scrolls, after the screen was drawn.
    pub(crate) fn rendered(&mut self, first: bool) {
        if first {
            self.greet();
        }
        let nowhere = nothing_has_focus();
        let opener = self.opener.take().filter(|_| nowhere);
        let lost = mem::take(&mut self.inside) && nowhere;
        let goal = self.goal.take().or(opener).or(lost.then_some(HEADING));
        if let Some(goal) = goal.filter(|_| self.now.asking.is_none()) {
            self.focus(goal);
        }
        let pressed = mem::take(&mut self.chosen) || (goal == Some(HEADING) && !self.unseen);
        let due = self.unseen && !is_hidden();
        self.unseen &= !due;
        if pressed || due {
            self.show(pressed);
        }
        // The long name is only for the moment at which the focus arrives.
        if let Some(heading) = self.find("#heading[aria-labelledby]:not(:focus)") {
            let _ = heading.remove_attribute("aria-labelledby");
        }
    }

    /// Announces the first screen, unless it is the choice: a payer who returns to the page has to learn how
    /// the payment stands.
    fn greet(&mut self) {
        let stage = self
            .find(":scope")
            .and_then(|screen| screen.parent_element());
        // The page moved the focus there after the payer repeated a failed load.
        if stage.is_some_and(|stage| stage.matches(":focus").unwrap_or_default()) {
            self.goal = Some(HEADING);
        } else if self.now.name != "choosing" {
            self.after(REGION_DELAY, Timer::RegionReady);
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
            self.say_now(news.aloud(""), false);
        }
    }

    /// Announces the screen; without its heading if that is `known`.
    fn say_screen(&mut self, known: bool) {
        let said = self.now.said.get(usize::from(known)..);
        let said = aloud(said.unwrap_or_default());
        if self.now.alarm {
            self.say_now(said, true);
        } else {
            self.say(said);
        }
    }

    /// Announces a text after the present one.
    fn say(&mut self, said: Html) {
        if self.said.0 == Html::default() {
            self.say_now(said, false);
        } else {
            self.waiting.push_back(said);
        }
    }

    fn say_now(&mut self, said: Html, alarm: bool) {
        self.said = (said, alarm);
        self.times += 1;
        self.after(ANNOUNCE_FOR, Timer::TextEnded);
    }

    fn after(&mut self, time: Duration, timer: Timer) {
        let on_timer = self.on_timer.clone();
        self.timer = Some(timer::after(time, move || on_timer.emit(timer)));
    }

    /// True if the focus is inside, or on the page's own content in a slot.
    fn has_focus_within(&self) -> bool {
        let host = self.find(":scope").and_then(|screen| host(&screen));
        self.inside || host.is_some_and(|host| host.matches(":focus-within").unwrap_or_default())
    }

    /// Moves the focus to an element, or to the heading if the screen does not have that element.
    fn focus(&self, goal: &'static str) {
        let Some(element) = self.find(goal).or_else(|| self.find(HEADING)) else {
            return;
        };
        if element.id() == "heading" {
            let _ = element.set_attribute("aria-labelledby", READ_OUT);
        }
        // The browser scrolls to what gets the focus, also while the payer has zoomed in.
        let options = FocusOptions::new();
        options.set_prevent_scroll(self.unseen);
        // An element that cannot take the focus is no reason to stop.
        let _ = element.focus_with_options(&options);
    }

    /// Moves the focus to the heading, because the page wants it.
    pub(crate) fn focus_heading(&self) {
        self.focus(HEADING);
    }

    /// Scrolls to the screen if it is out of sight. After a press (`pressed`) also where the payer types or selects elsewhere,
    /// since the payer waits for the result of the press.
    fn show(&self, pressed: bool) {
        if let Some((heading, screen)) = self.find(HEADING).zip(self.find(":scope"))
            && is_out_of_sight(&heading, pressed)
            && (pressed || !is_busy_elsewhere(&screen))
        {
            scroll_to(&screen);
        }
    }

    fn find(&self, selector: &str) -> Option<HtmlElement> {
        let screen = self.node.cast::<HtmlElement>()?;
        if selector == ":scope" {
            return Some(screen);
        }
        screen.query_selector(selector).ok()??.dyn_into().ok()
    }
}

/// True when no element has the focus: it was removed, or the browser does not focus a clicked button.
fn nothing_has_focus() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let active = document.and_then(|document| document.active_element());
    active.is_none_or(|active| active.matches("body").unwrap_or_default())
}

/// The button that opened the question.
fn asked_by(intent: Intent) -> &'static str {
    match intent {
        Intent::Stop => "[id='action.cancel']",
        Intent::AnotherWay => "[id='action.another']",
    }
}
