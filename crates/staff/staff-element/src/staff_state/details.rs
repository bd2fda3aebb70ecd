//! The details of operations, the rows of the list that they tell anew, and when the element asks by itself.

use super::operation_page::Due;
use super::{
    Answer, Dialog, Effect, Failure, FailureKind, Page, Purpose, Reference, Request, StaffState,
};
use payment_model::Timestamp;
use staff_model::OperationDetails;
use std::time::Duration;

impl StaffState {
    /// Asks for the operation on the screen. An answer that is awaited about another one still
    /// comes: its row in the list may have changed.
    pub(super) fn load_details(&mut self) {
        if let Some(page) = &mut self.operation {
            page.running = true;
            let reference = page.reference.clone();
            self.news.has_old_page = false;
            self.ask_for_details(reference);
        }
    }

    /// Asks for an operation that is not on the screen, if the list has its row.
    pub(super) fn load_row(&mut self, reference: Reference) {
        if self.search.lists(&reference) {
            self.ask_for_details(reference);
        }
    }

    /// Asks for an operation, in place of an earlier question for it.
    fn ask_for_details(&mut self, reference: Reference) {
        self.abort_where(&|one, asked| {
            *one == Purpose::Details
                && matches!(asked, Request::Details(before) if *before == reference)
        });
        self.send(Purpose::Details, Request::Details(reference));
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
        if let Request::Link(_) = request {
            return self.link_answered(answer);
        }
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

const SECOND: Duration = Duration::from_secs(1);
/// The element does not wake more often than this.
const SHORTEST: Duration = Duration::from_millis(50);

impl StaffState {
    /// Asks about what can change by itself, when that is due.
    pub(super) fn poll(&mut self, at: Timestamp) {
        if !self.is_looked_at() {
            return;
        }
        let Some(page) = &mut self.operation else {
            return;
        };
        let reference = page.reference.clone();
        match page.poll(at) {
            Some(Due::Refunds) => self.send(Purpose::Poll, Request::Refunds(reference)),
            Some(Due::State) => self.load_details(),
            None => {}
        }
    }

    /// Has itself woken when there is something to do.
    pub(super) fn plan_waking(&mut self, at: Timestamp) {
        let page = self.operation.as_ref().filter(|_| self.is_looked_at());
        let due = page.and_then(|page| page.due);
        // The button for a fresh query comes back by itself.
        let free = page.and_then(|page| page.query_free_at(at));
        // The wait that is on the screen goes down, and is over once.
        let dialog = self.dialog.as_ref().and_then(|dialog| dialog.code_form());
        let mut forms = [Some(&self.sign_in.form), dialog].into_iter().flatten();
        let blocked = forms.find_map(|form| form.blocked_for(at));
        let second = blocked.map(|_| at.saturating_add(SECOND));
        let next = [due, free, second, self.news_due(at)]
            .into_iter()
            .flatten()
            .min();
        let wake = next.map(|due| due.duration_since(at).max(SHORTEST));
        self.effects.push(Effect::Wake(wake));
    }

    /// True when a signed-in person looks at an operation.
    fn is_looked_at(&self) -> bool {
        self.hidden.is_none() && matches!(self.page, Page::Operation(_)) && !self.sign_in.asks()
    }
}
