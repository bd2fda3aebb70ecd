//! Ends the request of an attempt: what an answer, a refusal or an unknown outcome changes.
//!
//! An answer may come after another process has put the operation in doubt, and each change may run
//! a second time after a commit whose outcome is unknown. The number of an attempt whose request
//! never left is used again, so a late change could find the row of a later attempt. The token in
//! the callback URL, which belongs to one attempt only, tells them apart.

use super::{Difference, OperationRecord, Phase};
use crate::outgoing::{Outgoing, Progress, RequestEvent, SendFailure};
use crate::service_answers::AmountUnits;
use payment_model::{AuthorizeResponse, Timestamp};
use qr_verdict::{Mismatch, Verdict};

impl OperationRecord {
    /// How far its request is.
    pub fn progress(&self) -> Progress {
        match self.phase {
            Phase::Sending => Progress::Sent,
            Phase::InDoubt => Progress::Unknown,
            Phase::Known => Progress::Done,
            Phase::Refused | Phase::Lost => Progress::NotDone,
        }
    }

    /// The next state of its request after an event; `None` if the event changes nothing.
    pub(super) fn after(&self, event: RequestEvent<'_>) -> Option<Progress> {
        Outgoing::Authorization.next(self.progress(), event)
    }

    /// True when this row is that of the drafted attempt.
    pub fn is_attempt_of(&self, draft: &Self) -> bool {
        self.callback_hash == draft.callback_hash
    }

    /// Stores the answer to the request. True when the payer may have the code, because the answer
    /// came before anything else ended the attempt.
    pub fn authorized(
        &mut self,
        draft: &Self,
        response: &AuthorizeResponse,
        units: AmountUnits,
        now: Timestamp,
    ) -> bool {
        if !self.is_attempt_of(draft) {
            return false;
        }
        match self.phase {
            Phase::Sending => {
                self.register(response, units, now);
            }
            // The answer is stored already: this is a repeated change.
            _ if self.answer.is_some() => return true,
            _ => self.register_late(response, units, now),
        }
        self.plan(now);
        self.answer.is_some()
    }

    /// Ends an attempt that the service refused, or whose request never left. False when something
    /// else ended it before.
    pub fn authorization_refused(
        &mut self,
        draft: &Self,
        why: &str,
        never_left: bool,
        now: Timestamp,
    ) -> bool {
        if !self.is_attempt_of(draft) {
            return false;
        }
        self.failure_note = Some(why.to_owned());
        let on_time = matches!(self.phase, Phase::Sending | Phase::Refused);
        if on_time {
            self.refuse(now);
            self.unsent = never_left || self.unsent;
        }
        on_time
    }

    /// Ends an attempt whose number the service knows, maybe from another installation.
    pub fn number_was_taken(&mut self, draft: &Self, now: Timestamp) {
        let is_open = self.after(RequestEvent::NumberTaken).is_some();
        if self.operation.is_some() || !self.is_attempt_of(draft) || !is_open {
            return;
        }
        self.number_taken_at = Some(now);
        self.failure_note =
            Some("its number was used before, maybe by another installation".to_owned());
        self.refuse(now);
    }

    /// Puts an attempt in doubt: the service may have registered it.
    pub fn authorization_unknown(
        &mut self,
        draft: &Self,
        why: &str,
        answer_mismatch: Option<&str>,
        now: Timestamp,
    ) {
        if !self.is_attempt_of(draft) {
            return;
        }
        let answer_mismatch = answer_mismatch.map(|detail| Difference::new(detail, now));
        // The answer may be stored although the commit reported an error.
        let silence = RequestEvent::Failed(&SendFailure::NoAnswer);
        if self.after(silence).is_none() {
            self.answer_mismatch = self.answer_mismatch.take().or(answer_mismatch);
            return;
        }
        self.answer_mismatch = answer_mismatch;
        self.mark_unknown(why, now);
        self.plan(now);
    }

    /// Ends an attempt whose code reaches nobody, because of what it says. The service has the operation, which is
    /// cancelled as one in doubt. False when something else ended the attempt before.
    pub fn code_refused(&mut self, draft: &Self, code: &Verdict, now: Timestamp) -> bool {
        let on_time = self.phase == Phase::Sending || self.code.as_ref() == Some(code);
        if !self.is_attempt_of(draft) || !on_time {
            return false;
        }
        self.code = Some(code.clone());
        self.code_refused = true;
        self.authorization_unknown(draft, "its code reached nobody", None, now);
        true
    }

    /// Why staff have to look at its code, in a sentence: the code is not for the order, or it reached nobody.
    pub fn wrong_code(&self) -> Option<String> {
        let code = self.code.as_ref()?;
        let is_shown = !self.code_refused;
        let what = match code {
            Verdict::Wrong { mismatch } => match mismatch {
                Mismatch::Checksum => "is damaged: its checksum is wrong",
                Mismatch::Currency => "asks for another currency than the order's",
                Mismatch::Amount => "asks for another amount than the order's",
                Mismatch::SeveralCodes => "has several codes, and not all are the order's",
                Mismatch::Other => "is not for the order",
            },
            Verdict::Unknown if !is_shown => "does not say what it asks for",
            Verdict::Unreadable if !is_shown => "could not be read",
            Verdict::Right { .. } | Verdict::Unknown | Verdict::Unreadable => return None,
        };
        let shown = if is_shown {
            "its payer saw it, as the settings permit"
        } else {
            "nobody saw it, and the server cancels its operation"
        };
        Some(format!("the QR {what}; {shown}"))
    }

    /// Puts an attempt in doubt whose sender stopped, and plans the next poll at once.
    pub fn sender_is_gone(&mut self, now: Timestamp) {
        if self.after(RequestEvent::SenderGone).is_some() {
            self.mark_unknown("the server stopped before the answer came", now);
            self.due_at = Some(now);
        }
    }

    /// Ends an attempt whose request was never sent, although its row may be on disk.
    pub fn void_unsent(&mut self, draft: &Self, now: Timestamp) {
        let unsent = RequestEvent::Failed(&SendFailure::NotSent);
        if self.is_attempt_of(draft) && self.after(unsent).is_some() {
            self.unsent = true;
            self.failure_note = Some("it was never sent".to_owned());
            self.refuse(now);
        }
    }

    fn refuse(&mut self, now: Timestamp) {
        self.phase = Phase::Refused;
        self.live = false;
        self.changed_at = now;
        self.plan(now);
    }

    fn mark_unknown(&mut self, why: &str, now: Timestamp) {
        self.phase = Phase::InDoubt;
        self.live = false;
        self.failure_note = Some(why.to_owned());
        self.changed_at = now;
    }
}

#[cfg(test)]
mod tests {
    use crate::operation::fixture::{authorized, pending, record};
    use crate::operation::{Difference, OperationRecord, Phase};
    use crate::service_answers::AmountUnits;
    use crate::timing::instant;

    fn other() -> OperationRecord {
        OperationRecord {
            callback_hash: "another attempt".to_owned(),
            ..record()
        }
    }

    fn doubtful() -> OperationRecord {
        let mut record = record();
        record.authorization_unknown(
            &super::super::fixture::record(),
            "silence",
            None,
            instant(1),
        );
        record
    }

    fn is_shown(record: &mut OperationRecord) -> bool {
        let draft = crate::operation::fixture::record();
        record.authorized(&draft, &authorized(), AmountUnits::Cents, instant(5))
    }

    #[test]
    fn an_answer_in_time_is_the_payers_and_a_repeated_change_says_so_again() {
        let mut on_time = record();
        assert!(is_shown(&mut on_time));
        assert!(on_time.live && on_time.answer.is_some() && on_time.due_at.is_some());
        let stored = on_time.clone();
        let later = instant(9000);
        let (draft, response) = (record(), authorized());
        assert!(on_time.authorized(&draft, &response, AmountUnits::Cents, later));
        assert_eq!(on_time, stored);
    }

    #[test]
    fn a_late_answer_says_what_can_be_withdrawn_and_is_no_payers() {
        let mut late = doubtful();
        assert!(!is_shown(&mut late));
        assert!(!late.live && late.answer.is_none());
        assert!(late.transaction_id().is_some());
    }

    #[test]
    fn a_refusal_in_time_is_final_and_a_late_one_changes_only_the_reason() {
        let mut on_time = record();
        assert!(on_time.authorization_refused(&record(), "no", false, instant(5)));
        assert_eq!((on_time.phase, on_time.live), (Phase::Refused, false));
        assert_eq!((on_time.changed_at, on_time.unsent), (instant(5), false));
        assert!(on_time.authorization_refused(&record(), "no", false, instant(5)));
        let mut late = doubtful();
        assert!(!late.authorization_refused(&record(), "no", false, instant(5)));
        assert_eq!(late.phase, Phase::InDoubt);
        assert_eq!(late.failure_note.as_deref(), Some("no"));
        let mut unsent = record();
        assert!(unsent.authorization_refused(&record(), "no network", true, instant(5)));
        assert!(unsent.unsent);
    }

    #[test]
    fn a_taken_number_ends_a_doubt_too_and_no_known_operation() {
        for mut open in [record(), doubtful()] {
            open.number_was_taken(&record(), instant(5));
            assert_eq!((open.phase, open.live), (Phase::Refused, false));
            assert_eq!(open.number_taken_at, Some(instant(5)));
        }
        let mut known = pending();
        known.number_was_taken(&record(), instant(5));
        assert_eq!(known, pending());
    }

    #[test]
    fn silence_is_a_doubt_that_frees_the_order_and_keeps_a_stored_answer() {
        let doubt = doubtful();
        assert_eq!((doubt.phase, doubt.live), (Phase::InDoubt, false));
        assert_eq!(doubt.failure_note.as_deref(), Some("silence"));
        assert!(doubt.due_at.is_some_and(|at| at > instant(1)));
        let mut known = pending();
        known.authorization_unknown(&record(), "silence", Some("first"), instant(5));
        known.authorization_unknown(&record(), "silence", Some("second"), instant(6));
        assert_eq!(known.phase, Phase::Known);
        assert_eq!(
            known.answer_mismatch,
            Some(Difference::new("first", instant(5)))
        );
    }

    #[test]
    fn an_attempt_whose_sender_is_gone_is_in_doubt_and_due() {
        let mut gone = record();
        gone.sender_is_gone(instant(5));
        assert_eq!((gone.phase, gone.live), (Phase::InDoubt, false));
        assert_eq!(gone.due_at, Some(instant(5)));
        let mut known = pending();
        known.sender_is_gone(instant(5));
        assert_eq!(known, pending());
    }

    #[test]
    fn an_unsent_attempt_is_refused_and_its_number_is_free() {
        let mut unsent = record();
        unsent.void_unsent(&record(), instant(5));
        assert_eq!((unsent.phase, unsent.unsent), (Phase::Refused, true));
        let mut known = pending();
        known.void_unsent(&record(), instant(5));
        assert_eq!(known, pending());
    }

    #[test]
    fn the_end_of_another_attempt_changes_nothing() {
        let mut row = record();
        let (draft, now) = (other(), instant(5));
        assert!(!row.authorized(&draft, &authorized(), AmountUnits::Cents, now));
        assert!(!row.authorization_refused(&draft, "no", true, now));
        row.number_was_taken(&draft, now);
        row.authorization_unknown(&draft, "silence", Some("amount"), now);
        row.void_unsent(&draft, now);
        assert_eq!(row, record());
    }
}
