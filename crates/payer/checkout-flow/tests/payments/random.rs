//! Random stories. [`crate::support::invariants::Invariants`] holds each step against the invariants; what is
//! said here is how a story goes, and that every story has an end.

use crate::support::cache::Habit;
use crate::support::charge::Charge;
use crate::support::page::{Page, minutes, seconds};
use crate::support::random_step::{Step, extreme, happens, step};
use crate::support::server::Network;
use crate::support::transition::{Move, moves};
use checkout_flow::{ErrorCode, Event, PageAnswer, Screen};
use payment_model::{Outcome, PaymentMethodName};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

/// The faults end, the payer looks, and the server ends the waiting operations.
fn ends(page: &mut Page) {
    page.server.next.clear();
    page.server.next_cancel = None;
    page.network(Network::Good);
    page.server.holds = false;
    page.server.offer = None;
    page.server.cache.habit = Habit::None;
    page.browser.page_answer = PageAnswer::Begin;
    page.browser.page_takes = 100;
    page.hears(Event::Shown);
    page.hears(Event::Online);
    // The longest `Retry-After` that the flow obeys, and a minute for running requests.
    page.time_passes(minutes(16));
    if let Screen::Ended(end) = page.screen()
        && end.outcome == Outcome::Paid
    {
        let clock = page.browser.server_clock();
        for charge in &page.server.charges {
            let waits = charge.state.is_waiting() && charge.deadline > Some(clock);
            assert!(
                !waits || !page.invariants.offers.contains(&charge.number),
                "{} can still be paid",
                charge.number
            );
        }
    }
    for index in 0..page.server.charges.len() {
        moves(page, index, Move::Expire);
    }
    page.time_passes(minutes(3));
    let rests = matches!(
        page.screen(),
        Screen::Choosing
            | Screen::ChoosingOnPage
            | Screen::Failed(_)
            | Screen::Ended(_)
            | Screen::AskingToReplace { .. }
            // The end was known before the server refused a new code: the payer asks again.
            | Screen::Unconfirmed { again_at: None }
    );
    assert!(rests, "no way out of {:?}", page.screen());
    assert_eq!(page.flow.view().connection, checkout_flow::Connection::Good);
    pays_in_the_end(page);
}

/// A payer who goes on can pay from any screen, unless the order is paid.
fn pays_in_the_end(page: &mut Page) {
    let Some(before) = next_offer(page) else {
        return;
    };
    assert!(before, "no way on from {:?}", page.screen());
    page.sees_qr();
    let number = page
        .flow
        .view()
        .operation
        .unwrap()
        .merchant_operation_number
        .clone();
    let index = page
        .server
        .charges
        .iter()
        .position(|c| c.number == number.as_str());
    page.payer_pays(index.unwrap());
    page.time_passes(minutes(2));
    page.sees_end(Outcome::Paid);
}

/// Presses the offered buttons until a code shows. True if that worked; `None` if the order is paid.
fn next_offer(page: &mut Page) -> Option<bool> {
    for _ in 0..6 {
        let event = match page.screen() {
            Screen::Ended(end) if end.outcome == Outcome::Paid => return None,
            // Of two payments one was given back, and the other one pays the order.
            Screen::Ended(end) if end.outcome == Outcome::Reversed && is_paid(page) => return None,
            // The server takes the order again by what it had left out.
            Screen::Choosing | Screen::ChoosingOnPage | Screen::Failed(ErrorCode::NoMethod) => {
                Event::MethodChosen(PaymentMethodName::Qr)
            }
            // After an installment operation the other button would lead to the lender again.
            Screen::Ended(_) | Screen::Unconfirmed { .. } | Screen::Failed(_) => {
                Event::AnotherWayPressed
            }
            Screen::AskingToReplace { .. } => Event::ShowLivePressed,
            Screen::Qr(_) => return Some(true),
            _ => Event::Woke,
        };
        page.hears(event);
        page.time_passes(seconds(3));
    }
    Some(matches!(page.screen(), Screen::Qr(_)))
}

fn is_paid(page: &Page) -> bool {
    page.server
        .charges
        .iter()
        .any(|charge| charge.state.is_paid())
}

/// So many cases, unless the environment says how many.
fn config(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    let said = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if said { usual.cases } else { cases },
        max_shrink_iters: usual.max_shrink_iters.min(2_000),
        // In `random.regressions` beside this file, to be committed: every later run begins with it.
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..usual
    }
}

proptest! {
    #![proptest_config(config(700))]

    #[test]
    fn no_story_breaks_an_invariant_and_every_story_has_an_end(
        steps in prop::collection::vec(step(), 1..40),
        asks_page in any::<bool>(),
        hides_choice in any::<bool>(),
    ) {
        let mut page = Page::with(|page| {
            page.settings.asks_page = asks_page;
            page.settings.hides_choice = hides_choice;
        });
        for step in steps {
            happens(&mut page, step);
        }
        ends(&mut page);
    }

    #[test]
    fn no_story_that_begins_with_a_late_payment_does(
        steps in prop::collection::vec(step(), 1..25),
        late in 0_i64..120_000,
    ) {
        let mut page = Page::showing_qr();
        page.time_passes(minutes(16) + seconds(3));
        page.hears(Event::RetryPressed);
        page.time_passes(late % 5_000);
        page.payer_pays(0);
        page.time_passes(late % 20_000);
        for step in steps {
            happens(&mut page, step);
        }
        ends(&mut page);
    }

    #[test]
    fn no_clock_and_no_date_is_too_strange(
        clocks in prop::collection::vec((any::<i64>(), any::<i64>(), extreme()), 1..30),
        steps in prop::collection::vec(step(), 30),
        date in extreme(),
        written in prop::option::of((prop::option::of("\\PC*|[0-9]{4}-1[0-2]-2[0-9]T[01][0-9]:[0-5]9:59Z?"), any::<f64>())),
    ) {
        let mut page = Page::unopened();
        let mut template = Charge::new("", PaymentMethodName::Qr, None);
        template.date = written.map(|(utc, unix)| {
            let date = serde_json::json!({"utc_time": utc, "unix_time": unix});
            serde_json::from_value(date).unwrap()
        });
        page.server.template = Some(template);
        page.server.lifetime = Some(date.clamp(i64::MIN / 4, i64::MAX / 4));
        page.opens(None, None);
        for ((skew, slept, server), step) in clocks.into_iter().zip(steps) {
            page.browser.skew = skew;
            page.browser.slept = slept;
            page.browser.server_skew = server.clamp(i64::MIN / 4, i64::MAX / 4);
            happens(&mut page, match step {
                Step::Passes(millis) => Step::Passes(millis % 5_000),
                Step::Sleeps(_) | Step::ClockJumps(_) => Step::Passes(10),
                step => step,
            });
        }
    }
}
