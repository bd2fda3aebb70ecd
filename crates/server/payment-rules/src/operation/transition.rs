//! Applies the service's answers to a stored operation, whose state only goes forward.

use super::late_answers::QuestionContext;
use super::show_payer::being_confirmed;
use super::{OperationKey, OperationRecord, Phase};
use crate::fingerprint;
use crate::service_answers::AmountUnits;
use payment_model::{
    Amount, AuthorizeResponse, Currency, MerchantCode, Operation, Outcome, ProcessorResponse,
    Timestamp, Transaction, TransactionId, TransactionState,
};

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It was believed, and its state is stored.
    Believed,
    /// It describes the time before the stored state, or may not replace that. It changed nothing.
    Overtaken,
    /// It was believed and contradicts the stored state, which is kept, or itself.
    Contradicts,
    /// Its amount, currency, number or merchant is not the order's, so it is not believed.
    Mismatch,
    /// It has no transaction of this operation, so it proves nothing.
    NoTransaction,
}

impl Verdict {
    /// True for an answer about this operation that has the amount of its order.
    pub fn is_believed(self) -> bool {
        match self {
            Self::Believed | Self::Overtaken | Self::Contradicts => true,
            Self::Mismatch | Self::NoTransaction => false,
        }
    }

    /// True for such an answer that contradicts neither itself nor what is stored. Only it shows that a request in
    /// doubt has had no effect.
    pub fn tells_state(self) -> bool {
        self.is_believed() && self != Self::Contradicts
    }
}

/// A contradiction between the states of an operation and of its transaction.
#[derive(Debug)]
pub struct ContradictionWithin {
    /// A sentence for staff.
    pub(super) detail: String,
    /// The transaction is paid, by itself.
    pub(super) says_paid: bool,
}

impl ContradictionWithin {
    /// An operation that waits says nothing, since it may follow its transaction late, and an absent or unknown
    /// state neither.
    fn of(operation: &TransactionState, transaction: &TransactionState) -> Option<Self> {
        let says_paid = transaction.is_paid();
        let differs = transaction.is_waiting() || operation.is_paid() != says_paid;
        (operation.is_final() && differs).then(|| Self {
            detail: format!(
                "the payment service answered {transaction} in an operation that is {operation}"
            ),
            says_paid,
        })
    }
}

impl OperationRecord {
    /// Stores the answer to the authorize request. A paid state in it is stored as registered until
    /// a query confirms it.
    pub fn register(
        &mut self,
        response: &AuthorizeResponse,
        units: AmountUnits,
        now: Timestamp,
    ) -> Verdict {
        let transaction = &response.transaction;
        let found = self.difference(
            &response.merchant_code,
            response.merchant_operation_number.as_str(),
            units,
            &[(&transaction.amount, &transaction.currency)],
        );
        // An operation that cannot be queried could be paid without ever being confirmed.
        let found = found.or_else(|| {
            (!can_be_asked(&transaction.transaction_id))
                .then(|| "answered without a usable transaction id".to_owned())
        });
        if let Some(difference) = found {
            self.note_mismatch(difference, now);
            return Verdict::Mismatch;
        }
        let mut kept = transaction.clone();
        kept.amount = Amount::from_cents(self.amount);
        kept.remove_callback_url(&self.callback_hash);
        let mut answer = response.clone();
        answer.transaction = kept.clone();
        if !kept.state.is_waiting() && kept.state != TransactionState::Invalid {
            kept.state = TransactionState::Registered;
        }
        self.live = kept.state.is_waiting();
        self.phase = Phase::Known;
        self.operation = Some(Operation {
            merchant_operation_number: self.key.number.clone(),
            state: kept.state.clone(),
            created_at: kept.lifecycle.first().map(|entry| entry.date.clone()),
            amount: kept.amount.clone(),
            currency: kept.currency.clone(),
            transactions: vec![kept],
        });
        self.answer = Some(answer);
        self.changed_at = now;
        Verdict::Believed
    }

    /// Stores an answer to the authorize request that came after the operation was put in doubt.
    /// Its transaction is needed to withdraw the operation. The payer does not get its code,
    /// because the payer may have another one by now.
    pub fn register_late(
        &mut self,
        response: &AuthorizeResponse,
        units: AmountUnits,
        now: Timestamp,
    ) {
        // The answer to a query or a cancellation is newer.
        if self.operation.is_none() {
            self.register(response, units, now);
            self.live = false;
            self.answer = None;
        }
    }

    /// The transaction of this operation in an answer. If the operation's own state contradicts it, its state is
    /// unknown, and the contradiction is in the second place.
    pub fn answered(
        &self,
        answered: &Operation,
    ) -> Option<(Transaction, Option<ContradictionWithin>)> {
        let found = match self.transaction_id() {
            Some(id) => answered.transaction(id),
            None => answered.transactions.first(),
        };
        let mut transaction = found?.clone();
        let contradiction = ContradictionWithin::of(&answered.state, &transaction.state);
        if contradiction.is_some() {
            transaction.state = being_confirmed();
        }
        Some((transaction, contradiction))
    }

    /// Applies the answer to a query or a cancellation.
    pub fn apply_answer(
        &mut self,
        merchant_code: &MerchantCode,
        answered: &Operation,
        units: AmountUnits,
        question: &QuestionContext,
        now: Timestamp,
    ) -> Verdict {
        let Some((mut next, contradiction)) = self.answered(answered) else {
            self.note_unanswered("an answer without a transaction of this operation", now);
            return Verdict::NoTransaction;
        };
        let amounts = [
            (&answered.amount, &answered.currency),
            (&next.amount, &next.currency),
        ];
        let number = answered.merchant_operation_number.as_str();
        if let Some(difference) = self.difference(merchant_code, number, units, &amounts) {
            self.note_mismatch(difference, now);
            self.block(now);
            return Verdict::Mismatch;
        }
        self.unanswered = None;
        self.watch_ended_at = None;
        // The amount is that of the order. Payers get cents, whatever the unit of the service's
        // answers.
        next.amount = Amount::from_cents(self.amount);
        next.remove_callback_url(&self.callback_hash);
        next.remove_picture();
        if self.is_paid() {
            self.read_reversal(&mut next, question, now);
        }
        if let Some(stored) = self.transaction().cloned() {
            if !may_follow(&stored, &next)
                && let Some(verdict) =
                    self.compare(&stored, &next, contradiction.as_ref(), question, now)
            {
                return verdict;
            }
            next.keep_from(&stored);
        }
        let verdict = match &contradiction {
            Some(_) => Verdict::Contradicts,
            None => Verdict::Believed,
        };
        let state = match contradiction {
            Some(within) => {
                self.note_contradiction(within.detail, now);
                next.state.clone()
            }
            None => {
                self.contradiction = None;
                answered.state.clone()
            }
        };
        let before = self.state().cloned();
        let created_at = answered
            .created_at
            .clone()
            .or_else(|| self.operation.as_ref()?.created_at.clone());
        if before.as_ref() != Some(&next.state) {
            self.changed_at = now;
        }
        let given_up = !self.live && matches!(self.phase, Phase::Known | Phase::Refused);
        if given_up && next.outcome() == Some(Outcome::Paid) && !self.is_paid() {
            self.paid_late_at = Some(now);
        }
        if (self.live || self.is_held()) && next.outcome() == Some(Outcome::Reversed) {
            // The payer has to see the reversal before there is another code.
            self.blocked_since.get_or_insert(now);
        }
        self.live = self.live && !next.state.is_final();
        if next.outcome().is_none() && !next.state.is_waiting() {
            self.block(now);
        } else if next.state.is_waiting() && self.overdue_from() > now {
            // The code can be paid again, so it blocks the order only from the next request for
            // another code.
            self.blocked_since = None;
        }
        self.phase = Phase::Known;
        self.operation = Some(Operation {
            merchant_operation_number: self.key.number.clone(),
            state,
            created_at,
            amount: Amount::from_cents(self.amount),
            currency: answered.currency.clone(),
            transactions: vec![next],
        });
        verdict
    }

    /// True for an answer about this operation, with its amount and currency, and with one
    /// transaction.
    pub fn is_ours(
        &self,
        merchant_code: &MerchantCode,
        answered: &Operation,
        units: AmountUnits,
    ) -> bool {
        let [transaction] = answered.transactions.as_slice() else {
            return false;
        };
        let amounts = [
            (&answered.amount, &answered.currency),
            (&transaction.amount, &transaction.currency),
        ];
        let number = answered.merchant_operation_number.as_str();
        self.difference(merchant_code, number, units, &amounts)
            .is_none()
    }

    /// The difference between an answer and the order, in a sentence for staff.
    fn difference(
        &self,
        merchant_code: &MerchantCode,
        number: &str,
        units: AmountUnits,
        amounts: &[(&Amount, &Currency)],
    ) -> Option<String> {
        let answered = OperationKey::new(merchant_code.as_str(), number);
        if answered != self.key {
            return Some(format!(
                "answered for operation {number:?} of merchant {merchant_code:?}"
            ));
        }
        let ours = Currency::new(self.currency.clone());
        amounts.iter().find_map(|(amount, currency)| {
            if !currency.same_as(&ours) {
                return Some(format!("answered currency {currency:?} instead of {ours}"));
            }
            let same = units.cents(amount, currency) == Some(self.amount);
            (!same).then(|| {
                format!(
                    "answered amount {amount:?} instead of {} cents",
                    self.amount
                )
            })
        })
    }
}

/// The longest id that fits into an address; the ids of the service are much shorter.
const MAX_TRANSACTION_ID_BYTES: usize = 1024;

/// True when a transaction's id fits into the address of a query.
pub fn can_be_asked(id: &TransactionId) -> bool {
    let id = id.as_str();
    !matches!(id, "" | "." | "..")
        && id.len() <= MAX_TRANSACTION_ID_BYTES
        && !id.contains(char::is_control)
}

/// True when a transaction of an answer may replace the stored one: a result is only corrected
/// (unpaid to paid, paid to reversed), and nothing goes back to waiting.
fn may_follow(stored: &Transaction, next: &Transaction) -> bool {
    use TransactionState::{Authorized, Pending, Registered, Settled};
    match (stored.outcome(), next.outcome()) {
        (None, None) => !(stored.state == Pending && next.state == Registered),
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (Some(was), Some(is)) if was == is => {
            !(stored.state == Settled && next.state == Authorized)
        }
        (Some(was), Some(is)) => was.may_become(is),
    }
}

/// The changes that are made to a transaction before it is stored.
trait Kept {
    /// Removes the echo of the callback URL, whose token browsers do not need. Depending on the
    /// merchant's settings, the service sends it under any name.
    fn remove_callback_url(&mut self, callback_hash: &str);
    /// Removes the picture of a QR: only that of the answer to the authorization was read before anybody sees it.
    fn remove_picture(&mut self);
    /// Keeps the code to pay with, which answers may leave out while the operation waits.
    fn keep_from(&mut self, stored: &Transaction);
}

impl Kept for Transaction {
    fn remove_callback_url(&mut self, callback_hash: &str) {
        if let Some(details) = &mut self.payment_method.method_details {
            details.0.remove("callback_url");
            details
                .0
                .retain(|_, value| !holds_token(value, callback_hash));
        }
    }

    fn remove_picture(&mut self) {
        let told = self.processor_response.as_ref();
        if let Some(serde_json::Value::Object(mut told)) = told.map(ProcessorResponse::to_value)
            && told.remove("qr_image").is_some()
        {
            let method = &self.payment_method.method_name;
            self.processor_response = Some(ProcessorResponse::read(method, told.into()));
        }
    }

    fn keep_from(&mut self, stored: &Transaction) {
        if self.state.is_final() {
            return;
        }
        self.continue_url = self
            .continue_url
            .take()
            .or_else(|| stored.continue_url.clone());
        // A date that cannot be read does not replace one that can.
        self.expiration_date = self
            .expiration_date
            .take()
            .filter(|date| date.timestamp().is_some())
            .or_else(|| stored.expiration_date.clone());
        let told = stored
            .processor_response
            .as_ref()
            .map(ProcessorResponse::to_value);
        let tells = self
            .processor_response
            .as_ref()
            .map(ProcessorResponse::to_value);
        let both = match (told, tells) {
            (Some(serde_json::Value::Object(mut told)), Some(serde_json::Value::Object(tells))) => {
                told.extend(tells.into_iter().filter(|(_, value)| !value.is_null()));
                Some(serde_json::Value::Object(told))
            }
            (told, None | Some(serde_json::Value::Null)) => told,
            (_, tells) => tells,
        };
        let method = &self.payment_method.method_name;
        self.processor_response = both.map(|value| ProcessorResponse::read(method, value));
    }
}

/// True when a value holds an address that ends in the token of this hash.
fn holds_token(value: &serde_json::Value, hash: &str) -> bool {
    use serde_json::Value;
    match value {
        Value::String(text) => text
            .rsplit_once('/')
            .is_some_and(|(_, token)| fingerprint(token) == hash),
        Value::Array(values) => values.iter().any(|value| holds_token(value, hash)),
        Value::Object(fields) => fields.values().any(|value| holds_token(value, hash)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests;
