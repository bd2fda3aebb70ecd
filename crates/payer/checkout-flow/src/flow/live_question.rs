//! Asks the server which operation of the order its payer should see, in a tab whose storage has none.
//!
//! The payer does not wait for the answer: the choice is on the screen, and a press on it ends the question. So
//! a failure is never shown.

use super::schedule::{self, Sent};
use super::tracked_operation::Change;
use super::{Flow, LiveOperation, Origin, Phase};
use crate::command::Command;
use crate::event::{Answer, Answered};
use crate::failure::Failure;
use crate::operation_ref::{CallId, OperationRef};
use crate::time::FlowTime;
use payment_model::{Offer, QueryResponse};
use std::time::Duration;

/// The unanswered question which operation of the order its payer should see. A tab without a snapshot asks it,
/// since the payer may have begun in another tab.
#[derive(Debug, Clone, Copy)]
pub(super) struct LiveQuestion {
    pub(super) call: Option<Sent>,
    /// When to send it.
    pub(super) due: FlowTime,
    /// True when it is sent for the second time.
    pub(super) repeated: bool,
}

impl LiveQuestion {
    pub(super) fn new(due: FlowTime, repeated: bool) -> Self {
        Self {
            call: None,
            due,
            repeated,
        }
    }

    /// When to send it, or when it counts as lost.
    pub(super) fn next(&self) -> FlowTime {
        self.call.map_or(self.due, |(_, lost_at)| lost_at)
    }
}

impl Flow {
    /// Plans the question, if this tab knows no operation of the order.
    pub(super) fn ask_for_live(&mut self) {
        if matches!(self.phase, Phase::Choosing) && self.operations.iter().next().is_none() {
            self.live_question = Some(LiveQuestion::new(self.now(), false));
        }
    }

    pub(super) fn send_live_question(&mut self) {
        let now = self.now();
        let due = |question: &LiveQuestion| question.call.is_none() && question.due <= now;
        if self.live_question.as_ref().is_some_and(due) {
            let timeout = schedule::TIMEOUT;
            let (call, lost_at) = self.next_call_within(timeout);
            self.commands.push(Command::QueryLive { call, timeout });
            if let Some(question) = &mut self.live_question {
                question.call = Some((call, lost_at));
            }
        }
    }

    /// Drops the question: the payer chose a method, or no answer came in time.
    pub(super) fn drop_live_question(&mut self) {
        if let Some((call, _)) = self.live_question.take().and_then(|asked| asked.call) {
            self.commands.push(Command::Abort { call });
        }
    }

    pub(super) fn live_answered(
        &mut self,
        call: CallId,
        answer: Answered<Option<QueryResponse>>,
        offer: Option<Offer>,
    ) {
        let answers =
            |asked: &mut LiveQuestion| asked.call.is_some_and(|(expected, _)| expected == call);
        let Some(question) = self.live_question.take_if(answers) else {
            return;
        };
        match answer {
            Ok(answer) => {
                self.take_live(answer);
                self.offer = offer.or(self.offer.take());
            }
            Err(Failure::Network) if !question.repeated => {
                let delay = schedule::jittered(schedule::retry(1), self.entropy);
                let due = self.now().saturating_add(delay);
                self.live_question = Some(LiveQuestion::new(due, true));
            }
            Err(_) => {}
        }
    }

    /// Puts the operation of the answer in front, in any state, as if the tab's storage had named it.
    fn take_live(&mut self, answer: Answer<Option<QueryResponse>>) {
        self.note_date(&answer);
        let Some(QueryResponse {
            merchant_code,
            operation,
            ..
        }) = *answer.body
        else {
            return;
        };
        let Some(transaction) = operation.transactions.into_iter().next() else {
            return;
        };
        let slot = self.track(OperationRef {
            merchant_code,
            merchant_operation_number: operation.merchant_operation_number,
            transaction_id: Some(transaction.transaction_id.clone()),
        });
        let tracked = &mut self.operations[slot];
        (tracked.tag, tracked.payable) = (answer.tag, answer.order_open);
        tracked.plan.due = None;
        tracked.cancelled_by = tracked.cancelled_by.updated(answer.cancelled_by);
        self.phase = Phase::Live(LiveOperation::new(slot, Origin::Remembered));
        let change = self.take_status(slot, transaction, answer.age);
        self.plan(slot, (change != Change::Nothing).then_some(Duration::ZERO));
    }
}
