use crate::browser::clock;
use browser_kit::timer;
use checkout_flow::Moment;
use gloo_timers::callback::Timeout;
use std::time::Duration;
use yew::{Component, Context};

/// A time that was left at an earlier moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TimeLeft {
    pub(super) left: Duration,
    /// The moment; `None` on show, where no time passes.
    pub(super) at: Option<Moment>,
}

impl TimeLeft {
    /// The time left at this moment.
    pub(super) fn now(self) -> Duration {
        let passed = self.at.map(|at| clock::now().duration_since(at));
        self.left.saturating_sub(passed.unwrap_or_default())
    }

    /// Updates the component after the part that `next` takes of what is left now.
    pub(super) fn wake<C: Component<Message = ()>>(
        self,
        ctx: &Context<C>,
        next: fn(Duration) -> Duration,
    ) -> Option<Timeout> {
        let left = self.now();
        (self.at.is_some() && !left.is_zero()).then(|| {
            let link = ctx.link().clone();
            timer::after(next(left), move || link.send_message(()))
        })
    }
}
