//! The ways between the list, the exceptions and operations, also by the address of the page.

use super::Staff;
use crate::staff_state::chips::Chip;
use crate::staff_state::search::Column;
use crate::staff_state::test_data::{details, row, session};
use crate::staff_state::{Answer, Event, Focus, Page, Reference, Request};
use payment_model::TransactionState;
use staff_model::SearchPage;

fn reference(number: &str) -> Reference {
    Reference::of(&row(number))
}

#[test]
fn a_shared_address_opens_its_operation_after_the_sign_in_and_the_way_back_is_the_list() {
    let mut staff = Staff::new();
    staff.does(Event::Shown(Some(reference("1"))));
    staff.hears(Ok(Answer::Session(session("ana"))));
    assert_eq!(staff.state.shown(), Some(&reference("1")));
    let asked = staff.hears(Ok(Answer::Details(Box::new(details(row("1"), 0)))));
    assert_eq!(asked, Request::Details(reference("1")));
    // The list was never asked for.
    staff.does(Event::BackPressed);
    assert_eq!(staff.state.page, Page::Search);
    let page = SearchPage {
        operations: vec![row("1")],
        next_cursor: None,
    };
    assert!(matches!(
        staff.hears(Ok(Answer::Page(page))),
        Request::Search(_)
    ));
}

#[test]
fn an_address_without_an_operation_leads_to_where_the_person_came_from() {
    let mut staff = Staff::on_operation();
    staff.does(Event::Opened(Page::Operation(reference("2"))));
    // The address of before.
    staff.does(Event::Shown(Some(reference("1"))));
    assert_eq!(staff.state.shown(), Some(&reference("1")));
    staff.does(Event::Opened(Page::Operation(reference("2"))));
    staff.does(Event::Shown(None));
    assert_eq!(staff.state.page, Page::Search);
    assert_eq!(staff.state.focus, Some(Focus::Row(reference("2"))));
    staff.does(Event::Opened(Page::Exceptions));
    staff.does(Event::Opened(Page::Operation(reference("1"))));
    staff.does(Event::Shown(None));
    assert_eq!(staff.state.page, Page::Exceptions);
    // Nothing more to leave.
    staff.does(Event::Shown(None));
    assert_eq!(staff.state.page, Page::Exceptions);
}

#[test]
fn a_head_orders_the_list_and_turns_it_and_chips_keep_the_order() {
    let mut staff = Staff::signed_in();
    let asked = |staff: &Staff| match staff.sent.last() {
        Some((_, Request::Search(query))) => query.clone(),
        other => panic!("{other:?}"),
    };
    for (column, sort) in [
        (Column::Amount, "-amount"),
        (Column::Amount, "amount"),
        (Column::Created, ""),
        (Column::Created, "created"),
    ] {
        staff.does(Event::Sorted(column));
        assert_eq!(asked(&staff).sort, sort);
    }
    staff.does(Event::ChipPressed(Chip::Paid));
    let query = asked(&staff);
    assert_eq!(
        (&*query.state, &*query.sort),
        ("AUTORIZADO LIQUIDADO", "created")
    );
    staff.does(Event::ClearPressed);
    let query = asked(&staff);
    assert_eq!((&*query.state, &*query.sort), ("", "created"));
}

#[test]
fn a_reversal_in_doubt_is_followed_until_it_is_known() {
    let known = |state: &str| {
        let mut known = details(row("1"), 0);
        let reversal = serde_json::json!({
            "reversal_id": "v", "state": state, "amount": 1, "at": 0, "detail": ""
        });
        known.reversals = vec![serde_json::from_value(reversal).unwrap()];
        Ok(Answer::Details(Box::new(known)))
    };
    let mut staff = Staff::signed_in();
    staff.does(Event::Opened(Page::Operation(Reference::of(&row("1")))));
    staff.hears(known("in_doubt"));
    staff.passes(staff.wake.unwrap());
    staff.does(Event::Woke);
    assert!(matches!(staff.hears(known("done")), Request::Details(_)));
    assert_eq!(staff.wake, None);
}

#[test]
fn a_payment_that_is_waited_for_is_followed_until_it_came() {
    let known = |state: TransactionState| {
        let mut row = row("1");
        row.state = Some(state);
        Ok(Answer::Details(Box::new(details(row, 0))))
    };
    let mut staff = Staff::signed_in();
    staff.does(Event::Opened(Page::Operation(Reference::of(&row("1")))));
    staff.hears(known(TransactionState::Pending));
    let mut waits = Vec::new();
    for _ in 0..3 {
        let wait = staff.wake.unwrap();
        waits.push(wait);
        staff.passes(wait);
        staff.does(Event::Woke);
        let asked = staff.hears(known(TransactionState::Pending));
        assert!(matches!(asked, Request::Details(_)));
    }
    assert!(waits.is_sorted() && waits[0] < waits[2], "{waits:?}");
    staff.passes(staff.wake.unwrap());
    staff.does(Event::Woke);
    staff.hears(known(TransactionState::Authorized));
    assert_eq!(staff.wake, None);
}
