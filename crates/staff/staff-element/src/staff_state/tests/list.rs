//! The list behind the details: after an action its rows have the server's new data.

use super::Staff;
use crate::staff_state::permitted_actions::Way;
use crate::staff_state::test_data::{details, row, session};
use crate::staff_state::{Answer, Ask, Event, FailureKind, Field, Page, Press, Reference, Request};
use payment_model::{CancelResponse, Outcome, Timestamp, TransactionState};
use staff_model::{
    Exception, ExceptionKind, Exceptions, OperationDetails, OperationRow, SearchPage,
};
use std::rc::Rc;

/// The operation after its payment was given back.
fn reversed(number: &str) -> OperationRow {
    OperationRow {
        state: Some(TransactionState::Reversed),
        outcome: Some(Outcome::Reversed),
        ..row(number)
    }
}

fn told(details: OperationDetails) -> Result<Answer, super::Failure> {
    Ok(Answer::Details(Box::new(details)))
}

impl Staff {
    fn listed(&self) -> Vec<OperationRow> {
        let chunks = self.state.search.chunks.iter();
        chunks
            .flat_map(|chunk| chunk.rows.iter().cloned())
            .collect()
    }

    /// Reverses the operation on the screen. Any answer will do.
    fn reverses(&mut self) {
        let paid = OperationRow {
            state: Some(TransactionState::Authorized),
            ..row("1")
        };
        self.does(Event::Opened(Page::Operation(Reference::of(&paid))));
        self.hears(told(details(paid, 0)));
        self.does(Event::Asked(Ask::GiveBack(Way::Reverse)));
        self.types(Field::Confirmation, "1");
        self.does(Event::DialogPressed(Press::On));
        assert!(matches!(self.sent[..], [(_, Request::Cancel(..))]));
    }
}

fn answer() -> Result<Answer, super::Failure> {
    let answer: CancelResponse = serde_json::from_value(serde_json::json!({
        "success": true, "action": "cancel", "merchant_code": "100000001",
        "operation": {
            "merchant_operation_number": "1", "state": "EXTORNADO", "amount": "10000",
            "currency": "604", "transactions": []
        },
        "meta": null
    }))
    .unwrap();
    Ok(Answer::Cancel(Box::new(answer)))
}

#[test]
fn the_list_shows_what_became_of_an_operation_on_its_page() {
    let mut staff = Staff::signed_in();
    staff.does(Event::Selected(0, 1));
    let before = Rc::clone(&staff.state.search.chunks[0].rows);
    staff.reverses();
    staff.hears(answer());
    staff.hears(told(details(reversed("1"), 0)));
    staff.does(Event::Closed);
    staff.hears(told(details(reversed("1"), 0)));
    staff.does(Event::BackPressed);
    assert!(staff.sent.is_empty());
    assert_eq!(staff.listed(), [reversed("1"), row("2")]);
    assert_eq!(staff.state.search.selected(), [&row("2")]);
    // The page of the list is drawn anew because it is another one, and not without need.
    let after = Rc::clone(&staff.state.search.chunks[0].rows);
    assert!(!Rc::ptr_eq(&before, &after));
    staff.does(Event::Opened(Page::Operation(Reference::of(&row("1")))));
    staff.hears(told(details(reversed("1"), 0)));
    assert!(Rc::ptr_eq(&after, &staff.state.search.chunks[0].rows));
}

#[test]
fn the_list_follows_also_after_an_answer_that_was_lost() {
    let mut staff = Staff::signed_in();
    staff.reverses();
    staff.hears(Err(FailureKind::Timeout.into()));
    // A person who goes back at once does not see the old row for long.
    staff.does(Event::Closed);
    staff.does(Event::BackPressed);
    assert_ne!(staff.listed(), [reversed("1"), row("2")]);
    staff.hears(told(details(reversed("1"), 0)));
    assert_eq!(staff.listed(), [reversed("1"), row("2")]);
}

#[test]
fn the_answer_about_an_operation_that_was_left_is_still_for_the_list() {
    let mut staff = Staff::signed_in();
    staff.reverses();
    staff.hears(answer());
    staff.does(Event::Closed);
    staff.does(Event::Opened(Page::Operation(Reference::of(&row("2")))));
    assert_eq!(staff.sent.len(), 2);
    staff.hears(told(details(reversed("1"), 0)));
    let page = staff.state.operation.as_ref();
    assert!(page.is_some_and(|page| page.running && page.details.is_none()));
    staff.hears(told(details(row("2"), 10_000)));
    assert_eq!(staff.listed(), [reversed("1"), row("2")]);
}

#[test]
fn the_list_follows_also_when_an_exception_is_resolved() {
    let flagged = |number: &str| OperationRow {
        exceptions: vec![ExceptionKind::PaidLate],
        ..row(number)
    };
    let exception = |number: &str| Exception {
        kind: ExceptionKind::PaidLate,
        since: Timestamp::from_millis(0),
        detail: String::new(),
        operation: flagged(number),
    };
    let mut staff = Staff::new();
    staff.hears(Ok(Answer::Session(session("ana"))));
    staff.hears(Ok(Answer::Page(SearchPage {
        operations: vec![flagged("1"), row("2")],
        next_cursor: None,
    })));
    staff.does(Event::Opened(Page::Exceptions));
    staff.hears(Ok(Answer::Exceptions(Exceptions {
        counts: vec![],
        exceptions: vec![exception("1"), exception("3")],
    })));
    // An operation that the search did not find is not asked about.
    for (number, asked) in [("1", 2), ("3", 1)] {
        staff.does(Event::Asked(Ask::Resolve(
            Rc::new(exception(number)),
            String::new(),
        )));
        staff.types(Field::Reason, "delivered");
        staff.does(Event::DialogPressed(Press::On));
        staff.hears(Ok(Answer::Nothing));
        assert_eq!(staff.sent.len(), asked, "{number}");
        staff.hears(Ok(Answer::Exceptions(Exceptions {
            exceptions: vec![],
            counts: vec![],
        })));
        if asked == 2 {
            staff.hears(told(details(row("1"), 0)));
        }
    }
    staff.does(Event::BackPressed);
    assert!(staff.sent.is_empty());
    assert_eq!(staff.listed(), [row("1"), row("2")]);
}

#[test]
fn other_operations_of_the_order_are_told_too() {
    let mut staff = Staff::signed_in();
    let mut known = details(row("1"), 10_000);
    known.order.operations.push(reversed("2"));
    // An operation that the search did not find stays out of its list.
    known.order.operations.push(reversed("3"));
    staff.does(Event::Opened(Page::Operation(Reference::of(&row("1")))));
    staff.hears(told(known));
    assert_eq!(staff.listed(), [row("1"), reversed("2")]);
}

#[test]
fn back_leads_to_the_list_as_it_was_left() {
    let mut staff = Staff::on_operation();
    let other = Page::Operation(Reference::of(&row("2")));
    staff.does(Event::Opened(other));
    staff.hears(Err(FailureKind::NotFound.into()));
    staff.does(Event::BackPressed);
    staff.hears(Ok(Answer::Details(Box::new(details(row("1"), 10_000)))));
    staff.does(Event::BackPressed);
    assert_eq!(
        (&staff.state.page, staff.state.search.count()),
        (&Page::Search, 2)
    );
    assert!(staff.sent.is_empty());
    staff.does(Event::BackPressed);
    assert_eq!(staff.state.page, Page::Search);
}
