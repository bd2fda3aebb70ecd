use crate::event::CallId;
use crate::time::FlowTime;

/// The unanswered question which operation of the order its payer should see. A tab without a snapshot asks it,
/// since the payer may have begun in another tab.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LiveQuestion {
    /// The request on its way, and when it counts as lost.
    pub(crate) call: Option<(CallId, FlowTime)>,
    /// When to send it.
    pub(crate) due: FlowTime,
    /// True when it is sent for the second time.
    pub(crate) repeated: bool,
}

impl LiveQuestion {
    pub(crate) fn new(due: FlowTime, repeated: bool) -> Self {
        Self {
            call: None,
            due,
            repeated,
        }
    }

    /// When to send it, or when it counts as lost.
    pub(crate) fn next(&self) -> FlowTime {
        self.call.map_or(self.due, |(_, lost_at)| lost_at)
    }
}
