//! Begins and ends an attempt to pay an order: whether the order may have another one, how the
//! attempt ends, and which final answer its idempotency key gets.
//!
//! At most one code of an order can be paid at a time, and none while a payment of the order is in
//! force or the same attempt is in doubt.

use super::{CountedCode, Order, Payment};
use crate::idempotency::{AuthorizationAnswer, AuthorizationRefusal, Claim, Numbers};
use crate::ledger::{Ledger, LedgerEntries};
use crate::offer::MethodLimits;
use crate::operation::{OperationKey, OperationRecord, Phase, ends_unpaid};
use crate::order::{
    ENDED_OPERATION_COUNTS_FOR, MAX_ATTEMPTS_PER_ORDER, MAX_DOUBTS_SETTLED_AT_ONCE,
    MAX_OPERATIONS_PER_ORDER, OrderFacts,
};
use crate::service_answers::AmountUnits;
use payment_model::{AuthorizeResponse, NotOffered, ProcessorResponse, Timestamp};
use qr_verdict::Verdict;
use serde_json::Value;
use std::borrow::Cow;

/// Why an order cannot have a new attempt to pay now.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BeginAttemptError {
    /// A payment of the order is in force, or an answer leaves open whether one is that had ended or was given back.
    #[error("the order is paid")]
    Paid(Box<OperationRecord>),
    /// The shop closed the order, or its time to pay has passed.
    #[error("the order is closed")]
    Closed,
    /// The order cannot be paid by the method, and has no live operation of it.
    #[error("the order cannot be paid by this method")]
    NotOffered(NotOffered),
    /// The payer can pay this operation, or it must be withdrawn first.
    #[error("the order has a live operation")]
    Live(Box<OperationRecord>),
    /// The order is older than the last restore, and may have been paid since the backup.
    #[error("the order is older than the last restore")]
    Fenced,
    /// The attempt was drafted from facts that the shop has replaced since.
    #[error("the order costs something else by now")]
    OrderChanged,
    /// A payment of the order was given back while the payer asked for another code. The payer has to
    /// see that first.
    #[error("a payment of the order was given back")]
    GivenBack(Box<OperationRecord>),
    /// An earlier request of the same attempt may have sent the payer a code, which can be paid.
    #[error("the attempt may have a code already")]
    OwnCodeInDoubt(Box<OperationRecord>),
    /// The background is still settling whether the payment service has earlier operations. Another
    /// attempt would only add a doubt.
    #[error("earlier operations of the order are in doubt")]
    DoubtsOpen,
    /// The order has reached [`MAX_OPERATIONS_PER_ORDER`], some of which may have ended lately, or [`MAX_ATTEMPTS_PER_ORDER`].
    #[error("the order has as many operations as an order may have")]
    TooManyOperations,
}

impl Order {
    /// Adds the drafted operation as the order's only live one. It replaces an operation with the
    /// same number, whose request never left.
    ///
    /// # Errors
    /// The first reason against the attempt. The order is unchanged then.
    pub fn begin_attempt(
        &mut self,
        draft: &OperationRecord,
        limits: &MethodLimits,
    ) -> Result<(), BeginAttemptError> {
        self.may_begin_attempt(draft, limits)?;
        self.payments
            .retain(|payment| payment.operation.key != draft.key);
        let ledger = Ledger::new(draft, LedgerEntries::default());
        self.payments.push(Payment::new(draft.clone(), ledger));
        Ok(())
    }

    fn may_begin_attempt(
        &self,
        draft: &OperationRecord,
        limits: &MethodLimits,
    ) -> Result<(), BeginAttemptError> {
        use BeginAttemptError as Error;
        let pays = |operation: &OperationRecord| {
            operation.is_paid()
                || operation.may_be_paid_again()
                || operation.may_be_paid_after_all()
        };
        if let Some(paid) = self.first_changed(pays) {
            return Err(Error::Paid(paid));
        }
        let live = self.first_changed(|operation| operation.live);
        // The fence is checked before the end of the order: an older order may have been paid before the shop closed it.
        if live.is_none() && self.is_fenced() {
            return Err(Error::Fenced);
        }
        if self.closed_at.is_some() || self.facts.has_ended(draft.created_at) {
            return Err(Error::Closed);
        }
        // A live operation of the method stays payable, and one of another method ends only for a method that is offered.
        let has_own = live
            .as_ref()
            .is_some_and(|live| live.method == draft.method);
        if let Some(why) = self
            .facts
            .refuses(&draft.method, limits, self.refused_codes)
            && !has_own
        {
            return Err(Error::NotOffered(why));
        }
        if let Some(live) = live {
            return Err(Error::Live(live));
        }
        if !is_drafted_from(draft, &self.facts) {
            return Err(Error::OrderChanged);
        }
        if let Some(given_back) = self.first_changed(OperationRecord::is_reversal_to_show) {
            return Err(Error::GivenBack(given_back));
        }
        let in_doubt = |operation: &&OperationRecord| operation.phase == Phase::InDoubt;
        let doubts: Vec<_> = self.operations().filter(in_doubt).collect();
        let is_own = |doubt: &&&OperationRecord| {
            !doubt.is_shown_by_us() && doubt.attempt_hash == draft.attempt_hash
        };
        if let Some(own) = doubts.iter().find(is_own) {
            return Err(Error::OwnCodeInDoubt(Box::new((*own).clone())));
        }
        let is_being_settled = |doubt: &&&OperationRecord| doubt.is_being_settled(draft.created_at);
        if doubts.iter().filter(is_being_settled).count() >= MAX_DOUBTS_SETTLED_AT_ONCE {
            return Err(Error::DoubtsOpen);
        }
        // A draft may reuse the number of an operation that the service does not have.
        let others = self
            .operations()
            .filter(|other| other.key.number != draft.key.number);
        if has_room(others, draft.created_at) {
            return Ok(());
        }
        // An operation in doubt may turn out not to exist, which makes room for another one.
        Err(if doubts.is_empty() {
            Error::TooManyOperations
        } else {
            Error::DoubtsOpen
        })
    }

    /// True while the order may have another attempt, as far as their number goes.
    pub fn has_room(&self, now: Timestamp) -> bool {
        has_room(self.operations(), now)
    }

    /// The operation with this property that has not changed for the longest time.
    fn first_changed(
        &self,
        has: impl Fn(&OperationRecord) -> bool,
    ) -> Option<Box<OperationRecord>> {
        let found = self.operations().filter(|operation| has(operation));
        let first = found.min_by_key(|operation| operation.changed_at)?;
        Some(Box::new(first.clone()))
    }
}

fn has_room<'a>(
    operations: impl Iterator<Item = &'a OperationRecord> + Clone,
    now: Timestamp,
) -> bool {
    let counts_until = now.saturating_sub(ENDED_OPERATION_COUNTS_FOR);
    let counts = |operation: &&OperationRecord| match operation.phase {
        Phase::Refused | Phase::Lost => false,
        Phase::Sending | Phase::InDoubt | Phase::Known => {
            !ends_unpaid(operation) || operation.changed_at > counts_until
        }
    };
    operations.clone().filter(counts).count() < MAX_OPERATIONS_PER_ORDER
        && operations.count() < MAX_ATTEMPTS_PER_ORDER
}

/// True while an order has the amount and the currency of a draft.
fn is_drafted_from(draft: &OperationRecord, facts: &OrderFacts) -> bool {
    (draft.amount, &draft.currency) == (facts.amount, &facts.currency)
}

/// The answer, with the name that the payer's wallet will show, where its code says one.
fn with_payee<'a>(
    response: &'a AuthorizeResponse,
    code: Option<&Verdict>,
) -> Cow<'a, AuthorizeResponse> {
    let transaction = &response.transaction;
    let told = transaction.processor_response.as_ref();
    let told = told.map(ProcessorResponse::to_value);
    let (
        Some(Verdict::Right {
            merchant_name: Some(name),
        }),
        Some(Value::Object(mut told)),
    ) = (code, told)
    else {
        return Cow::Borrowed(response);
    };
    let name = name.trim();
    if name.is_empty() || name.contains(char::is_control) {
        return Cow::Borrowed(response);
    }
    told.insert("payee_name".to_owned(), name.into());
    let mut response = response.clone();
    let method = &response.transaction.payment_method.method_name;
    response.transaction.processor_response = Some(ProcessorResponse::read(method, told.into()));
    Cow::Owned(response)
}

impl Order {
    /// Stores the service's answer, with what its code says. True when the payer may have the code, which is then the
    /// final answer of the key. False when something else ended the attempt before.
    pub fn authorized(
        &mut self,
        draft: &OperationRecord,
        response: &AuthorizeResponse,
        code: Option<Verdict>,
        units: AmountUnits,
        claim: &Claim,
        now: Timestamp,
    ) -> bool {
        let is_right = matches!(code, Some(Verdict::Right { .. }));
        let response = with_payee(response, code.as_ref());
        let on_time = self.payment_mut(&draft.key).is_some_and(|payment| {
            let operation = &mut payment.operation;
            let on_time = operation.authorized(draft, &response, units, now);
            if on_time {
                operation.code = code;
            }
            on_time
        });
        if on_time {
            self.effects.code = is_right.then_some(CountedCode::Right);
            self.answer(claim, AuthorizationAnswer::Operation(draft.key.clone()));
        }
        on_time
    }

    /// Ends an attempt whose code reaches nobody, because of what it says; that is the final answer of the key. False when
    /// something else ended the attempt before.
    pub fn code_refused(
        &mut self,
        draft: &OperationRecord,
        code: &Verdict,
        claim: &Claim,
        now: Timestamp,
    ) -> bool {
        let Some(payment) = self.payment_mut(&draft.key) else {
            return false;
        };
        // What could not be read or judged says nothing of the service's codes.
        let counts = payment.operation.code.is_none() && matches!(code, Verdict::Wrong { .. });
        let on_time = payment.operation.code_refused(draft, code, now);
        if on_time {
            self.effects.code = counts.then_some(CountedCode::Refused(draft.created_at));
            self.answer(
                claim,
                AuthorizationAnswer::Refused(AuthorizationRefusal::CodeRefused),
            );
        }
        on_time
    }

    /// Ends an attempt that the service refused, or whose request never left. `refusal` is the
    /// final answer of the key; without one the key may be used again. False when something else
    /// ended the attempt before.
    pub fn authorization_refused(
        &mut self,
        draft: &OperationRecord,
        why: &str,
        never_left: bool,
        refusal: Option<(&Claim, AuthorizationRefusal)>,
        now: Timestamp,
    ) -> bool {
        let on_time = self.payment_mut(&draft.key).is_some_and(|payment| {
            payment
                .operation
                .authorization_refused(draft, why, never_left, now)
        });
        if let (true, Some((claim, refusal))) = (on_time, refusal) {
            self.answer(claim, AuthorizationAnswer::Refused(refusal));
        }
        on_time
    }

    /// Answers an attempt with the payment that was reversed while the payer waited for a code. The
    /// payer sees this once, before the order can have another attempt.
    pub fn reversal_was_shown(
        &mut self,
        key: &OperationKey,
        claim: &Claim,
    ) -> Option<AuthorizationRefusal> {
        let payment = self.payment_mut(key)?;
        payment.operation.reversal_was_shown();
        let refusal = AuthorizationRefusal::PaymentReversed(Numbers::of(&payment.operation));
        self.answer(claim, AuthorizationAnswer::Refused(refusal.clone()));
        Some(refusal)
    }

    fn answer(&mut self, claim: &Claim, answer: AuthorizationAnswer) {
        self.effects.answered = Some((claim.clone(), answer));
    }
}

#[cfg(test)]
mod tests;
