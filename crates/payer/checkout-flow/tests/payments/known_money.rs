//! What a payer may read of their money after an error: only what the merchant's server knows.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{Network, closed_for, not_found, saying, status};
use checkout_flow::{ErrorCode, Event, Failure, Screen};
use payment_model::{PaymentMethodName, ProblemMoney};
use std::time::Duration;

/// The error that the payer sees after these failures, one for each request, and what is said of the money.
fn shown_after(failures: Vec<Failure>) -> (ErrorCode, ProblemMoney) {
    let mut page = Page::opened();
    page.server.next = failures.into_iter().map(Network::Says).collect();
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(1));
    let view = page.flow.view();
    match view.screen {
        Screen::Failed(code) => (code, view.problem_money),
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_a_server_that_says_so_lets_a_payer_read_that_nothing_was_charged() {
    use ProblemMoney::{MayBePaid, NothingCharged, Unknown};
    let five = |failure: Failure| vec![failure; 5];
    let cases = [
        (
            vec![saying(422, NothingCharged)],
            ErrorCode::Refused,
            NothingCharged,
        ),
        (vec![saying(422, Unknown)], ErrorCode::Refused, Unknown),
        (vec![status(404)], ErrorCode::Refused, Unknown),
        (
            five(saying(503, NothingCharged)),
            ErrorCode::Server,
            NothingCharged,
        ),
        (five(saying(500, Unknown)), ErrorCode::Server, Unknown),
        (five(Failure::Unreadable), ErrorCode::Server, Unknown),
        (five(Failure::Network), ErrorCode::Network, Unknown),
        (
            vec![Failure::Unusable],
            ErrorCode::Configuration,
            NothingCharged,
        ),
        // Neither a status nor Retry-After makes such an order payable.
        (
            vec![saying(409, MayBePaid)],
            ErrorCode::MayBePaid,
            MayBePaid,
        ),
        (
            vec![saying(503, MayBePaid)],
            ErrorCode::MayBePaid,
            MayBePaid,
        ),
        (
            vec![saying(422, MayBePaid)],
            ErrorCode::MayBePaid,
            MayBePaid,
        ),
    ];
    for (failures, code, money) in cases {
        let told = format!("{failures:?}");
        assert_eq!(shown_after(failures), (code, money), "{told}");
    }
}

#[test]
fn a_refusal_says_nothing_of_an_earlier_request_that_may_have_begun_a_payment() {
    use ProblemMoney::{NothingCharged, Unknown};
    let refused = saying(403, NothingCharged);
    let after = |first| shown_after(vec![first, refused.clone()]);
    assert_eq!(after(Failure::Network), (ErrorCode::Refused, Unknown));
    assert_eq!(after(status(503)), (ErrorCode::Refused, Unknown));
    assert_eq!(
        after(saying(429, NothingCharged)),
        (ErrorCode::Refused, NothingCharged)
    );

    // Nor does the payer's word that another code may end.
    let mut page = Page::opened();
    let clock = page.browser.server_clock();
    page.server.opens(PaymentMethodName::Installment, clock);
    page.server.next = vec![Network::Says(Failure::Network)];
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(3));
    page.sees("AskingToReplace");
    page.network(Network::Says(refused.clone()));
    page.hears(Event::ReplaceConfirmed);
    page.server_answers();
    page.sees_failure(ErrorCode::Refused);
    assert_eq!(page.flow.view().problem_money, Unknown);

    // Neither a press nor a reload makes it known.
    for reloads in [true, false] {
        let mut page = Page::opened();
        page.network(Network::Says(Failure::Network));
        page.chooses(PaymentMethodName::Qr);
        page.time_passes(minutes(1));
        page.sees_failure(ErrorCode::Network);
        page.network(Network::Says(refused.clone()));
        if reloads {
            page.reloads();
        } else {
            page.hears(Event::RetryPressed);
        }
        page.server_answers();
        page.sees_failure(ErrorCode::Refused);
        assert_eq!(page.flow.view().problem_money, Unknown);
    }
}

#[test]
fn an_order_that_may_be_paid_is_asked_for_once() {
    let mut page = Page::opened();
    page.network(Network::Says(saying(409, ProblemMoney::MayBePaid)));
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(5));
    page.sees_failure(ErrorCode::MayBePaid);
    assert_eq!(page.errors(), ["may-be-paid"]);
    assert_eq!(page.authorized().len(), 1);
}

#[test]
fn a_payment_that_the_server_lost_is_named_after_two_minutes_and_there_is_a_way_on() {
    let mut page = Page::showing_qr();
    page.network(Network::Says(not_found()));
    page.time_passes(minutes(2) - seconds(5));
    page.sees_qr();
    page.time_passes(seconds(30));
    page.sees_failure(ErrorCode::NotFound);
    assert_eq!(page.errors(), ["not-found"]);
    let number = page.server.charges[0].number.clone();
    let view = page.flow.view();
    assert_eq!(
        view.operation
            .map(|named| named.merchant_operation_number.as_str()),
        Some(number.as_str())
    );
    assert!(view.has_another_way);

    // The server has it again, as when its nodes are restored one after the other.
    page.network(Network::Good);
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
}

#[test]
fn a_payment_is_not_lost_by_errors_that_say_nothing_of_it() {
    for failure in [
        status(500),
        Failure::Network,
        closed_for(429, Duration::from_secs(5)),
    ] {
        let mut page = Page::showing_qr();
        page.network(Network::Says(failure));
        page.time_passes(minutes(5));
        page.sees_qr();
    }
    // It is found in between.
    let mut page = Page::showing_qr();
    for _ in 0..4 {
        page.network(Network::Says(not_found()));
        page.time_passes(seconds(100));
        page.network(Network::Good);
        page.time_passes(seconds(40));
        page.sees_qr();
    }
}

#[test]
fn a_cancellation_of_a_payment_that_the_server_lost_ends_as_lost() {
    let mut page = Page::showing_qr();
    page.network(Network::Says(not_found()));
    page.time_passes(minutes(2) - seconds(5));
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelConfirmed);
    page.time_passes(minutes(1));
    page.sees_failure(ErrorCode::NotFound);
}
