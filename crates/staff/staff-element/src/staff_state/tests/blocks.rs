//! Orders that are blocked, and the two people who give them free.

use super::Staff;
use crate::staff_state::forms::{ReasonForm, Submission};
use crate::staff_state::test_data::row;
use crate::staff_state::{
    Announcement, Answer, Ask, Dialog, Event, FailureKind, Field, Page, Press, Reference, Request,
};
use payment_model::Timestamp;
use staff_model::{Exception, ExceptionKind, Exceptions, OrderRelease, Permission, ReleaseOrder};
use std::rc::Rc;

fn blocked() -> Exception {
    Exception {
        kind: ExceptionKind::Blocked,
        since: Timestamp::default(),
        detail: String::new(),
        operation: row("1"),
    }
}

impl Staff {
    fn on_exceptions() -> Self {
        let mut staff = Self::signed_in();
        staff.does(Event::Opened(Page::Exceptions));
        staff.hears(Ok(Answer::Exceptions(Exceptions {
            counts: vec![],
            exceptions: vec![blocked()],
        })));
        staff
    }

    fn asks_to_release(&mut self, reason: &str) {
        self.does(Event::Asked(Ask::ReleaseOrder(Rc::new(blocked()))));
        self.types(Field::Reason, reason);
        self.does(Event::DialogPressed(Press::On));
    }

    fn reason_form(&self) -> &ReasonForm {
        match &self.state.dialog {
            Some(Dialog::Reason(form)) => form,
            other => panic!("{other:?}"),
        }
    }

    fn announcement(&self) -> Option<&Announcement> {
        self.state
            .announcement
            .as_ref()
            .map(|(_, announcement)| announcement)
    }
}

#[test]
fn an_order_is_given_free_with_a_reason_and_the_outcome_is_read_before_the_dialog_goes() {
    let mut staff = Staff::on_exceptions();
    staff.asks_to_release(" ");
    assert!(staff.reason_form().empty && staff.sent.is_empty());
    staff.does(Event::Closed);
    staff.hears(Ok(Answer::Exceptions(Exceptions {
        counts: vec![],
        exceptions: vec![blocked()],
    })));
    for (released, announcement) in [
        (false, Announcement::OrderAsked),
        (true, Announcement::OrderReleased),
    ] {
        staff.asks_to_release(" waits at the counter ");
        staff.does(Event::DialogPressed(Press::On));
        assert_eq!(staff.sent.len(), 1);
        // On its way it cannot be closed.
        staff.does(Event::Closed);
        let request = staff.hears(Ok(Answer::Order(OrderRelease { released })));
        let reason = "waits at the counter".to_owned();
        let expected = Request::ReleaseOrder(Reference::of(&row("1")), ReleaseOrder { reason });
        assert_eq!(request, expected);
        assert_eq!(request.address().path(), "/operations/100000001/1/release");
        let outcome = Submission::Done(Some(OrderRelease { released }));
        assert_eq!(staff.reason_form().submission, outcome);
        assert_eq!(staff.announcement(), Some(&announcement));
        let read = staff.hears(Err(FailureKind::NotFound.into()));
        assert_eq!(read, Request::Details(Reference::of(&row("1"))));
        staff.does(Event::DialogPressed(Press::On));
        assert!(staff.sent.is_empty());
        // The list behind may be another one by now.
        staff.does(Event::Closed);
        assert!(staff.state.dialog.is_none());
        let read = staff.hears(Ok(Answer::Exceptions(Exceptions {
            counts: vec![],
            exceptions: vec![blocked()],
        })));
        assert_eq!(read, Request::Exceptions);
    }
}

#[test]
fn a_refusal_to_give_an_order_free_is_told_and_the_reason_stays() {
    for kind in [FailureKind::SecondPerson, FailureKind::NotBlocked] {
        let mut staff = Staff::on_exceptions();
        staff.asks_to_release("waits");
        staff.hears(Err(kind.into()));
        let form = staff.reason_form();
        assert_eq!(
            form.submission.failure().map(|failure| failure.kind),
            Some(kind)
        );
        assert_eq!(form.reason, "waits");
        assert_eq!(staff.announcement(), Some(&Announcement::Failed));
        staff.does(Event::Closed);
        assert!(matches!(staff.sent[..], [(_, Request::Exceptions)]));
    }
}

#[test]
fn behind_the_outcome_the_operation_is_read_anew() {
    let mut staff = Staff::on_operation();
    staff.asks_to_release("waits");
    staff.hears(Ok(Answer::Order(OrderRelease { released: true })));
    assert!(staff.state.dialog.is_some());
    assert!(matches!(staff.sent[..], [(_, Request::Details(_))]));
}

#[test]
fn nobody_gives_an_order_free_who_may_not_cancel() {
    let mut staff = Staff::on_exceptions();
    staff.state.offer(vec![Permission::Refund]);
    let ask = Event::Asked(Ask::ReleaseOrder(Rc::new(blocked())));
    staff.does(ask.clone());
    assert!(staff.state.dialog.is_none());
    staff.state.offer(vec![Permission::Cancel]);
    staff.does(ask);
    assert!(staff.state.dialog.is_some());
}
