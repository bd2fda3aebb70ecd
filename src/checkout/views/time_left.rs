use crate::browser::clock;
use browser_kit::timer;
use checkout_flow::Moment;
use std::time::Duration;
use yew::{hook, use_effect_with, use_force_update};

/// A time that was left at an earlier moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TimeLeft {
    pub(super) left: Duration,
    /// The moment; `None` on show, where no time passes.
    pub(super) at: Option<Moment>,
}

impl TimeLeft {
    /// The part of it that is left now.
    fn now(self) -> Duration {
        let passed = self.at.map(|at| clock::now().duration_since(at));
        self.left.saturating_sub(passed.unwrap_or_default())
    }
}

/// Returns what is left of a time now. The component is drawn again after the time that `next` returns for
/// that, until nothing is left.
#[hook]
pub(super) fn use_time_left(time: TimeLeft, next: fn(Duration) -> Duration) -> Duration {
    let draw = use_force_update();
    let left = time.now();
    let passes = time.at.is_some() && !left.is_zero();
    use_effect_with((left, passes), move |_| {
        let next = passes.then(|| timer::after(next(left), move || draw.force_update()));
        move || drop(next)
    });
    left
}
