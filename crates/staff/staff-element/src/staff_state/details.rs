//! The details of operations, and the rows of the list that they tell anew.

use super::{Answer, Dialog, Failure, FailureKind, Purpose, Reference, Request, StaffState};
use payment_model::Timestamp;
use staff_model::OperationDetails;

impl StaffState {
    /// Asks for the operation on the screen. An answer that is awaited about another one still
    /// comes: its row in the list may have changed.
    pub(super) fn load_details(&mut self) {
        if let Some(page) = &mut self.operation {
            page.running = true;
            let request = Request::Details(page.reference.clone());
            self.abort_where(&|one, asked| *one == Purpose::Details && *asked == request);
            self.send(Purpose::Details, request);
        }
    }

    /// Asks for an operation that is not on the screen, if the list has its row.
    pub(super) fn load_row(&mut self, reference: Reference) {
        if self.search.lists(&reference) {
            let request = Request::Details(reference);
            self.abort_where(&|one, asked| *one == Purpose::Details && *asked == request);
            self.send(Purpose::Details, request);
        }
    }

    pub(super) fn details_answered(
        &mut self,
        at: Timestamp,
        request: &Request,
        answer: Result<Answer, Failure>,
    ) {
        let Request::Details(reference) = request else {
            return;
        };
        let details = self.told(answer);
        if let Some(page) = &mut self.operation
            && page.reference == *reference
        {
            page.take_details(at, details);
        }
    }

    pub(super) fn line_answered(&mut self, request: &Request, answer: Result<Answer, Failure>) {
        let details = self.told(answer);
        if let (Some(Dialog::Refund(form)), Request::Details(reference)) =
            (&mut self.dialog, request)
        {
            form.learn(reference, details.as_deref());
        }
    }

    /// The details; the list has their rows from now on.
    fn told(&mut self, answer: Result<Answer, Failure>) -> Result<Box<OperationDetails>, Failure> {
        match answer? {
            Answer::Details(details) => {
                self.search.renew(&details.row);
                for row in &details.order.operations {
                    self.search.renew(row);
                }
                Ok(details)
            }
            _ => Err(FailureKind::Unreadable.into()),
        }
    }
}
