//! A new code that must not be paid any more, since the payment on the old one arrived late.

use crate::expires::overdue;
use crate::support::page::{Page, minutes, seconds};
use checkout_flow::Event;
use payment_model::{Outcome, TransactionState};

/// The old code is paid; the new one never expires.
fn paid_late(prepare: impl FnOnce(&mut Page)) -> Page {
    let mut page = overdue();
    page.server.lifetime = None;
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    prepare(&mut page);
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
    page
}

#[test]
fn a_server_that_refuses_is_asked_thirty_times_and_then_no_more() {
    let mut page = paid_late(|page| page.server.refuses_to_cancel = true);
    page.time_passes(minutes(60));
    assert_eq!(page.cancelled("1002").len(), 30);
    page.time_passes(minutes(60));
    assert_eq!(page.cancelled("1002").len(), 30);
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
}

#[test]
fn what_may_be_paid_for_all_that_is_known_is_not_cancelled() {
    let mut page = paid_late(|page| page.server_says(1, TransactionState::from("NUEVO")));
    page.time_passes(minutes(10));
    assert!(page.cancelled("1002").is_empty());
    page.server_says(1, TransactionState::Pending);
    page.time_passes(minutes(3));
    assert_eq!(page.cancelled("1002").len(), 1);
    assert_eq!(page.server.charges[1].state, TransactionState::Cancelled);
}
