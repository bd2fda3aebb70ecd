//! The live region: in it screen readers hear what changes while the focus stays.

use browser_kit::timer;
use gloo_timers::callback::Timeout;
use std::collections::VecDeque;
use std::time::Duration;
use yew::{Callback, Html, html};

/// How long a text stays in the region for screen readers, which speak it when it appears. Afterwards it may
/// be false, so it must not be found there. The next text waits for the same time: a real screen reader never
/// began the second of two texts that came within a few seconds.
const ANNOUNCE_FOR: Duration = Duration::from_secs(5);
/// How long the first text waits, since screen readers do not speak what a region contains from the
/// beginning.
const REGION_DELAY: Duration = Duration::from_millis(500);

/// What the region waits for.
#[derive(Debug, Clone, Copy)]
pub enum Timer {
    /// Screen readers have noticed the region, so the first screen can be announced.
    RegionReady,
    /// The text has been in the region for long enough.
    TextEnded,
}

#[derive(Debug)]
pub(super) struct LiveRegion {
    /// Called when a timer fires.
    on_timer: Callback<Timer>,
    /// The present text, and whether it is an error.
    said: (Html, bool),
    /// The texts that wait for the end of this one.
    waiting: VecDeque<Html>,
    /// How often the text changed: a repeated text needs a new node to be spoken again.
    times: u32,
    timer: Option<Timeout>,
}

/// The nodes of the region with a text.
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

impl LiveRegion {
    pub(super) fn new(on_timer: Callback<Timer>) -> Self {
        Self {
            on_timer,
            said: Default::default(),
            waiting: VecDeque::new(),
            times: 0,
            timer: None,
        }
    }

    pub(super) fn html(&self) -> Html {
        let (said, alarm) = &self.said;
        // Another node each time, so that the same text is spoken again.
        region(
            &html! { <span key={self.times}>{ said.clone() }</span> },
            *alarm,
        )
    }

    /// Asks for the first text once screen readers have noticed the region.
    pub(super) fn begin(&mut self) {
        self.after(REGION_DELAY, Timer::RegionReady);
    }

    /// Announces a text after the present one.
    pub(super) fn say(&mut self, said: Html) {
        if self.said.0 == Html::default() {
            self.say_now(said, false);
        } else {
            self.waiting.push_back(said);
        }
    }

    pub(super) fn say_now(&mut self, said: Html, alarm: bool) {
        self.said = (said, alarm);
        self.times += 1;
        self.after(ANNOUNCE_FOR, Timer::TextEnded);
    }

    /// The present text has been there for long enough.
    pub(super) fn text_ended(&mut self) {
        self.clear();
        if let Some(next) = self.waiting.pop_front() {
            self.say_now(next, false);
        }
    }

    pub(super) fn clear(&mut self) {
        self.said.0 = Html::default();
        self.times += 1;
    }

    /// How often the text changed.
    pub(super) fn times(&self) -> u32 {
        self.times
    }

    /// Drops the texts that wait: they were about another screen.
    pub(super) fn drop_waiting(&mut self) {
        self.waiting.clear();
    }

    fn after(&mut self, time: Duration, timer: Timer) {
        let on_timer = self.on_timer.clone();
        self.timer = Some(timer::after(time, move || on_timer.emit(timer)));
    }
}
