use crate::event::CallId;
use crate::schedule;
use crate::time::FlowTime;
use std::time::Duration;

/// The cancellation of an operation that must not be paid any more, because another one of the order was paid.
/// Nothing waits for it, so the flow asks for the state first: to cancel a paid operation would give the money
/// back although the payer did not ask for that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Withdrawal {
    /// The request on its way, and when it counts as lost.
    pub(crate) call: Option<(CallId, FlowTime)>,
    /// The number of requests that did not end the operation.
    pub(crate) tries: u32,
    /// When the next request may be sent.
    pub(crate) due: FlowTime,
}

/// The flow gives up after this number of requests.
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

    /// The request was answered or got lost. Its result is what the status endpoint says next.
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
    use crate::event::CallId;
    use crate::time::FlowTime;

    #[test]
    fn it_waits_only_for_its_own_request() {
        let at = FlowTime::default();
        let sent = Withdrawal::new(Some((CallId(7), at)), at);
        assert!(sent.waits_for(CallId(7)) && !sent.waits_for(CallId(8)));
        assert!(!Withdrawal::new(None, at).waits_for(CallId(7)));
    }
}
