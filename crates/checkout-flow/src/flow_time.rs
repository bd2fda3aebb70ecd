use std::time::Duration;

/// An instant of the flow's own time, which begins with its first event and never runs backwards.
///
/// Every plan of the flow is such an instant. It has nothing in common with the instants of the
/// browser's clocks and of the server's clock: [`crate::time::Timeline`] translates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct FlowTime(Duration);

impl FlowTime {
    /// The instant a length of time later.
    pub(crate) fn saturating_add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }

    /// The time that passed since an earlier instant; none when that one is later.
    pub(crate) fn duration_since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}
