//! Operations that the page's attributes name, at a server that does not answer.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{EPOCH, Network, status};
use checkout_flow::{ErrorCode, Event, Failure, Problem};
use payment_model::{PaymentMethodName, ProblemMoney};

#[test]
fn a_failure_says_nothing_about_an_operation_until_the_server_does_not_find_it() {
    for network in [
        Network::Silent,
        Network::Says(Failure::Network),
        Network::Says(Failure::Unreadable),
        Network::Says(status(400)),
        Network::Says(status(429)),
        Network::Says(status(500)),
    ] {
        let mut page = Page::unopened();
        page.server.opens(PaymentMethodName::Qr, EPOCH);
        let operation = page.server.charges[0].reference();
        page.network(network.clone());
        page.opens(Some(operation), None);
        page.time_passes(minutes(2));
        page.sees("Checking");
        assert!(page.errors().is_empty(), "{network:?}");
        page.network(Network::Good);
        page.time_passes(seconds(30));
        page.sees_qr();
    }
}

#[test]
fn an_operation_behind_the_one_in_front_is_asked_about_four_times_a_minute_and_later_once() {
    let mut page = Page::showing_qr();
    let clock = page.browser.server_clock();
    page.server.lifetime = None;
    page.server.opens(PaymentMethodName::Installment, clock);
    page.charge(0).deadline = None;
    let named = page.server.charges[1].reference();
    page.browser.reload();
    page.opens(Some(named), None);
    let asked = |page: &mut Page| {
        let before = page.asked_about("1001").len();
        page.time_passes(minutes(8));
        page.asked_about("1001").len() - before
    };
    let first = asked(&mut page);
    assert!((28..=37).contains(&first), "{first}");
    page.time_passes(minutes(3));
    let later = asked(&mut page);
    // Its deadline and the end of the grace are among these minutes, and are moments to ask at.
    assert!((7..=11).contains(&later), "{later}");
}

#[test]
fn an_operation_that_the_server_named_itself_gets_five_questions_to_be_found() {
    let mut page = Page::opened();
    let clock = page.browser.server_clock();
    page.server.opens(PaymentMethodName::Qr, clock);
    page.charge(0).lost = true;
    let named = page.charge(0).reference();
    page.server.next = vec![Network::Says(Failure::Status {
        status: 409,
        retry_after: None,
        money: ProblemMoney::MayBePaid,
        problem: Some(Problem::OrderPaid(named)),
    })];
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(2));
    page.sees_failure(ErrorCode::NotFound);
    assert_eq!(page.asked_about("1001").len(), 5);
}

#[test]
fn an_operation_that_the_server_names_anew_is_checked_whatever_it_refused_before() {
    for problem in [Problem::OrderPaid, Problem::PaymentReversed] {
        let mut page = Page::opened();
        let clock = page.browser.server_clock();
        page.server.opens(PaymentMethodName::Qr, clock);
        page.charge(0).lost = true;
        let named = page.charge(0).reference();
        let mut chooses = |problem| {
            page.server.next = vec![Network::Says(Failure::Status {
                status: 409,
                retry_after: None,
                money: ProblemMoney::Unknown,
                problem: Some(problem),
            })];
            page.chooses(PaymentMethodName::Qr);
            page.server_answers();
            let screen = format!("{:?}", page.screen());
            page.time_passes(minutes(2));
            page.sees_failure(ErrorCode::NotFound);
            page.hears(Event::AnotherWayPressed);
            screen
        };
        let refused = chooses(Problem::Unconfirmed(named.clone()));
        assert!(refused.starts_with("Unconfirmed"), "{refused}");
        assert_eq!(chooses(problem(named)), "Checking");
    }
}
