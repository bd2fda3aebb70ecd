//! The steps of random stories.

use crate::support::cache::Habit;
use crate::support::charge::Charge;
use crate::support::page::{Page, minutes};
use crate::support::server::{Network, above_most, closed_for, saying};
use crate::support::transition::{Move, moves};
use checkout_flow::{Event, Failure, IdempotencyKey, OperationRef, PageAnswer, Problem, Snapshot};
use payment_model::{PaymentMethodName, ProblemMoney};
use proptest::prelude::*;
use std::time::Duration;

/// An event at the payer, the browser, the network or the server.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Passes(i64),
    Sleeps(i64),
    ClockJumps(i64),
    Presses(Press),
    Happens(Look),
    Network(Network),
    Next(Network),
    Holds(bool),
    Names(bool),
    Caches(Habit),
    /// The next pages ask for the live operation, or not.
    AsksLive(bool),
    /// The server takes the order by these methods, or by all.
    Offers(Option<Vec<PaymentMethodName>>),
    /// The page answers so, after this time, when it is asked before an attempt.
    PageAnswers(PageAnswer, i64),
    /// Another tab of the payer begins to pay, by a QR or not, whatever is there.
    OtherTab(bool),
    /// One operation of the server goes into another state.
    Moves(usize, Move),
    Reloads(Kept),
    /// The answer of an abandoned request comes after all.
    LateAnswer(usize),
    /// An answer comes before others that left earlier.
    Overtakes(usize),
    /// An answer comes twice.
    Doubles(usize),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Press {
    Qr,
    Installment,
    Retry,
    Check,
    Cancel,
    Confirm,
    Dismiss,
    AnotherWay,
    ShowLive,
    Replace,
    Undecodable,
    /// The page starts a payment by QR, after a press outside of the checkout.
    Start,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Look {
    Hidden,
    Shown,
    Online,
    Offline,
    Woke,
}

/// The storage that the next page finds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kept {
    All,
    Nothing,
    Token,
    ForgedToken,
    Attributes,
}

fn network() -> impl Strategy<Value = Network> {
    prop_oneof![
        4 => Just(Network::Good),
        1 => Just(Network::Silent),
        1 => Just(Network::LosesAnswers),
        1 => Just(Network::Says(Failure::Network)),
        1 => Just(Network::Says(Failure::Unreadable)),
        1 => (
            prop::sample::select(vec![400_u16, 401, 404, 408, 409, 422, 429, 500, 503]),
            prop::sample::select(ProblemMoney::ALL),
        )
            .prop_map(|(code, money)| Network::Says(saying(code, money))),
        1 => any::<bool>().prop_map(|reversed| {
            // A reference to the first operation, even if the server does not know it.
            let operation = Charge::new("1001", PaymentMethodName::Qr, None).reference();
            let problem = if reversed {
                Problem::PaymentReversed(operation)
            } else {
                Problem::Unconfirmed(operation)
            };
            Network::Says(Failure::Status {
                status: 409,
                retry_after: Some(Duration::from_secs(5)),
                money: ProblemMoney::Unknown,
                problem: Some(problem),
            })
        }),
        1 => prop::sample::select(vec![0_u64, 700, 7_000, 90_000, u64::MAX])
            .prop_map(Duration::from_millis)
            .prop_map(|after| Network::Says(closed_for(429, after))),
    ]
}

fn page_answer() -> impl Strategy<Value = PageAnswer> {
    prop_oneof![
        3 => Just(PageAnswer::Begin),
        1 => Just(PageAnswer::Stay),
        1 => Just(PageAnswer::Refused("sold out".to_owned())),
        1 => Just(PageAnswer::Failed),
    ]
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    use {Look as L, Move as M, Press as P};
    let press = vec![
        P::Qr,
        P::Qr,
        P::Installment,
        P::Retry,
        P::Retry,
        P::Check,
        P::Cancel,
        P::Confirm,
        P::Dismiss,
        P::AnotherWay,
        P::ShowLive,
        P::Replace,
        P::Replace,
        P::Undecodable,
        P::Start,
    ];
    let look = vec![
        L::Hidden,
        L::Shown,
        L::Shown,
        L::Online,
        L::Offline,
        L::Woke,
    ];
    let moves = vec![
        M::Pay,
        M::Pay,
        M::Pay,
        M::Decline,
        M::Expire,
        M::Expire,
        M::Invalidate,
        M::Cancel,
        M::Settle,
        M::Reverse,
        M::Puzzle,
        M::Wait,
    ];
    let kept = vec![
        Kept::All,
        Kept::All,
        Kept::All,
        Kept::Nothing,
        Kept::Token,
        Kept::ForgedToken,
        Kept::Attributes,
    ];
    let habits = vec![
        Habit::None,
        Habit::Keeps,
        Habit::KeepsWhateverTheQuery,
        Habit::KeepsWithoutDate,
        Habit::KeepsAtTimes,
        Habit::Revalidates,
        Habit::IsImpatient,
    ];
    let offers = vec![
        None,
        Some(vec![]),
        Some(vec![PaymentMethodName::Installment]),
        Some(vec![PaymentMethodName::Card]),
    ];
    prop_oneof![
        4 => (0_i64..3_000).prop_map(Step::Passes),
        4 => (0_i64..60_000).prop_map(Step::Passes),
        2 => (0..minutes(17)).prop_map(Step::Passes),
        1 => (0..minutes(30)).prop_map(Step::Sleeps),
        1 => prop::sample::select(vec![-minutes(3), minutes(3), -86_400_000, 86_400_000,
            i64::MIN / 4, i64::MAX / 4]).prop_map(Step::ClockJumps),
        8 => prop::sample::select(press).prop_map(Step::Presses),
        3 => prop::sample::select(look).prop_map(Step::Happens),
        2 => network().prop_map(Step::Network),
        2 => network().prop_map(Step::Next),
        1 => any::<bool>().prop_map(Step::Holds),
        1 => any::<bool>().prop_map(Step::Names),
        1 => prop::sample::select(habits).prop_map(Step::Caches),
        1 => any::<bool>().prop_map(Step::AsksLive),
        1 => prop::sample::select(offers).prop_map(Step::Offers),
        1 => (page_answer(), prop::sample::select(vec![0, 100, 14_000, 16_000]))
            .prop_map(|(answer, takes)| Step::PageAnswers(answer, takes)),
        1 => any::<bool>().prop_map(Step::OtherTab),
        4 => (0_usize..8, prop::sample::select(moves)).prop_map(|(i, m)| Step::Moves(i, m)),
        2 => prop::sample::select(kept).prop_map(Step::Reloads),
        1 => (0_usize..4).prop_map(Step::LateAnswer),
        1 => (0_usize..4).prop_map(Step::Overtakes),
        1 => (0_usize..4).prop_map(Step::Doubles),
    ]
}

pub(crate) fn happens(page: &mut Page, step: Step) {
    match step {
        Step::Passes(millis) => page.time_passes(millis),
        Step::Sleeps(millis) => page.sleeps(millis),
        Step::ClockJumps(by) => page.browser.skew = page.browser.skew.saturating_add(by),
        Step::Presses(press) => page.hears(match press {
            Press::Qr => Event::MethodChosen(PaymentMethodName::Qr),
            Press::Installment => Event::MethodChosen(PaymentMethodName::Installment),
            Press::Retry => Event::RetryPressed,
            Press::Check => Event::CheckPressed,
            Press::Cancel => Event::CancelPressed,
            Press::Confirm => Event::CancelConfirmed,
            Press::Dismiss => Event::CancelDismissed,
            Press::AnotherWay => Event::AnotherWayPressed,
            Press::ShowLive => Event::ShowLivePressed,
            Press::Replace => Event::ReplaceConfirmed,
            Press::Undecodable => Event::QrUndecodable,
            Press::Start => Event::StartRequested(PaymentMethodName::Qr),
        }),
        Step::Happens(look) => page.hears(match look {
            Look::Hidden => Event::Hidden,
            Look::Shown => Event::Shown,
            Look::Online => Event::Online,
            Look::Offline => Event::Offline,
            Look::Woke => Event::Woke,
        }),
        Step::Network(network) => page.network(network),
        Step::Next(network) => page.server.next.push(network),
        Step::Holds(holds) => page.server.holds = holds,
        Step::Names(names) => page.server.names = names,
        Step::Caches(habit) => page.server.cache.habit = habit,
        Step::AsksLive(asks) => page.asks_live = asks,
        Step::Offers(methods) => {
            page.server.offer = methods.map(|methods| above_most(&methods));
        }
        Step::PageAnswers(answer, takes) => {
            page.browser.page_answer = answer;
            page.browser.page_takes = takes;
        }
        Step::OtherTab(qr) => other_tab(page, qr),
        Step::Moves(which, to) => moves(page, which, to),
        Step::Reloads(kept) => reloads(page, kept),
        Step::LateAnswer(which) => {
            if let Some(running) = page.browser.aborted.get(which).cloned() {
                let event = page.browser.answer(&running, &mut page.server);
                page.hears(event);
            }
        }
        Step::Overtakes(which) => {
            if which < page.browser.calls.len() {
                let running = page.browser.calls.remove(which);
                let event = page.browser.answer(&running, &mut page.server);
                page.hears(event);
            }
        }
        Step::Doubles(which) => {
            if which < page.browser.calls.len() {
                let running = page.browser.calls.remove(which);
                for _ in 0..2 {
                    let event = page.browser.answer(&running, &mut page.server);
                    page.hears(event);
                }
            }
        }
    }
}

/// The other tab's payer sees the rule of the server too, and agrees to everything.
fn other_tab(page: &mut Page, qr: bool) {
    let method = if qr {
        PaymentMethodName::Qr
    } else {
        PaymentMethodName::Installment
    };
    let clock = page.browser.server_clock();
    let key = IdempotencyKey::from_entropy(!page.entropy);
    if let Err(Failure::Status {
        problem: Some(Problem::OperationLive(operation, _)),
        ..
    }) = page.server.authorize(&key, &method, None, clock)
    {
        let live = operation.merchant_operation_number;
        let _ = page.server.authorize(&key, &method, Some(&live), clock);
        page.browser.held_requests_end();
    }
}

fn reloads(page: &mut Page, kept: Kept) {
    let last = page.server.charges.last().map(Charge::reference);
    let token = last.clone().map(|operation| OperationRef {
        transaction_id: None,
        ..operation
    });
    for running in std::mem::take(&mut page.browser.calls) {
        page.browser.answer(&running, &mut page.server);
    }
    page.browser.reload();
    // The storage passes text from page to page.
    let text = serde_json::to_string(&page.browser.storage).unwrap();
    page.browser.storage = serde_json::from_str::<Option<Snapshot>>(&text).unwrap();
    match kept {
        Kept::All => page.opens(None, None),
        Kept::Nothing => {
            page.browser.storage = None;
            page.opens(None, None);
        }
        Kept::Token => page.opens(None, token),
        Kept::ForgedToken => {
            let forged = OperationRef {
                merchant_code: "M1".into(),
                merchant_operation_number: "forged".into(),
                transaction_id: None,
            };
            page.opens(None, Some(forged));
        }
        Kept::Attributes => page.opens(last, None),
    }
}

pub(crate) fn extreme() -> impl Strategy<Value = i64> {
    prop_oneof![
        Just(i64::MIN),
        Just(i64::MAX),
        Just(0_i64),
        -100_000_i64..100_000,
        any::<i64>(),
    ]
}
