use crate::flow_time::FlowTime;
use crate::{CallId, schedule};
use std::time::Duration;

/// The cancellation of an operation that must not be paid any more, because another one of the
/// order was paid. The payer does not wait for it, so it has time to ask first: the flow must not
/// cancel an operation that is already paid, since that would give the money back unasked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Withdrawal {
    /// The request on its way, and when it counts as lost.
    pub(crate) call: Option<(CallId, FlowTime)>,
    /// Requests that were sent and did not end the operation.
    pub(crate) tries: u32,
    /// From when on the next one may be sent.
    pub(crate) due: FlowTime,
}

/// After so many requests the flow gives up.
const MOST_WITHDRAWALS: u32 = 30;

impl Withdrawal {
    pub(crate) fn new(call: Option<(CallId, FlowTime)>, now: FlowTime) -> Self {
        Self {
            call,
            tries: 0,
            due: now,
        }
    }

    /// True when this is the running request.
    pub(crate) fn waits_for(&self, call: CallId) -> bool {
        self.call.is_some_and(|(expected, _)| expected == call)
    }

    /// The request was answered or got lost; the status endpoint tells the result.
    pub(crate) fn returned(&mut self, retry_after: Option<Duration>, now: FlowTime) {
        self.call = None;
        self.tries = self.tries.saturating_add(1);
        let delay = schedule::withdrawal(self.tries).max(retry_after.unwrap_or_default());
        self.due = now.saturating_add(delay);
    }

    pub(crate) fn is_hopeless(&self) -> bool {
        self.tries >= MOST_WITHDRAWALS
    }
}

#[cfg(test)]
mod tests {
    use super::Withdrawal;
    use crate::CallId;
    use crate::flow_time::FlowTime;

    #[test]
    fn it_waits_for_its_own_request_alone() {
        let at = FlowTime::default();
        let sent = Withdrawal::new(Some((CallId(7), at)), at);
        assert!(sent.waits_for(CallId(7)) && !sent.waits_for(CallId(8)));
        assert!(!Withdrawal::new(None, at).waits_for(CallId(7)));
    }
}
