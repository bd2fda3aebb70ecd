use super::amount::{self, AmountProblem};
use super::permitted_actions::{self, NoRefund};
use super::{Failure, FailureKind, Reference, Request};
use payment_model::{
    Cents, IdempotencyKey, MerchantCode, MerchantOperationNumber, RefundItem, RefundRequest,
    RefundType, TransactionId,
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
    key: Option<IdempotencyKey>,
    /// An earlier request with this key may have been carried out.
    is_unsure: bool,
}

/// One operation of the form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) row: OperationRow,
    /// The amount that is left to refund, in cents. `None` until the server's answer.
    pub(crate) left: Option<Cents>,
    /// Why the server did not say it.
    pub(crate) failure: Option<Failure>,
    /// All that is left, whatever is typed.
    pub(crate) whole: bool,
    pub(crate) typed: String,
    pub(crate) wrong: Option<LineWrong>,
}

/// The mistake in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineWrong {
    Amount(AmountProblem),
    MoreThanIsLeft(Cents),
    OverLimit(Cents),
    CannotBeRefunded(NoRefund),
    /// The amount that is left is not known yet.
    NotLoaded,
    /// The merchant's server refuses.
    Refused(RefundRefusalReason),
}

/// How far the form is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Editing(Option<Failure>),
    /// Amounts and operations are named once more; with what went wrong when it was sent and
    /// certainly not done.
    Confirming(Option<Failure>),
    Sending,
    /// The result is unknown. Only the very same request may be sent again.
    Unsure(Failure),
    Done(Box<StaffRefundResponse>),
}

impl Line {
    fn new(row: OperationRow, left: Option<Cents>) -> Self {
        Self {
            row,
            left,
            failure: None,
            whole: true,
            typed: String::new(),
            wrong: None,
        }
    }

    /// The decimals that the amount is typed with.
    pub(crate) fn decimals(&self) -> u8 {
        amount::decimals(&self.row.currency)
    }

    /// Reads the typed amount, in cents.
    pub(crate) fn cents(&self) -> Result<Cents, AmountProblem> {
        amount::read(&self.typed, self.decimals())
    }

    /// All, if nothing was ever taken of it; else a part, even if it is the whole rest.
    pub(crate) fn kind(&self, cents: Cents) -> RefundType {
        if cents == self.row.amount && self.left == Some(self.row.amount) {
            RefundType::Total
        } else {
            RefundType::Partial
        }
    }

    /// Types the whole amount, so that what is confirmed is what is sent.
    fn type_whole(&mut self) {
        if let Some(left) = self.left.filter(|_| self.whole) {
            self.typed = amount::write(left, self.decimals());
        }
    }

    fn check(&self, limit: Option<Cents>) -> Option<LineWrong> {
        if let Err(why) = permitted_actions::refund(&self.row, self.left, true) {
            return Some(LineWrong::CannotBeRefunded(why));
        }
        if self.left.is_none() {
            return Some(LineWrong::NotLoaded);
        }
        let cents = match self.cents() {
            Ok(cents) => cents,
            Err(problem) => return Some(LineWrong::Amount(problem)),
        };
        match (self.left, limit) {
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
            is_unsure: false,
        }
    }

    /// The form for an operation that is on the screen already.
    pub(crate) fn of(details: &OperationDetails) -> Self {
        Self {
            lines: vec![Line::new(details.row.clone(), Some(details.refundable))],
            step: Step::Editing(None),
            key: None,
            is_unsure: false,
        }
    }

    /// Takes the server's details of a line's operation.
    pub(crate) fn learn(
        &mut self,
        reference: &Reference,
        known: Result<&OperationDetails, &Failure>,
    ) {
        for line in &mut self.lines {
            if Reference::of(&line.row) != *reference {
                continue;
            }
            match known {
                Ok(details) => {
                    line.row = details.row.clone();
                    line.left = Some(details.refundable);
                    line.failure = None;
                    if line.wrong == Some(LineWrong::NotLoaded) {
                        line.wrong = None;
                    }
                }
                Err(failure) => line.failure = Some((*failure).clone()),
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
            line.whole = false;
            line.wrong = None;
        }
    }

    /// All that is left of a line, or the part that is typed.
    pub(crate) fn take(&mut self, at: usize, whole: bool) {
        if self.is_editing()
            && let Some(line) = self.lines.get_mut(at)
        {
            line.whole = whole;
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
    pub(crate) fn review(&mut self, limit: Option<Cents>) -> bool {
        if !self.is_editing() {
            return false;
        }
        // The lines share the limit of the account.
        let mut rest = limit;
        for line in &mut self.lines {
            line.type_whole();
            line.wrong = line.check(rest);
            let cents = line.cents().unwrap_or(Cents::ZERO).get();
            rest = rest.map(|rest| Cents::new(rest.get().saturating_sub(cents)));
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
                refund_amount: cents.into(),
                additional_fields: None,
            })
        });
        let operations = operations.collect::<Option<Vec<_>>>()?;
        let key = self
            .key
            .get_or_insert_with(|| IdempotencyKey::from_entropy(entropy))
            .clone();
        self.step = Step::Sending;
        let body = RefundRequest {
            merchant_code,
            operations,
        };
        Some(Request::Refund(body, key))
    }

    /// Takes what became of it.
    pub(crate) fn settle(&mut self, answer: Result<Box<StaffRefundResponse>, Failure>) {
        let failure = match answer {
            Ok(response) => {
                self.step = Step::Done(response);
                return;
            }
            Err(failure) => failure,
        };
        if failure.kind == FailureKind::RefundRefused {
            for item in &failure.refused {
                let at = usize::try_from(item.index).unwrap_or(usize::MAX);
                if let Some(line) = self.lines.get_mut(at) {
                    line.wrong = Some(match (item.reason, item.left) {
                        (RefundRefusalReason::MoreThanIsLeft, Some(left)) => {
                            line.left = Some(left);
                            LineWrong::MoreThanIsLeft(left)
                        }
                        (RefundRefusalReason::OverLimit, Some(left)) => LineWrong::OverLimit(left),
                        (reason, _) => LineWrong::Refused(reason),
                    });
                }
            }
            // Nothing was sent for any of them, so the corrected form is a new request.
            self.key = None;
            self.is_unsure = false;
            self.step = Step::Editing(Some(failure));
        } else if failure.leaves_unsure(self.is_unsure) {
            self.is_unsure = true;
            self.step = Step::Unsure(failure);
        } else {
            self.is_unsure = false;
            self.step = Step::Confirming(Some(failure));
        }
    }

    /// Begins anew with the refused items as they were typed.
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

    /// True while the request is running. The dialog must not close without a message then.
    pub(crate) fn is_sending(&self) -> bool {
        matches!(self.step, Step::Sending)
    }
}

/// Which items the service refused.
pub(crate) fn refused(results: &[RefundResult]) -> Vec<usize> {
    let refused = |result: &RefundResult| result.attempt.state == AttemptState::Refused;
    (0..results.len())
        .filter(|at| refused(&results[*at]))
        .collect()
}

#[cfg(test)]
mod tests;
