use checkout_flow::Moment;
use std::time::Duration;

/// The page's view of time: the larger step of two clocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clock {
    pub(crate) last: Option<Moment>,
    /// The time since the page was opened.
    pub(crate) now: Duration,
}

impl Clock {
    pub(crate) fn advance(&mut self, moment: Moment) {
        if let Some(last) = self.last {
            let wall = moment.wall.duration_since(last.wall);
            let monotonic = moment.monotonic.duration_since(last.monotonic);
            let passed = wall.max(monotonic);
            self.now += passed.min(Duration::from_secs(366 * 86_400));
        }
        self.last = Some(moment);
    }
}
