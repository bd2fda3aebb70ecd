//! Answers with tags, and servers that stop while they hold requests.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{Network, status};
use checkout_flow::{Connection, Event, Failure};
use payment_model::{Outcome, PaymentMethodName, TransactionState};

fn held() -> Page {
    let mut page = Page::opened();
    page.server.holds = true;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(10));
    assert!(page.browser.calls[0].held_until.is_some());
    page
}

#[test]
fn the_next_request_names_the_answer_that_is_known() {
    let mut page = held();
    let known = |page: &Page| -> Vec<_> {
        let sent = page.browser.journal.iter().skip(1);
        sent.map(|sent| sent.known.is_some()).collect()
    };
    assert_eq!(known(&page), [false, true]);
    // The answer without a body confirms the one before it.
    page.time_passes(minutes(1));
    page.sees_qr();
    assert!(known(&page)[1..].iter().all(|named| *named));
    assert_eq!(page.flow.view().connection, Connection::Good);

    // After a reload nothing is known, and a server without tags is asked without one.
    page.reloads();
    page.server.names = false;
    page.time_passes(minutes(1));
    let reloaded = known(&page).len() - 4;
    page.time_passes(minutes(1));
    assert!(known(&page)[reloaded..].iter().all(|named| !named));
    page.payer_pays(0);
    page.time_passes(seconds(1));
    page.sees_end(Outcome::Paid);
}

#[test]
fn a_state_that_changed_between_two_held_requests_is_answered_at_once() {
    let mut page = held();
    let running = page.browser.calls.remove(0);
    page.browser.now = running.ends;
    let answer = page.browser.answer(&running, &mut page.server);
    page.charge(0).becomes(TransactionState::from("NUEVO"));
    page.hears(answer);
    page.sees_qr();
    page.time_passes(seconds(2));
    page.sees("Confirming");
}

#[test]
fn an_answer_without_a_body_says_nothing_where_nothing_is_known() {
    let mut page = Page::opened();
    page.chooses(PaymentMethodName::Qr);
    while page.asked().is_empty() {
        page.time_passes(100);
    }
    let operation = page.charge(0).reference();
    page.browser.calls[0].known = page.server.tag(&operation);
    page.time_passes(seconds(2));
    let sent: Vec<_> = page.browser.journal.iter().map(|s| &s.known).collect();
    assert!(sent.len() > 2, "asked again soon");
    assert!(sent.iter().all(|known| known.is_none()));
    page.time_passes(seconds(2));
    page.sees_qr();

    // The flow forgets the known answer when the payer asks for a new one.
    page.hears(Event::QrUndecodable);
    let sent = page.browser.journal.len();
    page.hears(Event::RetryPressed);
    page.time_passes(seconds(2));
    assert_eq!(page.browser.journal[sent].known, None);
    page.sees_qr();
}

#[test]
fn an_answer_without_a_body_says_nothing_to_a_question_that_named_nothing() {
    let mut page = Page::showing_qr();
    page.time_passes(seconds(5));
    assert!(page.browser.journal.last().unwrap().known.is_some());
    page.network(Network::Says(status(500)));
    page.time_passes(seconds(3));
    page.network(Network::Good);
    // After a failure the flow asks plainly; this server answers as if it had not.
    let asked = page.asked().len();
    while page.asked().len() == asked {
        page.time_passes(10);
    }
    let operation = page.charge(0).reference();
    assert_eq!(page.browser.calls[0].known, None);
    page.browser.calls[0].known = page.server.tag(&operation);
    page.time_passes(seconds(6));
    let next = &page.browser.journal[asked + 2];
    assert_eq!(next.known, None, "the failure is not over");
}

/// When each of many payers asks again after this event at all their held requests.
fn returns(happens: impl Fn(&mut Page)) -> Vec<i64> {
    let mut times: Vec<_> = (0..300_u128)
        .map(|payer| {
            let mut page = held();
            page.entropy = payer.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C834);
            let (asked, now) = (page.asked().len(), page.browser.now);
            happens(&mut page);
            page.time_passes(seconds(4));
            page.asked()[asked] - now
        })
        .collect();
    times.sort_unstable();
    times
}

fn are_spread(times: &[i64]) {
    assert!(times[times.len() - 1] <= 3_500, "{times:?}");
    // No half second has more than a third of the requests.
    let most = |from: &i64| {
        times
            .iter()
            .filter(|at| (*from..from + 500).contains(*at))
            .count()
    };
    let most = times.iter().map(most).max().unwrap();
    assert!(most <= times.len() / 3, "{most} of {times:?}");
}

#[test]
fn who_was_held_comes_back_spread_over_three_seconds_when_the_server_goes_away() {
    // Answered as unchanged, long before the end of the wait.
    are_spread(&returns(|page| page.browser.held_requests_end()));
    // Broken off, or ended by a proxy in front of the server.
    for failure in [Failure::Network, status(502)] {
        are_spread(&returns(|page| {
            for running in &mut page.browser.calls {
                running.network = Network::Says(failure.clone());
            }
            page.browser.held_requests_end();
        }));
    }
}

#[test]
fn news_and_a_payer_who_looks_wait_for_nobody() {
    for event in [Event::Shown, Event::Online, Event::CheckPressed] {
        let times = returns(|page| {
            page.browser.held_requests_end();
            page.time_passes(100);
            page.hears(event.clone());
        });
        assert!(times[times.len() - 1] <= 200, "{event:?} {times:?}");
    }
    let times = returns(|page| page.server_says(0, TransactionState::from("NUEVO")));
    assert!(times[times.len() - 1] <= 200, "{times:?}");
}

#[test]
fn a_wait_that_ends_in_its_time_is_followed_by_the_next_at_once() {
    let mut page = held();
    let ends = page.browser.calls[0].ends;
    page.time_passes(ends - page.browser.now + 10);
    assert_eq!(page.asked().last(), Some(&ends));

    // The flow learns that a server always holds for five seconds.
    for _ in 0..10 {
        let asked = page.asked().len();
        page.time_passes(seconds(5));
        page.browser.held_requests_end();
        page.time_passes(seconds(4));
        assert!(page.asked().len() > asked);
    }
    let mut page = Page::opened();
    page.server.holds = true;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(5));
    for round in 0..10 {
        let asked = page.asked().len();
        page.time_passes(seconds(5));
        page.browser.held_requests_end();
        page.time_passes(110);
        assert!(round == 0 || page.asked().len() == asked + 1, "{round}");
        page.time_passes(seconds(3));
    }
}
