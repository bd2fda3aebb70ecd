//! One attempt to pay, as the store has it.
//!
//! ```text
//! authorization  how the request of an attempt ends: answered, refused, in doubt
//! transition     what an answer of the service changes: only forward, and only if it is believed
//! contradicting_answers
//!                answers that disagree with each other or with the order
//! late_answers   which answer is newer: what was known when a question began, and notifications
//! show_payer     which operation of an order its payer sees, and what of it
//! schedule       when to poll again; no usable answer for long, and the end of the watch by staff
//! ```
//!
//! It has no input or output. The rules for money that is given back are in `crate::ledger`.

mod authorization;
mod contradicting_answers;
#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "only tests make these values")]
pub mod fixture;
mod late_answers;
mod schedule;
mod show_payer;
mod transition;

pub use contradicting_answers::Contradiction;
pub use contradicting_answers::Difference;
pub use late_answers::QuestionContext;
pub use schedule::{
    BLOCK_LISTED_AFTER, DOUBT_SETTLED_FOR, HELD_PAYMENT_LISTED_AFTER, REQUEST_MAY_ARRIVE_FOR,
};
pub use schedule::{QueryFailure, UNANSWERED_LISTED_AFTER, Unanswered};
pub use show_payer::{ends_unpaid, to_show};
pub use transition::{Verdict, can_be_asked};

use crate::order::{FullOrderId, OrderFacts};
use crate::timing::{DAY, HOUR, MINUTE};
use payment_model::{
    AuthorizeResponse, MerchantCode, MerchantOperationNumber, Operation, Outcome,
    PaymentMethodName, Timestamp, Transaction, TransactionId, TransactionState,
};
use serde::{Deserialize, Serialize};

/// The key of an operation. The number does not identify an operation, because a merchant may have
/// several codes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OperationKey {
    /// The merchant code at the payment service.
    pub merchant_code: MerchantCode,
    /// The number that this server chose.
    #[serde(rename = "merchant_operation_number")]
    pub number: MerchantOperationNumber,
}

impl OperationKey {
    /// The key of a merchant code and a number.
    pub fn new(merchant_code: impl Into<String>, number: impl Into<String>) -> Self {
        Self {
            merchant_code: MerchantCode::new(merchant_code),
            number: MerchantOperationNumber::new(number),
        }
    }
}

/// What the server knows about the request of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Stored, and its request is on its way.
    Sending,
    /// It is not known whether the service accepted the request. A cancellation settles that, where the payer cannot have
    /// the code by another way.
    InDoubt,
    /// The service refused the request.
    Refused,
    /// The service answered with a transaction.
    Known,
    /// The service did not know it, long after the request could still have arrived.
    Lost,
}

impl Phase {
    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sending => "sending",
            Self::InDoubt => "in_doubt",
            Self::Refused => "refused",
            Self::Known => "known",
            Self::Lost => "lost",
        }
    }
}

/// An operation with everything known about it.
///
/// The store keeps it as JSON, apart from what narrow statements write: turn, hint, plan and version. A member that is
/// added later needs a default, since older documents lack it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationRecord {
    /// The key of the operation.
    pub key: OperationKey,
    /// The order that the operation pays.
    pub order_id: String,
    /// What this server knows about its request.
    pub phase: Phase,
    /// True for the one operation of its order that the payer may pay now.
    pub live: bool,
    /// The payment method.
    pub method: PaymentMethodName,
    /// The amount of the order, in cents.
    pub amount: u64,
    /// The currency of the order.
    pub currency: String,
    /// SHA-256 of the token in the callback URL.
    pub callback_hash: String,
    /// When the attempt began.
    pub created_at: Timestamp,
    /// When its state last changed.
    pub changed_at: Timestamp,
    /// When the last query began; its answer may not be stored yet.
    #[serde(skip)]
    pub queried_at: Option<Timestamp>,
    /// When a notification came, until the answer to a later query is stored. It is later than
    /// `queried_at` of each query before it and never later than that of a query after it, whatever
    /// the clocks of the servers say.
    #[serde(skip)]
    pub hinted_at: Option<Timestamp>,
    /// When the background polls it next; `None` for never.
    #[serde(skip)]
    pub due_at: Option<Timestamp>,
    /// How many polls failed since the last success.
    #[serde(skip)]
    pub failures: u32,
    /// The operation of the service's last answer, with this operation's transaction only.
    pub operation: Option<Operation>,
    /// The answer to the authorize request, for a payer who authorizes again.
    pub answer: Option<AuthorizeResponse>,
    /// When it was paid, if it had ended, was refused, or another operation had replaced it before.
    pub paid_late_at: Option<Timestamp>,
    /// The difference between an answer of the service and the order.
    pub answer_mismatch: Option<Difference>,
    /// The money that was given back, or may be, beyond what stands paid.
    pub excess: Option<Difference>,
    /// Why it is in doubt or was refused; for staff.
    pub failure_note: Option<String>,
    /// Since when a payer has asked for another code and cannot have one because of this operation.
    /// For a reversed payment: since when the payer has not seen the reversal.
    pub blocked_since: Option<Timestamp>,
    /// When an answer first said that its payment was given back without saying that it was paid.
    pub reversal_seen_at: Option<Timestamp>,
    /// When the service said that its number had been used before.
    pub number_taken_at: Option<Timestamp>,
    /// When its payment was announced to the shop and the payer; `None` while a request on its way
    /// may give the payment back.
    pub announced_at: Option<Timestamp>,
    /// An answer that disagrees with the stored state or with itself, until one agrees.
    pub contradiction: Option<Contradiction>,
    /// When a second answer said that its payment, which was given back, is in force: it pays its order again.
    pub paid_again_at: Option<Timestamp>,
    /// The time without a usable answer about it, until there is one.
    pub unanswered: Option<Unanswered>,
    /// When staff ended its watch, since nothing was paid; a notification begins it again.
    pub watch_ended_at: Option<Timestamp>,
    /// The payer may have its code although this database does not say so, because the database was
    /// restored from a backup after the request had left.
    pub code_may_be_out: bool,
    /// SHA-256 of the sender and the idempotency key of its attempt; `None` in old rows.
    pub attempt_hash: Option<String>,
    /// True when its request never left.
    pub unsent: bool,
    /// What its QR says, read before anybody saw it; `None` for an answer without a picture, and for other methods.
    pub code: Option<qr_verdict::Verdict>,
    /// True when the code reached nobody because of what it says.
    #[serde(default)]
    pub code_refused: bool,
    /// When the service said that it does not know the operation; the request may still arrive.
    pub unknown_at: Option<Timestamp>,
    /// How often its row was written, without writes of the plan, of `queried_at` and of
    /// `hinted_at` only. The store counts it.
    #[serde(skip)]
    pub version: u64,
}

impl OperationRecord {
    /// An attempt to pay an order, whose request is about to leave.
    pub fn sending(
        key: OperationKey,
        order: &OrderFacts,
        method: PaymentMethodName,
        callback_hash: String,
        now: Timestamp,
    ) -> Self {
        Self {
            key,
            order_id: order.order_id.clone(),
            phase: Phase::Sending,
            live: true,
            method,
            amount: order.amount,
            currency: order.currency.clone(),
            callback_hash,
            created_at: now,
            changed_at: now,
            queried_at: None,
            hinted_at: None,
            due_at: None,
            failures: 0,
            operation: None,
            answer: None,
            paid_late_at: None,
            answer_mismatch: None,
            excess: None,
            failure_note: None,
            blocked_since: None,
            reversal_seen_at: None,
            number_taken_at: None,
            announced_at: None,
            contradiction: None,
            paid_again_at: None,
            unanswered: None,
            watch_ended_at: None,
            code_may_be_out: false,
            attempt_hash: None,
            unsent: false,
            code: None,
            code_refused: false,
            unknown_at: None,
            version: 0,
        }
    }

    /// The key of the order that the operation pays, which is of the same store.
    pub fn full_order_id(&self) -> FullOrderId {
        FullOrderId::new(self.key.merchant_code.as_str(), &*self.order_id)
    }

    /// The transaction, once the service named it.
    pub fn transaction(&self) -> Option<&Transaction> {
        self.operation.as_ref()?.transactions.first()
    }

    /// The service's id of the transaction, by which it can be queried.
    pub fn transaction_id(&self) -> Option<&TransactionId> {
        self.transaction().map(|t| &t.transaction_id)
    }

    /// A number that the payer sees in an app or on a voucher, by its name in the processor's
    /// response.
    pub fn payers_number(&self, name: &str) -> Option<String> {
        let told = |transaction: &Transaction| {
            let response = transaction.processor_response.as_ref()?.to_value();
            Some(response.get(name)?.as_str()?.to_owned())
        };
        let answered = || {
            self.answer
                .as_ref()
                .and_then(|answer| told(&answer.transaction))
        };
        self.transaction().and_then(told).or_else(answered)
    }

    /// The stored state of the transaction; `None` before the service named one.
    pub fn state(&self) -> Option<&TransactionState> {
        self.transaction().map(|t| &t.state)
    }

    /// How it ended; `None` while that is not known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.transaction().and_then(Transaction::outcome)
    }

    /// True while it is not known whether the service accepted its request.
    pub fn awaits_answer(&self) -> bool {
        matches!(self.phase, Phase::Sending | Phase::InDoubt)
    }

    /// True while it can be paid, or was without the server knowing.
    pub fn may_be_paid(&self) -> bool {
        let is_open = self.phase == Phase::Known && self.outcome().is_none();
        self.live || self.awaits_answer() || (is_open && self.watch_ended_at.is_none())
    }

    /// True when the other one has the same plan of polls, turn and hint.
    pub fn has_plan_of(&self, other: &Self) -> bool {
        let plan = |one: &Self| (one.queried_at, one.hinted_at, one.due_at, one.failures);
        plan(self) == plan(other)
    }

    /// Takes note that the database was restored from a backup: its number may have been used since, and the answer to its
    /// request may have come, and with it its code to the payer.
    pub fn was_restored(&mut self) {
        self.unsent = false;
        if self.awaits_answer() {
            self.code_may_be_out = true;
            self.due_at = None;
        }
    }

    /// True when its payment is in force, and so the order is paid.
    pub fn is_paid(&self) -> bool {
        self.outcome() == Some(Outcome::Paid)
    }

    /// True for a payment in force that is not announced yet, because a request on its way may give
    /// it back.
    pub fn is_held(&self) -> bool {
        self.is_paid() && self.announced_at.is_none()
    }

    /// True when a payment that was never announced is given back by this change: a cancellation gave back what
    /// was paid meanwhile.
    pub fn was_given_back_unannounced(&self, before: &Self) -> bool {
        let reversed = |operation: &Self| operation.outcome() == Some(Outcome::Reversed);
        reversed(self) && !reversed(before) && before.announced_at.is_none()
    }

    /// True for a payment that was given back while its payer waited for a code, until the payer has
    /// seen that.
    pub fn is_reversal_to_show(&self) -> bool {
        self.outcome() == Some(Outcome::Reversed) && self.blocked_since.is_some()
    }

    /// Notes that the payer has seen the reversal.
    pub fn reversal_was_shown(&mut self) {
        self.blocked_since = None;
    }

    /// Announces a payment that is not being given back; see [`crate::payment::announce`].
    pub fn announce(&mut self, being_given_back: bool, now: Timestamp) {
        if !self.is_paid() {
            self.announced_at = None;
        } else if !being_given_back {
            self.announced_at.get_or_insert(now);
        }
    }

    /// True when the payer gets the code or link only from the answer to the authorization, so that
    /// an operation in doubt cannot have been paid. Codes of other methods may reach the payer by
    /// another way.
    pub fn is_shown_by_us(&self) -> bool {
        let method = &self.method;
        let by_answer = matches!(
            method,
            PaymentMethodName::Qr | PaymentMethodName::Installment
        );
        by_answer && !self.code_may_be_out
    }

    /// True when it can be paid although no payer got its code, because the answer to its
    /// authorization came too late.
    pub fn reached_nobody(&self) -> bool {
        let waits = self.state().is_some_and(|state| state.is_waiting());
        let is_ours = self.number_taken_at.is_none();
        waits && !self.live && self.answer.is_none() && self.is_shown_by_us() && is_ours
    }

    /// When the code may be replaced for a payer who asks for a new one. That is a minute
    /// after the deadline, because a payment that began before the deadline may still arrive.
    pub fn overdue_from(&self) -> Timestamp {
        let deadline = self.expires_at().unwrap_or_else(|| {
            // Without a deadline a code would block its order for ever.
            let life = if self.is_shown_by_us() { HOUR } else { DAY };
            self.created_at.saturating_add(life)
        });
        deadline.saturating_add(MINUTE)
    }

    /// Until when the payer can pay it, if the service named a deadline.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.transaction()?.expiration_date.as_ref()?.timestamp()
    }

    /// Notes that a payer asked for a new code and cannot have one before this operation is known
    /// to have ended.
    pub fn block(&mut self, now: Timestamp) {
        if self.live {
            self.blocked_since.get_or_insert(now);
        }
    }

    /// Since when it blocks its order, if that is long enough for staff to release the order.
    pub fn long_blocked_since(&self, now: Timestamp) -> Option<Timestamp> {
        let long = |since: &Timestamp| now.duration_since(*since) >= BLOCK_LISTED_AFTER;
        self.blocked_since.filter(|_| self.live).filter(long)
    }

    /// Releases its order, as two members of staff decided. It is not live any more, and the
    /// background still polls it.
    pub fn release_block(&mut self) {
        self.live = false;
        self.blocked_since = None;
    }
}

#[cfg(test)]
mod tests;
