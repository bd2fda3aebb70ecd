//! Answers that disagree with each other: a payment that was given back, in answers that do not say
//! so, and answers that contradict the stored state or themselves, or are not the order's.

use super::OperationRecord;
use super::late_answers::QuestionContext;
use super::show_payer::ends_unpaid;
use super::transition::{ContradictionWithin, Verdict};
use payment_model::{
    DateObject, LifecycleEntry, Outcome, Timestamp, Transaction, TransactionState,
};
use serde::{Deserialize, Serialize};

/// The first answer that contradicted the stored state or itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    /// When the answer was stored.
    pub at: Timestamp,
    /// The contradiction, in a sentence for staff.
    pub detail: String,
}

impl OperationRecord {
    pub(super) fn note_contradiction(&mut self, detail: String, now: Timestamp) {
        let first = Contradiction { at: now, detail };
        self.contradiction.get_or_insert(first);
    }

    pub(super) fn contradicted_at(&self) -> Option<Timestamp> {
        self.contradiction.as_ref().map(|one| one.at)
    }

    /// True while the service's answers disagree about this payment. No money may be given back on
    /// the ground of its state meanwhile.
    pub fn is_disputed(&self) -> bool {
        self.reversal_seen_at.is_some() || self.contradiction.is_some()
    }

    /// True for an operation that ended without a payment, while an answer that contradicts itself leaves open whether
    /// it was paid after all.
    pub fn may_be_paid_after_all(&self) -> bool {
        ends_unpaid(self) && self.contradiction.is_some()
    }

    /// True while only one answer has said that a reversed payment is in force.
    pub fn may_be_paid_again(&self) -> bool {
        self.outcome() == Some(Outcome::Reversed) && self.contradiction.is_some()
    }

    /// Compares the stored state with an answer that may not replace it; `None` if it does after all,
    /// because it is the second one that says that a reversed payment is in force. `within` is its own contradiction.
    pub(super) fn compare(
        &mut self,
        stored: &Transaction,
        answered: &Transaction,
        within: Option<&ContradictionWithin>,
        question: &QuestionContext,
        now: Timestamp,
    ) -> Option<Verdict> {
        // A late answer describes the time before the stored state.
        if !question.knew_state(self) {
            return Some(Verdict::Overtaken);
        }
        if let Some(within) = within {
            // A payment that was given back is in force again only if transactions say so.
            if stored.outcome() == Some(Outcome::Reversed) && !within.says_paid {
                return Some(Verdict::Overtaken);
            }
            self.note_contradiction(within.detail.clone(), now);
            return Some(Verdict::Contradicts);
        }
        let (was, is) = (stored.outcome(), answered.outcome());
        // An answer without a history calls a reversal a cancellation.
        let agrees = was == is || (was, is) == (Some(Outcome::Reversed), Some(Outcome::Cancelled));
        if agrees {
            self.contradiction = None;
            return Some(Verdict::Believed);
        }
        let unknown = is.is_none() && !answered.state.is_waiting();
        let contradicts = match was {
            // A cancellation may be a reversal, which a second answer has to confirm.
            Some(Outcome::Paid) => is != Some(Outcome::Cancelled) && !unknown,
            Some(Outcome::Reversed) => is == Some(Outcome::Paid),
            _ => false,
        };
        if !contradicts {
            return Some(Verdict::Overtaken);
        }
        if self.may_be_paid_again() && question.asks_again_about_contradiction(self) {
            self.paid_again_at = Some(now);
            // Staff decide whether the order is delivered after all.
            self.paid_late_at = Some(now);
            return None;
        }
        let (is, was) = (&answered.state, &stored.state);
        self.note_contradiction(
            format!("the payment service answered {is} after {was}"),
            now,
        );
        Some(Verdict::Contradicts)
    }
}

impl OperationRecord {
    /// Recognizes a reversal in an answer that says that a paid operation is canceled, and does not
    /// say that it was paid. The payment was given back, unless the answer is late and describes
    /// the time before the payment. Two answers of which the second was requested after the first
    /// cannot both be late.
    pub(super) fn read_reversal(
        &mut self,
        next: &mut Transaction,
        question: &QuestionContext,
        now: Timestamp,
    ) {
        let knew = question.knew_state(self);
        match next.outcome() {
            Some(Outcome::Paid) if knew => self.reversal_seen_at = None,
            Some(Outcome::Cancelled) if knew => match self.reversal_seen_at {
                Some(_) if question.asks_again_about_reversal(self) => {
                    next.lifecycle = self.reversed_lifecycle(next, now);
                    self.reversal_seen_at = None;
                }
                Some(_) => {}
                None => self.reversal_seen_at = Some(now),
            },
            _ => {}
        }
    }

    /// The lifecycle of a reversed payment, for answers without one. Without a paid entry, browsers
    /// would show *canceled*.
    fn reversed_lifecycle(&self, next: &Transaction, now: Timestamp) -> Vec<LifecycleEntry> {
        let mut entries = Vec::new();
        if let Some(stored) = self.transaction() {
            entries.clone_from(&stored.lifecycle);
            if !entries.iter().any(|entry| entry.state.is_paid()) {
                entries.push(LifecycleEntry {
                    state: stored.state.clone(),
                    date: DateObject::from_timestamp(self.changed_at),
                });
            }
        }
        let told = next.lifecycle.iter().rev();
        let mut told = told.filter(|entry| entry.state == TransactionState::Cancelled);
        entries.push(told.next().cloned().unwrap_or_else(|| LifecycleEntry {
            state: TransactionState::Cancelled,
            date: DateObject::from_timestamp(now),
        }));
        entries
    }
}

/// A difference between an answer and the order, or between the money given back and the payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// When it was found first.
    pub at: Timestamp,
    /// What differs, in a sentence in English for staff.
    pub detail: String,
}

impl Difference {
    /// A difference that is found now.
    pub fn new(detail: impl Into<String>, now: Timestamp) -> Self {
        Self {
            at: now,
            detail: detail.into(),
        }
    }

    fn renewed(known: Option<Self>, detail: String, now: Timestamp) -> Self {
        // A purge has emptied the sentence of an earlier time.
        let same = known.filter(|known| known.detail == detail || known.detail.is_empty());
        let at = same.map_or(now, |known| known.at);
        Self { at, detail }
    }
}

impl OperationRecord {
    pub(super) fn note_mismatch(&mut self, detail: String, now: Timestamp) {
        let known = self.answer_mismatch.take();
        self.answer_mismatch = Some(Difference::renewed(known, detail, now));
    }

    /// Stores [`Ledger::excess`](crate::ledger::Ledger::excess), which is `None` without an excess.
    pub(crate) fn note_excess(&mut self, detail: Option<String>, now: Timestamp) {
        let known = self.excess.take();
        self.excess = detail.map(|detail| Difference::renewed(known, detail, now));
    }
}

#[cfg(test)]
mod tests {
    use crate::operation::fixture::{
        apply, apply_asked, operation, pending, reading, transaction, with_state,
    };
    use crate::operation::{OperationRecord, QuestionContext, Verdict};
    use crate::service_answers::AmountUnits;
    use crate::timing::instant;
    use payment_model::{DateObject, MerchantCode, Outcome};
    use serde_json::{Value, json};

    /// A paid operation after two queries that answered this.
    fn asked_twice(paid: &[&str], answer: &Value) -> OperationRecord {
        let mut record = pending();
        apply(&mut record, &transaction("AUTORIZADO", paid), instant(10));
        for at in [20, 30] {
            assert_eq!(record.outcome(), Some(Outcome::Paid));
            apply(&mut record, answer, instant(at));
        }
        record
    }

    fn history(record: &OperationRecord) -> Vec<(&str, &DateObject)> {
        let entries = record.transaction().unwrap().lifecycle.iter();
        entries
            .map(|entry| (entry.state.as_str(), &entry.date))
            .collect()
    }

    #[test]
    fn the_history_of_a_reversal_has_the_payment_and_the_cancellation() {
        let paid_at = DateObject::from_timestamp(instant(10));
        let seen_at = DateObject::from_timestamp(instant(30));
        let told = transaction("CANCELADO", &["PENDIENTE"])["lifecycle"][0]["date"].clone();
        let told: DateObject = serde_json::from_value(told).unwrap();
        // Neither answer has a history.
        let bare = asked_twice(&[], &transaction("CANCELADO", &[]));
        assert_eq!(
            history(&bare),
            [("AUTORIZADO", &paid_at), ("CANCELADO", &seen_at)]
        );
        // The stored history lacks the payment.
        let unpaid = asked_twice(&["PENDIENTE"], &transaction("CANCELADO", &["PENDIENTE"]));
        assert_eq!(
            history(&unpaid),
            [
                ("PENDIENTE", &told),
                ("AUTORIZADO", &paid_at),
                ("CANCELADO", &seen_at)
            ]
        );
        // The stored history has it, and the answer tells when it was canceled: the last time.
        let mut answer = transaction("CANCELADO", &["CANCELADO", "CANCELADO", "PENDIENTE"]);
        answer["lifecycle"][1]["date"] = json!({"unix_time": 2});
        let last: DateObject = serde_json::from_value(json!({"unix_time": 2})).unwrap();
        let whole = asked_twice(&["PENDIENTE", "AUTORIZADO"], &answer);
        assert_eq!(
            history(&whole),
            [
                ("PENDIENTE", &told),
                ("AUTORIZADO", &told),
                ("CANCELADO", &last)
            ]
        );
        for record in [bare, unpaid, whole] {
            assert_eq!(record.outcome(), Some(Outcome::Reversed));
            assert_eq!(record.reversal_seen_at, None);
        }
    }

    #[test]
    fn an_answer_about_the_time_before_the_payment_neither_reports_nor_denies_a_reversal() {
        let canceled = transaction("CANCELADO", &[]);
        let paid = transaction("AUTORIZADO", &[]);
        let mut record = pending();
        let asked =
            |record: &OperationRecord| QuestionContext::query(record, None, reading(instant(0)));
        let before = asked(&record);
        apply(&mut record, &paid, instant(10));
        apply_asked(&mut record, &canceled, &before, instant(11));
        assert_eq!(record.reversal_seen_at, None);
        let since = asked(&record);
        apply_asked(&mut record, &canceled, &since, instant(13));
        assert_eq!(record.reversal_seen_at, Some(instant(13)));
        apply_asked(&mut record, &paid, &before, instant(14));
        assert_eq!(record.reversal_seen_at, Some(instant(13)));
        apply_asked(&mut record, &paid, &since, instant(15));
        assert_eq!(record.reversal_seen_at, None);
    }

    fn apply_within(record: &mut OperationRecord, state: &str, within: &str, at: i64) -> Verdict {
        let mut answer = operation(&transaction(state, &[]));
        answer.state = within.into();
        let question = QuestionContext::query(record, None, reading(instant(at)));
        let code = MerchantCode::new("shop");
        record.apply_answer(&code, &answer, AmountUnits::Cents, &question, instant(at))
    }

    #[test]
    fn an_operation_that_ended_otherwise_than_its_transaction_is_believed_neither_way() {
        let waits = ["REGISTRADO", "PENDIENTE"];
        let paid = ["AUTORIZADO", "LIQUIDADO"];
        let unpaid = ["DENEGADO", "INVALIDO", "CANCELADO", "EXPIRADO", "EXTORNADO"];
        // What waits, is absent or is unknown says nothing.
        let silent = [&waits[..], &["", "NUEVO"]].concat();
        let pairs = |within: &[&'static str], states: &[&'static str]| {
            let within = within.iter();
            let pairs = within.flat_map(|one| states.iter().map(move |state| (*one, *state)));
            pairs.collect::<Vec<_>>()
        };
        let all = [&waits[..], &paid, &unpaid].concat();
        let agree = [
            pairs(&silent, &all),
            pairs(&paid, &paid),
            pairs(&unpaid, &unpaid),
        ];
        for (within, state) in agree.concat() {
            let mut record = pending();
            let verdict = apply_within(&mut record, state, within, 1);
            assert!(record.contradiction.is_none(), "{within} {state}");
            assert_eq!(verdict, Verdict::Believed, "{within} {state}");
        }
        let disagree = [
            pairs(&paid, &[&waits[..], &unpaid].concat()),
            pairs(&unpaid, &[&waits[..], &paid].concat()),
        ];
        for (within, state) in disagree.concat() {
            let mut record = pending();
            let verdict = apply_within(&mut record, state, within, 1);
            assert_eq!(verdict, Verdict::Contradicts, "{within} {state}");
            assert_eq!(record.outcome(), None, "{within} {state}");
            assert!(!record.state().unwrap().is_waiting(), "{within} {state}");
            assert!(record.blocked_since.is_some() && record.is_disputed());
            // The code is there again once the answers agree.
            assert_eq!(
                apply_within(&mut record, "PENDIENTE", "PENDIENTE", 2),
                Verdict::Believed
            );
            assert_eq!(
                record.transaction().unwrap().processor_response,
                pending().transaction().unwrap().processor_response
            );
            assert!(record.blocked_since.is_none() && !record.is_disputed());
            // What is known stays, and the contradiction is seen.
            for known in ["AUTORIZADO", "EXPIRADO"] {
                let mut record = with_state(known, instant(1));
                apply_within(&mut record, state, within, 2);
                assert_eq!(record.state().unwrap().as_str(), known, "{within} {state}");
                assert!(record.is_disputed(), "{known} {within} {state}");
            }
        }
    }

    #[test]
    fn what_ended_unpaid_may_be_paid_until_its_answers_agree_and_a_reversal_stays() {
        let mut expired = with_state("EXPIRADO", instant(1));
        let verdict = apply_within(&mut expired, "AUTORIZADO", "EXPIRADO", 2);
        assert_eq!(verdict, Verdict::Contradicts);
        assert!(expired.may_be_paid_after_all());
        assert_eq!(
            apply_within(&mut expired, "AUTORIZADO", "AUTORIZADO", 3),
            Verdict::Believed
        );
        assert!(expired.is_paid() && !expired.may_be_paid_after_all());
        // Only two answers that say paid make a reversed payment one that is in force again.
        let mut reversed = with_state("EXTORNADO", instant(1));
        apply_within(&mut reversed, "EXTORNADO", "AUTORIZADO", 2);
        assert!(!reversed.may_be_paid_again());
        apply_within(&mut reversed, "AUTORIZADO", "AUTORIZADO", 3);
        assert_eq!(reversed.outcome(), Some(Outcome::Reversed));
        assert!(reversed.may_be_paid_again());
    }

    #[test]
    fn a_waiting_operation_that_is_canceled_needs_no_second_answer() {
        let mut record = pending();
        apply(&mut record, &transaction("CANCELADO", &[]), instant(1));
        assert_eq!(record.outcome(), Some(Outcome::Cancelled));
        assert_eq!(record.reversal_seen_at, None);
    }
}
