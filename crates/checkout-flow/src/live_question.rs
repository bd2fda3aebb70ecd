use crate::CallId;
use crate::flow_time::FlowTime;

/// The question which operation of the order its payer should see, while it has no answer. A tab that
/// remembers nothing asks it, since the payer may have begun in another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LiveQuestion {
    /// The request on its way, and when it counts as lost.
    pub(crate) call: Option<(CallId, FlowTime)>,
    /// When to send it.
    pub(crate) due: FlowTime,
    /// True when it was sent once already.
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

    /// When to look at it again.
    pub(crate) fn next(&self) -> FlowTime {
        self.call.map_or(self.due, |(_, lost_at)| lost_at)
    }
}
