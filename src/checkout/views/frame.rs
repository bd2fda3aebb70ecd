use super::page::aloud;
use crate::texts::{Mark, SpokenText};
use browser_kit::timer;
use checkout_flow::{Checked, Intent};
use gloo_timers::callback::Timeout;
use std::collections::VecDeque;
use std::mem;
use std::rc::Rc;
use std::time::Duration;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot};
use yew::{Callback, Html, NodeRef, html};

/// How long a text stands for a screen reader, which speaks it when it comes. After that nobody
/// may find it: it was true then. The next text waits as long: of two that came within a few seconds a real
/// screen reader never began the second one.
const SAID: Duration = Duration::from_secs(5);
/// Screen readers do not speak what a region has from the beginning.
const NOTICED: Duration = Duration::from_millis(500);

const HEADING: &str = "#heading";
/// The sentences that belong to a heading to which the focus moves, as far as the screen has them.
/// As its name: descriptions are not read by every screen reader.
const READ_OUT: &str = "heading note lead until";

/// The frame of every screen. It sees that a screen reader hears each change once: by the focus, if
/// that was inside and moves to the new heading, or else by a region that speaks. It is no component,
/// since the checkout draws it whenever it draws itself.
#[derive(Debug)]
pub struct Frame {
    node: NodeRef,
    /// Is called when the time for a text has come, and when it is over.
    on_due: Callback<Due>,
    /// The text that a screen reader gets, and if it is an error.
    said: (Html, bool),
    /// The texts that came while another one was said.
    waiting: VecDeque<Html>,
    /// How much was said; the same text is said again.
    times: u32,
    timer: Option<Timeout>,
    /// The state that is drawn.
    now: Rc<Facts>,
    /// The state that the payer heard of. While the question is open nothing else is heard.
    heard: Rc<Facts>,
    /// True if the focus was inside before the drawing.
    inside: bool,
    /// True if the payer's choice drew another screen, which has to be seen.
    chosen: bool,
    /// The element to which the focus has to move after the drawing.
    goal: Option<&'static str>,
    /// The button that opened the question which is over, if that had no element to give the focus back to.
    opener: Option<&'static str>,
}

/// The times that the frame waits for.
#[derive(Debug, Clone, Copy)]
pub enum Due {
    /// The first screen can be said.
    Noticed,
    /// The text was said.
    Said,
}

/// The facts whose changes a screen reader is told.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The screen's name; another one is another screen. Empty before the first one.
    pub(super) name: &'static str,
    /// True when the screen is an error.
    pub(super) alarm: bool,
    /// The wish that the payer is asked to confirm.
    pub(super) asking: Option<Intent>,
    /// The sentences that a screen reader says when the screen appears.
    pub(super) said: Vec<SpokenText>,
    /// How little time is left, and how that is said.
    pub(super) mark: Mark,
    pub(super) mark_said: SpokenText,
    /// The text about a trouble with the connection, and the one for its end.
    pub(super) notice: Option<SpokenText>,
    pub(super) back: SpokenText,
    /// The answer to the payer's own question, and how that is said.
    pub(super) checked: Option<Checked>,
    pub(super) checked_said: Option<SpokenText>,
}

/// The region that speaks, on its own for a screen on show.
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

impl Frame {
    /// The frame of a checkout that has no screen yet.
    #[must_use]
    pub(crate) fn new(on_due: Callback<Due>) -> Self {
        Self {
            node: NodeRef::default(),
            on_due,
            said: Default::default(),
            waiting: VecDeque::new(),
            times: 0,
            timer: None,
            now: Rc::default(),
            heard: Rc::default(),
            inside: false,
            chosen: false,
            goal: None,
            opener: None,
        }
    }

    /// The node that is drawn as the frame.
    pub(super) fn node(&self) -> NodeRef {
        self.node.clone()
    }

    /// The region that speaks.
    pub(super) fn region(&self) -> Html {
        let (said, alarm) = &self.said;
        // Another node each time, so that the same text is spoken again.
        region(
            &html! { <span key={self.times}>{ said.clone() }</span> },
            *alarm,
        )
    }

    /// One of its times has come.
    pub(crate) fn due(&mut self, due: Due) {
        match due {
            Due::Noticed => self.say_screen(false),
            Due::Said => {
                self.said = Default::default();
                if let Some(next) = self.waiting.pop_front() {
                    self.say_now(next, false);
                }
            }
        }
    }

    /// Takes the facts of a screen that is about to be drawn. The old one still stands: the last chance to
    /// see where the focus is.
    pub(super) fn hear(&mut self, facts: Facts) {
        let new = Rc::new(facts);
        let old = mem::replace(&mut self.now, new.clone());
        if old.name.is_empty() {
            self.heard = new;
            return;
        }
        let another = new.name != self.heard.name;
        // On another screen the focus moves on from the question, without a way back first.
        if let Some(intent) = old.asking.filter(|_| new.asking.is_none() && !another) {
            self.opener = Some(asked_by(intent));
        }
        // Another event may come before this is drawn, and must not make it forgotten.
        self.inside |= self.find(":focus").is_some();
        if new.asking.is_some() || another {
            // They were about the screen before.
            self.waiting.clear();
        }
        if new.asking.is_some() {
            return;
        }
        if another && self.has_focus_within() {
            self.goal = Some(HEADING);
        }
        // Some browsers give no focus to a button that is pressed.
        self.chosen |= another && old.name == "choosing";
        if another && self.goal.is_some() {
            // Read out by the focus.
            self.said.0 = Html::default();
        } else if another {
            let same = new.said.first() == self.heard.said.first();
            self.say_screen(same);
        } else if let Some(news) = self.news() {
            let said = news.aloud("");
            self.say(said);
        }
        self.heard = new;
    }

    /// The screen was drawn.
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
        if mem::take(&mut self.chosen) || goal == Some(HEADING) {
            self.show();
        }
        // The long name is for the moment of the move.
        if let Some(heading) = self.find("#heading[aria-labelledby]:not(:focus)") {
            let _ = heading.remove_attribute("aria-labelledby");
        }
    }

    /// The first screen. A page that was left and is there again has something to say; the choice has
    /// not.
    fn greet(&mut self) {
        let stage = self.find(":scope").and_then(|frame| frame.parent_element());
        // The page put the focus there after a load that the payer tried again.
        if stage.is_some_and(|stage| stage.matches(":focus").unwrap_or_default()) {
            self.goal = Some(HEADING);
        } else if self.now.name != "choosing" {
            self.after(NOTICED, Due::Noticed);
        }
    }

    /// The news of a screen that stays, in a sentence.
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

    /// Says news of a part of the screen, or the answer to a press, which waits for nothing. While the question
    /// is open nothing else is heard.
    pub(crate) fn announce(&mut self, news: &SpokenText) {
        if self.now.asking.is_none() {
            self.say_now(news.aloud(""), false);
        }
    }

    /// Says the screen; without its heading if that was heard before.
    fn say_screen(&mut self, known: bool) {
        let said = self.now.said.get(usize::from(known)..);
        let said = aloud(said.unwrap_or_default());
        if self.now.alarm {
            self.say_now(said, true);
        } else {
            self.say(said);
        }
    }

    /// Says a text when the one before was said.
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
        self.after(SAID, Due::Said);
    }

    fn after(&mut self, time: Duration, due: Due) {
        let on_due = self.on_due.clone();
        self.timer = Some(timer::after(time, move || on_due.emit(due)));
    }

    /// True if the focus is inside, or on the page's own content in a slot.
    fn has_focus_within(&self) -> bool {
        let root = self.find(":scope").map(|frame| frame.get_root_node());
        let host = root.and_then(|root| Some(root.dyn_into::<ShadowRoot>().ok()?.host()));
        self.inside || host.is_some_and(|host| host.matches(":focus-within").unwrap_or_default())
    }

    /// Moves the focus there, or to the heading of a screen that has no such element.
    fn focus(&self, goal: &'static str) {
        let Some(element) = self.find(goal).or_else(|| self.find(HEADING)) else {
            return;
        };
        if element.id() == "heading" {
            let _ = element.set_attribute("aria-labelledby", READ_OUT);
        }
        // An element that cannot take the focus is no reason to stop.
        let _ = element.focus();
    }

    /// Brings the whole screen into sight if it begins in the lower part of the window: on a phone the
    /// heading alone would be seen, and nothing to press.
    fn show(&self) {
        let height = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64());
        let Some((heading, height)) = self.find(HEADING).zip(height) else {
            return;
        };
        let top = heading.get_bounding_client_rect().top();
        if (top < 0.0 || top > height / 3.0)
            && let Some(screen) = self.find(":scope")
        {
            screen.scroll_into_view();
        }
    }

    fn find(&self, selector: &str) -> Option<HtmlElement> {
        let frame = self.node.cast::<HtmlElement>()?;
        if selector == ":scope" {
            return Some(frame);
        }
        frame.query_selector(selector).ok()??.dyn_into().ok()
    }
}

/// True when the focus is nowhere: it was lost, or the browser gives none to a clicked button.
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
