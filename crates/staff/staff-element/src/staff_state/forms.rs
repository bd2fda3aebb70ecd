//! The smaller forms: cancel or reverse, give a reason, record a return.

use super::amount::{self, AmountProblem};
use super::{Failure, FailureKind, Intent, Reference, Request, permitted_actions};
use payment_model::{CancelResponse, IdempotencyKey};
use staff_model::{
    EndReturn, Exception, ManualReturn, OperationRow, OrderRelease, RecordReturn, RefundAttempt,
    ReleaseAttempt, ReleaseOrder, ReleaseReversal, ResolveException, Reversal,
};

/// How far a form is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Submission<T> {
    /// It is filled in; with what went wrong when it was sent.
    Open(Option<Failure>),
    Sending,
    Done(T),
}

impl Default for Submission<()> {
    fn default() -> Self {
        Self::Open(None)
    }
}

impl<T> Submission<T> {
    /// Not compared by `==`, for which a whole answer would have to be compared.
    pub(crate) fn is_sending(&self) -> bool {
        matches!(self, Self::Sending)
    }

    pub(crate) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Open(failure) => failure.as_ref(),
            _ => None,
        }
    }
}

/// The question before an operation is cancelled or reversed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CancelForm {
    pub(crate) row: OperationRow,
    pub(crate) intent: Intent,
    pub(crate) typed: String,
    pub(crate) submission: Submission<Box<CancelResponse>>,
}

impl CancelForm {
    pub(crate) fn new(row: OperationRow, intent: Intent) -> Self {
        Self {
            row,
            intent,
            typed: String::new(),
            submission: Submission::Open(None),
        }
    }

    /// True when the form may be sent. To give a payment back, a person must type its number first.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.intent == Intent::Cancel
            || self.typed.trim() == permitted_actions::confirmation(&self.row)
    }

    /// True when only a query at the service can tell the result of the action or the current
    /// state.
    pub(crate) fn wants_a_query(&self) -> bool {
        self.submission.failure().is_some_and(|failure| {
            failure.is_uncertain() || failure.kind == FailureKind::OperationPaid
        })
    }

    pub(crate) fn send(&mut self) -> Option<Request> {
        if !matches!(self.submission, Submission::Open(_))
            || !self.is_confirmed()
            || self.wants_a_query()
        {
            return None;
        }
        self.submission = Submission::Sending;
        Some(Request::Cancel(Reference::of(&self.row), self.intent))
    }
}

/// The subject that a person gives a reason for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Subject {
    /// An attempt whose amount is given free.
    Release(Box<(RefundAttempt, OperationRow)>),
    /// A reversal whose amount is given free.
    ReleaseReversal(Box<(Reversal, OperationRow)>),
    /// An order that its operation blocks.
    ReleaseOrder(Box<OperationRow>),
    /// A return that was made.
    MadeReturn(Box<(ManualReturn, OperationRow)>),
    /// A return that is not made.
    GiveUpReturn(Box<(ManualReturn, OperationRow)>),
    /// An exception that is dealt with.
    Resolve(Box<Exception>),
}

impl Subject {
    /// The operation of the list of exceptions that it is about.
    pub(super) fn exception(&self) -> Option<&OperationRow> {
        match self {
            Self::ReleaseOrder(row) => Some(row),
            Self::Resolve(exception) => Some(&exception.operation),
            Self::Release(_)
            | Self::ReleaseReversal(_)
            | Self::MadeReturn(_)
            | Self::GiveUpReturn(_) => None,
        }
    }
}

/// A form that wants a reason.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReasonForm {
    pub(crate) subject: Subject,
    pub(crate) reason: String,
    pub(crate) empty: bool,
    /// At the end, whether an order is free, where it was about one.
    pub(crate) submission: Submission<Option<OrderRelease>>,
}

impl ReasonForm {
    pub(crate) fn new(subject: Subject) -> Self {
        Self {
            subject,
            reason: String::new(),
            empty: false,
            submission: Submission::Open(None),
        }
    }

    pub(crate) fn send(&mut self) -> Option<Request> {
        if !matches!(self.submission, Submission::Open(_)) {
            return None;
        }
        let reason = self.reason.trim().to_owned();
        self.empty = reason.is_empty();
        if self.empty {
            return None;
        }
        self.submission = Submission::Sending;
        Some(match &self.subject {
            Subject::Release(released) => {
                Request::Release(released.0.attempt_id.clone(), ReleaseAttempt { reason })
            }
            Subject::ReleaseReversal(released) => {
                let id = released.0.reversal_id.clone();
                Request::ReleaseReversal(id, ReleaseReversal { reason })
            }
            Subject::ReleaseOrder(row) => {
                Request::ReleaseOrder(Reference::of(row), ReleaseOrder { reason })
            }
            Subject::MadeReturn(made) => {
                Request::MadeReturn(made.0.return_id.clone(), EndReturn { reason })
            }
            Subject::GiveUpReturn(left) => {
                Request::GiveUpReturn(left.0.return_id.clone(), EndReturn { reason })
            }
            Subject::Resolve(exception) => Request::Resolve(ResolveException {
                merchant_code: exception.operation.merchant_code.clone(),
                merchant_operation_number: exception.operation.merchant_operation_number.clone(),
                kind: exception.kind,
                reason,
            }),
        })
    }
}

/// A return of money outside of the service, to reserve before it leaves, or to record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReturnForm {
    pub(crate) row: OperationRow,
    pub(crate) typed: String,
    pub(crate) reason: String,
    /// The money has left.
    pub(crate) already_made: bool,
    pub(crate) wrong: Option<AmountProblem>,
    pub(crate) empty: bool,
    pub(crate) submission: Submission<()>,
    /// The sent request, while it runs or its outcome is unknown.
    sent: Option<Request>,
    is_unsure: bool,
}

impl ReturnForm {
    pub(crate) fn new(row: OperationRow) -> Self {
        Self {
            row,
            typed: String::new(),
            reason: String::new(),
            already_made: false,
            wrong: None,
            empty: false,
            submission: Submission::Open(None),
            sent: None,
            is_unsure: false,
        }
    }

    /// True while the typed text can still be changed. It cannot while the server may have recorded
    /// it.
    pub(crate) fn is_open(&self) -> bool {
        self.sent.is_none() && matches!(self.submission, Submission::Open(_))
    }

    pub(crate) fn send(&mut self, entropy: u128) -> Option<Request> {
        if !matches!(self.submission, Submission::Open(_)) {
            return None;
        }
        if self.sent.is_none() {
            let amount = amount::read(&self.typed, amount::decimals(&self.row.currency));
            let reason = self.reason.trim().to_owned();
            self.wrong = amount.err();
            self.empty = reason.is_empty();
            let amount = amount.ok().filter(|_| !self.empty)?;
            let record = RecordReturn {
                merchant_code: self.row.merchant_code.clone(),
                merchant_operation_number: self.row.merchant_operation_number.clone(),
                amount,
                reason,
                already_made: self.already_made,
            };
            self.sent = Some(Request::Return(
                record,
                IdempotencyKey::from_entropy(entropy),
            ));
        }
        self.submission = Submission::Sending;
        self.sent.clone()
    }

    pub(crate) fn settle(&mut self, answer: Result<(), Failure>) {
        self.submission = match answer {
            Ok(()) => Submission::Done(()),
            Err(failure) => {
                self.is_unsure = failure.leaves_unsure(self.is_unsure);
                if !self.is_unsure {
                    self.sent = None;
                }
                Submission::Open(Some(failure))
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{CancelForm, ReturnForm, Submission};
    use crate::staff_state::test_data::row;
    use crate::staff_state::{FailureKind, Intent};

    #[test]
    fn a_payment_is_reversed_only_after_its_number_was_typed() {
        let mut form = CancelForm::new(row("482193017756"), Intent::Reverse);
        assert_eq!(form.send(), None);
        form.typed = "7755".to_owned();
        assert_eq!(form.send(), None);
        form.typed = " 7756 ".to_owned();
        assert!(form.send().is_some());
        assert_eq!(form.send(), None);
        let mut form = CancelForm::new(row("482193017756"), Intent::Cancel);
        assert!(form.send().is_some());
        // It is paid now: what was to be a cancellation must not become a reversal.
        form.submission = Submission::Open(Some(FailureKind::OperationPaid.into()));
        assert!(form.wants_a_query());
        assert_eq!(form.send(), None);
    }

    #[test]
    fn a_return_is_recorded_once() {
        let mut form = ReturnForm::new(row("1"));
        form.typed = "10.001".to_owned();
        assert_eq!(form.send(1), None);
        assert!(form.wrong.is_some() && form.empty);
        form.typed = "10".to_owned();
        form.reason = " by hand ".to_owned();
        let first = form.send(2);
        assert!(first.is_some() && form.send(3).is_none());
        form.settle(Err(FailureKind::Network.into()));
        assert!(!form.is_open());
        assert_eq!(form.send(4), first);
        // These say nothing of the first request.
        for kind in [FailureKind::SignInRequired, FailureKind::BadRequest] {
            form.settle(Err(kind.into()));
            assert!(!form.is_open());
            assert_eq!(form.send(4), first);
        }
        form.settle(Err(FailureKind::ReturnRefused.into()));
        assert!(form.is_open());
        assert_ne!(form.send(5), first);
    }
}
