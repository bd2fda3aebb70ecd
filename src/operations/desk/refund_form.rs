use super::ability::{self, NoRefund};
use super::amount::{self, AmountProblem};
use super::{Reference, Request, Trouble, TroubleKind};
use payment_model::{
    Amount, Currency, MerchantCode, MerchantOperationNumber, RefundItem, RefundRequest, RefundType,
    TransactionId,
};
use staff_model::{
    AttemptState, OperationDetails, OperationRow, RefundRefusalReason, RefundResult,
    StaffRefundResponse,
};

/// How many operations one form refunds at most: what a person can check before confirming.
pub(crate) const MOST: usize = 20;

/// A refund of one operation or several, from typing to its results.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RefundForm {
    pub(crate) lines: Vec<Line>,
    pub(crate) step: Step,
    /// Made when the form is confirmed and sent with every repetition of it, so that it is one
    /// refund however often it is sent.
    key: Option<String>,
}

/// One operation of the form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) row: OperationRow,
    /// What is left to refund, in cents; `None` until the server said it.
    pub(crate) left: Option<u64>,
    /// Why the server did not say it.
    pub(crate) trouble: Option<Trouble>,
    pub(crate) typed: String,
    pub(crate) wrong: Option<LineWrong>,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineWrong {
    Amount(AmountProblem),
    MoreThanIsLeft(u64),
    OverLimit(u64),
    CannotBeRefunded(NoRefund),
    /// What is left is not known yet.
    NotLoaded,
    /// The merchant's server says no.
    Refused(RefundRefusalReason),
}

/// How far the form is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Editing(Option<Trouble>),
    /// Amounts and operations are named once more; with what went wrong when it was sent and
    /// certainly not done.
    Confirming(Option<Trouble>),
    Sending,
    /// Whether it was done is unknown: only the very same request may be sent again.
    Unsure(Trouble),
    Done(Box<StaffRefundResponse>),
}

impl Line {
    fn new(row: OperationRow, left: Option<u64>) -> Self {
        Self {
            row,
            left,
            trouble: None,
            typed: String::new(),
            wrong: None,
        }
    }

    /// The decimals that the amount is typed with.
    pub(crate) fn decimals(&self) -> u8 {
        let iso = Currency::new(self.row.currency.as_str()).iso();
        iso.and_then(|iso| iso.minor_digits).unwrap_or(2)
    }

    /// What is typed, in cents.
    pub(crate) fn cents(&self) -> Result<u64, AmountProblem> {
        amount::read(&self.typed, self.decimals())
    }

    /// All, if nothing was ever taken of it; else a part, even if it is the whole rest.
    pub(crate) fn kind(&self, cents: u64) -> RefundType {
        if cents == self.row.amount && self.left == Some(self.row.amount) {
            RefundType::Total
        } else {
            RefundType::Partial
        }
    }

    fn check(&self, limit: Option<u64>) -> Option<LineWrong> {
        if let Err(why) = ability::refund(&self.row, self.left, true) {
            return Some(LineWrong::CannotBeRefunded(why));
        }
        let cents = match self.cents() {
            Ok(cents) => cents,
            Err(problem) => return Some(LineWrong::Amount(problem)),
        };
        match (self.left, limit) {
            (None, _) => Some(LineWrong::NotLoaded),
            (Some(left), _) if cents > left => Some(LineWrong::MoreThanIsLeft(left)),
            (_, Some(limit)) if cents > limit => Some(LineWrong::OverLimit(limit)),
            _ => None,
        }
    }
}

impl RefundForm {
    /// A form for these operations, all of one merchant code.
    pub(crate) fn new(rows: Vec<OperationRow>) -> Self {
        Self {
            lines: rows.into_iter().map(|row| Line::new(row, None)).collect(),
            step: Step::Editing(None),
            key: None,
        }
    }

    /// The form for an operation that is on the screen already.
    pub(crate) fn of(details: &OperationDetails) -> Self {
        Self {
            lines: vec![Line::new(details.row.clone(), Some(details.refundable))],
            step: Step::Editing(None),
            key: None,
        }
    }

    /// Takes what the server knows of a line's operation.
    pub(crate) fn take(
        &mut self,
        reference: &Reference,
        known: Result<&OperationDetails, &Trouble>,
    ) {
        for line in &mut self.lines {
            if Reference::of(&line.row) != *reference {
                continue;
            }
            match known {
                Ok(details) => {
                    line.row = details.row.clone();
                    line.left = Some(details.refundable);
                    line.trouble = None;
                    if line.wrong == Some(LineWrong::NotLoaded) {
                        line.wrong = None;
                    }
                }
                Err(trouble) => line.trouble = Some((*trouble).clone()),
            }
        }
    }

    fn is_editing(&self) -> bool {
        matches!(self.step, Step::Editing(_))
    }

    pub(crate) fn type_amount(&mut self, at: usize, text: String) {
        if self.is_editing()
            && let Some(line) = self.lines.get_mut(at)
        {
            line.typed = text;
            line.wrong = None;
        }
    }

    /// Types all that is left.
    pub(crate) fn take_all(&mut self, at: usize) {
        if self.is_editing()
            && let Some(line) = self.lines.get_mut(at)
            && let Some(left) = line.left
        {
            line.typed = amount::write(left, line.decimals());
            line.wrong = None;
        }
    }

    /// Takes an operation out of the form; the last one stays.
    pub(crate) fn drop_line(&mut self, at: usize) {
        if self.is_editing() && self.lines.len() > 1 && at < self.lines.len() {
            self.lines.remove(at);
        }
    }

    /// Goes on to the confirmation, unless something is wrong; whether it did.
    pub(crate) fn review(&mut self, limit: Option<u64>) -> bool {
        if !self.is_editing() {
            return false;
        }
        for line in &mut self.lines {
            line.wrong = line.check(limit);
        }
        let sound = self.lines.iter().all(|line| line.wrong.is_none());
        if sound {
            self.step = Step::Confirming(None);
        }
        sound
    }

    /// Goes back from the confirmation.
    pub(crate) fn edit(&mut self) {
        if matches!(self.step, Step::Confirming(_)) {
            self.step = Step::Editing(None);
            // Nothing was done with it, and another amount is another refund.
            self.key = None;
        }
    }

    /// The request, once however often it is pressed; a repetition is the same request.
    pub(crate) fn send(&mut self, entropy: u128) -> Option<Request> {
        if !matches!(self.step, Step::Confirming(_) | Step::Unsure(_)) {
            return None;
        }
        let first = self.lines.first()?;
        let merchant_code = MerchantCode::new(first.row.merchant_code.as_str());
        let operations = self.lines.iter().map(|line| {
            let cents = line.cents().ok()?;
            Some(RefundItem {
                kind: line.kind(cents),
                merchant_operation_number: MerchantOperationNumber::new(
                    line.row.merchant_operation_number.as_str(),
                ),
                transaction_id: line.row.transaction_id.as_deref().map(TransactionId::new),
                refund_amount: Amount::from_cents(cents),
                additional_fields: None,
            })
        });
        let operations = operations.collect::<Option<Vec<_>>>()?;
        let key = self.key.get_or_insert_with(|| key(entropy)).clone();
        self.step = Step::Sending;
        let body = RefundRequest {
            merchant_code,
            operations,
        };
        Some(Request::Refund(body, key))
    }

    /// Takes what became of it.
    pub(crate) fn settle(&mut self, answer: Result<Box<StaffRefundResponse>, Trouble>) {
        let trouble = match answer {
            Ok(response) => {
                self.step = Step::Done(response);
                return;
            }
            Err(trouble) => trouble,
        };
        if trouble.kind == TroubleKind::RefundRefused {
            for item in &trouble.refused {
                let at = usize::try_from(item.index).unwrap_or(usize::MAX);
                if let Some(line) = self.lines.get_mut(at) {
                    if item.left.is_some() {
                        line.left = item.left;
                    }
                    line.wrong = Some(match (item.reason, item.left) {
                        (RefundRefusalReason::MoreThanIsLeft, Some(left)) => {
                            LineWrong::MoreThanIsLeft(left)
                        }
                        (reason, _) => LineWrong::Refused(reason),
                    });
                }
            }
            // Nothing was sent for any of them: what is corrected is another request.
            self.key = None;
            self.step = Step::Editing(Some(trouble));
        } else if trouble.kind.is_uncertain() {
            self.step = Step::Unsure(trouble);
        } else {
            self.step = Step::Confirming(Some(trouble));
        }
    }

    /// Begins anew with what was refused, as it was typed.
    pub(crate) fn correct(&mut self) {
        let Step::Done(response) = &self.step else {
            return;
        };
        let refused = refused(&response.results);
        let mut at = 0..;
        self.lines
            .retain(|_| at.next().is_some_and(|at| refused.contains(&at)));
        self.step = Step::Editing(None);
        self.key = None;
    }

    /// Whether it must not be closed without a word: it is on its way.
    pub(crate) fn is_sending(&self) -> bool {
        self.step == Step::Sending
    }
}

/// Which items the service refused.
pub(crate) fn refused(results: &[RefundResult]) -> Vec<usize> {
    let refused = |result: &RefundResult| result.attempt.state == AttemptState::Refused;
    (0..results.len())
        .filter(|at| refused(&results[*at]))
        .collect()
}

/// 128 random bits as text.
pub(crate) fn key(entropy: u128) -> String {
    let mut key = String::with_capacity(32);
    for byte in entropy.to_be_bytes() {
        for nibble in [byte >> 4, byte & 15] {
            key.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::{LineWrong, RefundForm, Step};
    use crate::operations::desk::amount::AmountProblem;
    use crate::operations::desk::fixture::{details, row};
    use crate::operations::desk::{Request, Trouble, TroubleKind};
    use payment_model::RefundType;
    use staff_model::{
        AttemptState, RefundAttempt, RefundRefusalItem, RefundRefusalReason, RefundResult,
        StaffRefundResponse,
    };

    fn form(left: u64, typed: &str) -> RefundForm {
        let mut form = RefundForm::of(&details(row("1"), left));
        form.type_amount(0, typed.to_owned());
        form
    }

    fn sent(form: &mut RefundForm, entropy: u128) -> (payment_model::RefundRequest, String) {
        match form.send(entropy) {
            Some(Request::Refund(body, key)) => (body, key),
            other => panic!("{other:?}"),
        }
    }

    fn response(states: &[AttemptState]) -> Box<StaffRefundResponse> {
        let results = states.iter().map(|state| RefundResult {
            merchant_operation_number: "1".to_owned(),
            attempt: RefundAttempt {
                attempt_id: "a".to_owned(),
                state: *state,
                kind: RefundType::Partial,
                amount: 1,
                staff: "ana".to_owned(),
                at: 0,
                refund_id: None,
                detail: String::new(),
                messages: Vec::new(),
                released_by: None,
            },
        });
        Box::new(StaffRefundResponse {
            success: "true".to_owned(),
            action: "refund".to_owned(),
            merchant_code: "100000001".into(),
            operations: Vec::new(),
            meta: payment_model::Meta::default(),
            results: results.collect(),
        })
    }

    #[test]
    fn the_exact_rest_is_accepted_and_one_cent_more_and_zero_are_not() {
        let check = |left, typed, limit, wrong: Option<LineWrong>| {
            let mut form = form(left, typed);
            assert_eq!(form.review(limit), wrong.is_none(), "{typed}");
            assert_eq!(form.lines[0].wrong, wrong, "{typed}");
        };
        check(6_999, "69.99", None, None);
        check(6_999, "69,99", Some(6_999), None);
        check(6_999, "70", None, Some(LineWrong::MoreThanIsLeft(6_999)));
        check(
            6_999,
            "0.00",
            None,
            Some(LineWrong::Amount(AmountProblem::Zero)),
        );
        check(
            6_999,
            "69.99",
            Some(6_998),
            Some(LineWrong::OverLimit(6_998)),
        );
        check(
            6_999,
            "",
            None,
            Some(LineWrong::Amount(AmountProblem::Empty)),
        );
    }

    #[test]
    fn all_is_a_total_refund_and_the_rest_is_a_part() {
        let kind = |left, all: bool| {
            let mut form = form(left, "10");
            if all {
                form.take_all(0);
            }
            assert!(form.review(None));
            let item = sent(&mut form, 1).0.operations.remove(0);
            (item.kind, item.refund_amount.as_str().to_owned())
        };
        assert_eq!(kind(10_000, true), (RefundType::Total, "10000".to_owned()));
        assert_eq!(
            kind(10_000, false),
            (RefundType::Partial, "1000".to_owned())
        );
        assert_eq!(kind(6_999, true), (RefundType::Partial, "6999".to_owned()));
    }

    #[test]
    fn two_fast_presses_are_one_request_and_a_repetition_is_the_same() {
        let mut form = form(10_000, "10");
        assert_eq!(form.send(1), None);
        assert!(form.review(None));
        let first = sent(&mut form, 1);
        assert_eq!(form.send(2), None);
        form.settle(Err(TroubleKind::Timeout.into()));
        assert!(matches!(form.step, Step::Unsure(_)));
        // It may have been done: another amount would be another refund.
        form.edit();
        form.type_amount(0, "20".to_owned());
        assert_eq!(sent(&mut form, 3), first);
        form.settle(Err(TroubleKind::SignInRequired.into()));
        assert_eq!(sent(&mut form, 4), first);
        form.settle(Err(TroubleKind::SignInRequired.into()));
        form.edit();
        assert!(form.review(None));
        assert_ne!(sent(&mut form, 5).1, first.1);
    }

    #[test]
    fn what_was_typed_stays_when_it_is_refused() {
        let mut form = form(10_000, "10");
        assert!(form.review(None));
        let first = sent(&mut form, 1);
        form.settle(Err(Trouble {
            refused: vec![RefundRefusalItem {
                index: 0,
                merchant_operation_number: "1".to_owned(),
                reason: RefundRefusalReason::MoreThanIsLeft,
                left: Some(500),
            }],
            ..TroubleKind::RefundRefused.into()
        }));
        assert_eq!(form.lines[0].typed, "10");
        assert_eq!(form.lines[0].wrong, Some(LineWrong::MoreThanIsLeft(500)));
        form.take_all(0);
        assert!(form.review(None));
        let second = sent(&mut form, 2);
        assert_eq!(second.0.operations[0].refund_amount.as_str(), "500");
        assert_ne!(second.1, first.1);
    }

    #[test]
    fn only_what_the_service_refused_is_corrected() {
        let mut form = RefundForm::new(vec![row("1"), row("2"), row("3")]);
        for number in ["1", "2", "3"] {
            let details = details(row(number), 10_000);
            let reference = super::Reference::of(&details.row);
            form.take(&reference, Ok(&details));
        }
        for at in 0..3 {
            form.type_amount(at, format!("{}", at + 1));
        }
        assert!(form.review(None));
        assert_eq!(sent(&mut form, 1).0.operations.len(), 3);
        let states = [
            AttemptState::Registered,
            AttemptState::Refused,
            AttemptState::InDoubt,
        ];
        form.settle(Ok(response(&states)));
        form.correct();
        assert_eq!((form.lines.len(), form.lines[0].typed.as_str()), (1, "2"));
        assert_eq!(form.step, Step::Editing(None));
    }

    #[test]
    fn nothing_is_sent_before_what_is_left_is_known() {
        let mut form = RefundForm::new(vec![row("1")]);
        form.type_amount(0, "1".to_owned());
        assert!(!form.review(None));
        assert_eq!(form.lines[0].wrong, Some(LineWrong::NotLoaded));
    }
}
