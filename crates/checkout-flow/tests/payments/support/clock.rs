use checkout_flow::Moment;

/// The page's view of time: the larger step of two clocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clock {
    pub(crate) last: Option<Moment>,
    pub(crate) now: i64,
}

impl Clock {
    pub(crate) fn advance(&mut self, moment: Moment) {
        if let Some(last) = self.last {
            let wall = moment.wall.saturating_sub(last.wall);
            let monotonic = moment.monotonic.saturating_sub(last.monotonic);
            self.now += wall.max(monotonic).clamp(0, 366 * 86_400_000);
        }
        self.last = Some(moment);
    }
}
