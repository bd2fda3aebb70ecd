//! Ledgers, refunds and returns for tests.

use super::{
    AttemptRecord, Ledger, ListProof, NewAttempt, NewReturn, NewReversal, Purpose, RefundPollPlan,
    Requester,
};
use crate::operation::OperationKey;
use crate::outgoing::{Failed, SendFailure};
use payment_model::{
    IdempotencyKey, MerchantCode, Meta, Outcome, PaymentMethodName, Refund, RefundQueryResponse,
    RefundType, Timestamp, TransactionId, TransactionState,
};
use serde_json::json;
use std::time::Duration;

/// A request of this member of staff.
pub fn requester(staff: &str) -> Requester {
    Requester {
        staff: staff.to_owned(),
        key: IdempotencyKey::new("k").unwrap(),
    }
}

/// A settled operation of 10.00 PEN.
pub fn ledger() -> Ledger {
    Ledger {
        key: OperationKey::new("shop", "1"),
        transaction_id: Some(TransactionId::new("t")),
        method: PaymentMethodName::Installment,
        state: Some(TransactionState::Settled),
        outcome: Some(Outcome::Paid),
        amount: 1000,
        currency: "PEN".to_owned(),
        attempts: Vec::new(),
        refunds: Vec::new(),
        returns: Vec::new(),
        reversals: Vec::new(),
        reversal_reported: false,
        contradicted: false,
        awaits_comparison: false,
        watch: RefundPollPlan::default(),
    }
}

/// A refund as in the service's list.
pub fn refund(id: &str, state: &str, amount: &str) -> Refund {
    serde_json::from_value(json!({
        "refund_id": id, "state": state, "refund_reason": "", "type": "PARTIAL",
        "merchant_operation_number": "1", "transaction_id": "t", "refund_amount": amount,
        "transaction_amount": "1000", "currency": "604", "payment_method": {"name": "INSTALLMENT"},
    }))
    .unwrap()
}

/// The service's list of refunds.
pub fn list(refunds: &[Refund]) -> RefundQueryResponse {
    RefundQueryResponse {
        success: true,
        merchant_code: MerchantCode::new("shop"),
        operations_count: refunds.len().to_string(),
        operations: refunds.to_vec(),
        meta: Meta::accepted(),
    }
}

/// A refund of the service's list that echoes the id of an attempt.
pub fn echo(id: &str, attempt: &str, state: &str, amount: &str) -> Refund {
    let mut refund = refund(id, state, amount);
    let fields = json!({"attempt_id": attempt, "ticket": 7});
    refund.additional_fields = fields.as_object().cloned();
    refund
}

/// Reserves a refund of an amount in cents.
pub fn reserve(ledger: &mut Ledger, id: &str, amount: u64, now: Timestamp) {
    let new = NewAttempt {
        id: id.to_owned(),
        kind: RefundType::Partial,
        amount,
        requester: requester("ana"),
        item: 0,
    };
    ledger.reserve(new, now);
}

/// A return by hand of an amount in cents, which no limit of the account bounds.
pub fn returned(id: &str, amount: u64, already_made: bool) -> NewReturn {
    NewReturn {
        id: id.to_owned(),
        amount,
        reason: "by transfer".to_owned(),
        requester: requester("ana"),
        already_made,
        allowed: u64::MAX,
    }
}

/// The proof of a complete list whose query began long after every attempt.
pub fn proof() -> ListProof {
    ListProof {
        began: Timestamp::from_millis(i64::MAX),
        may_run_for: Duration::ZERO,
    }
}

/// A ledger with one attempt whose answer was lost.
pub fn doubtful(id: &str, amount: u64, now: Timestamp) -> Ledger {
    let mut ledger = ledger();
    reserve(&mut ledger, id, amount, now);
    assert!(ledger.begin(id, now));
    ledger.end(id, SendFailure::NoAnswer.because("no answer"), now);
    ledger
}

/// True for attempts that were requested before this instant.
pub fn asked_before(millis: i64) -> impl Fn(&AttemptRecord) -> bool {
    move |attempt| attempt.requested_at < crate::timing::instant(millis)
}

/// A request of the server to cancel or reverse an operation.
pub fn reversal(id: &str, purpose: Purpose, asked_at: Timestamp) -> NewReversal {
    NewReversal {
        id: id.to_owned(),
        purpose,
        staff: None,
        key: None,
        cause: None,
        allowed: u64::MAX,
        asked_at,
        may_run_for: Duration::from_millis(100),
    }
}

/// The service's refusal of a request, without messages.
pub fn refused(status: u16) -> Failed {
    let messages = Vec::new();
    SendFailure::Refused { status, messages }.because("refused")
}
