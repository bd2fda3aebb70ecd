//! One attempt to pay, as the store has it.
//!
//! ```text
//! authorization how the request of an attempt ends: answered, refused, in doubt
//! transition, reported_reversal
//!               what an answer of the service changes: only forward, and only if it is believed
//! contradiction answers that disagree with each other
//! answer, asked the answer to its payer; a request, and what was known when it began
//! hint          a notification makes the stored state old
//! schedule      when to ask the service again
//! to_show       which one of an order its payer should see
//! ```
//!
//! Without input or output. Money that is given back is in `crate::ledger`.

mod answer;
mod asked;
mod authorization;
mod contradiction;
#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "only tests make these values")]
pub mod fixture;
mod hint;
mod reported_reversal;
mod schedule;
mod to_show;
mod transition;

pub use asked::Asked;
pub use contradiction::Contradiction;
pub use schedule::{BLOCK_LISTED, DOUBT, HELD_LISTED, SETTLED_FOR, UNACCEPTED_LISTED};
pub use to_show::{ends_unpaid, to_show};
pub use transition::{Taken, can_be_asked};

use crate::backoff::{DAY, HOUR, MINUTE};
use crate::planted::{Mistake, planted};
use payment_model::{
    AuthorizeResponse, MerchantCode, MerchantOperationNumber, Operation, Outcome,
    PaymentMethodName, Timestamp, Transaction, TransactionId, TransactionState,
};
use serde::{Deserialize, Serialize};

/// The key of an operation. A number alone is not enough, since a merchant may have several codes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OperationKey {
    pub merchant_code: MerchantCode,
    #[serde(rename = "merchant_operation_number")]
    pub number: MerchantOperationNumber,
}

impl OperationKey {
    pub fn new(merchant_code: impl Into<String>, number: impl Into<String>) -> Self {
        Self {
            merchant_code: MerchantCode::new(merchant_code),
            number: MerchantOperationNumber::new(number),
        }
    }
}

/// The server's knowledge about an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// On disk, and its request is on its way.
    Sending,
    /// It is not known whether the service accepted it; a cancellation has to settle that.
    InDoubt,
    /// The service refused the request.
    Refused,
    /// The service answered with a transaction.
    Known,
    /// The service did not know it, long after the request could still have arrived.
    Lost,
}

impl Phase {
    const ALL: [Self; 5] = [
        Self::Sending,
        Self::InDoubt,
        Self::Refused,
        Self::Known,
        Self::Lost,
    ];

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

    /// Reads the word of the store.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.as_str() == word)
    }
}

/// An operation with everything known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationRecord {
    pub key: OperationKey,
    pub order_id: String,
    pub phase: Phase,
    /// True for the one operation of its order that the payer may pay now.
    pub live: bool,
    pub method: PaymentMethodName,
    /// The amount of the order, in cents.
    pub amount: u64,
    pub currency: String,
    /// SHA-256 of the token in the callback URL.
    pub callback_hash: String,
    pub created_at: Timestamp,
    /// When its state last changed.
    pub changed_at: Timestamp,
    /// When the last query about it took its turn; its answer may not be there yet.
    pub queried_at: Option<Timestamp>,
    /// When a notification came, until the answer to a later query is stored. It comes after the
    /// turns before it, and never after a later one, whatever the clocks of their servers say.
    pub hinted_at: Option<Timestamp>,
    /// When it is to be looked at next without anybody asking; `None` for never again.
    pub due_at: Option<Timestamp>,
    /// How many looks failed since one succeeded.
    pub failures: u32,
    /// The operation of the service's last answer, with this operation's transaction only.
    pub operation: Option<Operation>,
    /// The answer to the authorize request, for a payer who authorizes again.
    pub answer: Option<AuthorizeResponse>,
    /// When it was paid, if it had ended or had been left for another one before.
    pub paid_late_at: Option<Timestamp>,
    /// The difference between an answer of the service and the order; for staff.
    pub mismatch: Option<String>,
    /// Why it is in doubt or was refused; for staff.
    pub trouble: Option<String>,
    /// Since when a payer asks in vain for another code than this one's; of a payment that was given
    /// back, since when its payer does not know.
    pub blocked_since: Option<Timestamp>,
    /// When an answer first said that its payment was given back without saying that it was paid.
    pub reversal_seen_at: Option<Timestamp>,
    /// When the service said that its number had been used before.
    pub number_taken_at: Option<Timestamp>,
    /// When its payment was announced to the shop and the payer; `None` also for a payment that a
    /// request on its way may give back.
    pub announced_at: Option<Timestamp>,
    /// An answer that disagrees with the stored state, until one agrees.
    pub contradiction: Option<Contradiction>,
    /// When a second answer said that it is paid although its payment was given back.
    pub paid_again_at: Option<Timestamp>,
    /// Since when answers about it were not accepted, or had no transaction of it.
    pub unaccepted_since: Option<Timestamp>,
    /// Its code may be the payer's although this database does not know so: the database was
    /// restored from a backup after its request had left.
    pub code_may_be_out: bool,
    /// SHA-256 of the sender and the idempotency key of its attempt; `None` in old rows.
    pub attempt_hash: Option<String>,
    /// Its request never left.
    pub unsent: bool,
    /// When the service said that it does not know it; its request may still arrive.
    pub unknown_at: Option<Timestamp>,
    /// How often its row was written, apart from plans, turns and hints. The store counts it.
    pub version: u64,
}

impl OperationRecord {
    /// The transaction, once the service named it.
    pub fn transaction(&self) -> Option<&Transaction> {
        self.operation.as_ref()?.transactions.first()
    }

    pub fn transaction_id(&self) -> Option<&TransactionId> {
        self.transaction().map(|t| &t.transaction_id)
    }

    /// A number in the payer's own app or voucher, by its name in the processor's response.
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

    pub fn state(&self) -> Option<&TransactionState> {
        self.transaction().map(|t| &t.state)
    }

    /// How it ended; `None` while that is not known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.transaction().and_then(Transaction::outcome)
    }

    /// True when its payment is in force, and so the order is paid.
    pub fn is_paid(&self) -> bool {
        self.outcome() == Some(Outcome::Paid)
    }

    /// True for a payment in force that is not announced, because a request on its way may give it
    /// back.
    pub fn is_held(&self) -> bool {
        self.is_paid() && self.announced_at.is_none()
    }

    /// True for a payment that was given back while its payer waited for a code, until the payer has
    /// seen that.
    pub fn is_reversal_to_show(&self) -> bool {
        self.outcome() == Some(Outcome::Reversed) && self.blocked_since.is_some()
    }

    /// Its payer has seen that the payment was given back.
    pub fn reversal_was_shown(&mut self) {
        self.blocked_since = None;
    }

    /// See [`crate::payment::announce`].
    pub fn announce(&mut self, being_given_back: bool, now: Timestamp) {
        if !self.is_paid() {
            self.announced_at = None;
        } else if !being_given_back || planted(Mistake::AnnouncedWhileGivenBack) {
            self.announced_at.get_or_insert(now);
        }
    }

    /// True when only the answer to the authorization brings its code or link to the payer, so that
    /// nobody can have paid an operation in doubt. Codes of other methods may come by another way.
    pub fn is_shown_by_us(&self) -> bool {
        let method = &self.method;
        let by_answer = matches!(
            method,
            PaymentMethodName::Qr | PaymentMethodName::Installment
        );
        by_answer && !self.code_may_be_out
    }

    /// True when it can be paid, though this server showed its code to nobody: the answer to its
    /// authorization came too late.
    pub fn reached_nobody(&self) -> bool {
        let waits = self.state().is_some_and(|state| state.is_waiting());
        waits && !self.live && self.answer.is_none() && self.is_shown_by_us()
    }

    /// From when on a payer who asks for a new code may have this one withdrawn: a while past the
    /// deadline, since a payment that was begun before it may still arrive.
    pub fn overdue_from(&self) -> Timestamp {
        let deadline = self.expires_at().unwrap_or_else(|| {
            // Without a deadline a code would block its order for ever.
            let life = if self.is_shown_by_us() { HOUR } else { DAY };
            self.created_at.saturating_add(life)
        });
        deadline.saturating_add(MINUTE)
    }

    fn expires_at(&self) -> Option<Timestamp> {
        self.transaction()?.expiration_date.as_ref()?.timestamp()
    }

    /// A payer asked for a new code and cannot have one before this operation is known to have
    /// ended.
    pub fn block(&mut self, now: Timestamp) {
        if self.live {
            self.blocked_since.get_or_insert(now);
        }
    }

    /// Since when it blocks its order, if that is long enough for staff to do something about it.
    pub fn long_blocked_since(&self, now: Timestamp) -> Option<Timestamp> {
        let long = |since: &Timestamp| now.duration_since(*since) >= BLOCK_LISTED;
        self.blocked_since.filter(|_| self.live).filter(long)
    }

    /// Releases its order, as two members of staff decided: it is not live any more, and stays
    /// watched.
    pub fn release_block(&mut self) {
        self.live = false;
        self.blocked_since = None;
    }
}

#[cfg(test)]
mod tests;
