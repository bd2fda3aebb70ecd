//! Random stories of one operation and the ledger of its money: a payer, two members of staff, a
//! service that is silent, terse or refuses, a portal of the service, and clocks that jump.

mod acts;
mod server;
mod world;

use crate::ledger::is_complete;
use crate::planted_mistakes::{Mistake, plant};
use crate::service_answers::AmountUnits::Cents;
use crate::timing::instant;
use acts::{arrive, end_return, give_back, refund_once, release, reverse_once};
use payment_model::{Outcome, Refund, RefundState, TransactionState};
use proptest::prelude::{Strategy, proptest};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use server::Server;
use staff_model::AttemptState;
use std::time::Duration;
use world::{Manner, Truth, World};

const AMOUNT: u64 = 38_700;
/// For how long a lost request may still be carried out.
const LOST_FOR: Duration = Duration::from_mins(2);
/// After so long the sender of a request is gone.
const SENDING: Duration = Duration::from_secs(50);
const MINUTE: i64 = 60_000;

/// What the story found wrong.
type Fault = String;

/// A step of a story: its kind, its amount, and its course.
type Happening = (u8, u64, u8);

fn happen(
    world: &mut World,
    server: &mut Server,
    turn: usize,
    (what, amount, how): Happening,
) -> Result<(), Fault> {
    world.time += i64::from(how) * 100;
    let id = format!("{turn}");
    let now = world.reading().now;
    match what {
        0 | 1 => {
            world.truth = outside(world.truth, how);
            if world.truth == Truth::PaidAgain {
                // Who pays once more hides that the first payment was given back.
                world.carried_out.clear();
            }
        }
        2 => {
            world.manner = match how % 7 {
                0 | 1 => Manner::Full,
                2 => Manner::Bare,
                3 => Manner::Silent,
                4 => Manner::Contradictory,
                other => Manner::Unaccepted(other == 5),
            };
        }
        3 | 4 => {
            server.query(world)?;
        }
        5 => {
            let question = server.question(world);
            let answer = server.accepted(world.answer());
            world.late.extend(answer.map(|answer| (question, answer)));
        }
        6 => {
            if let Some((question, answer)) = world.late.pop() {
                server.apply(world, &question, &answer)?;
            }
        }
        7 | 18 | 19 => refund_once(world, server, &id, amount, how)?,
        8 => give_back(world, server, &id, amount, how)?,
        9 => end_return(server, world, how),
        10 | 11 => reverse_once(world, server, &id, how)?,
        12 => arrive(world, server)?,
        13 | 20 => release(world, server)?,
        14 => {
            if let Some(list) = server.accepted(world.list()) {
                let whole = is_complete(&server.payment.ledger.key, &list);
                server
                    .payment
                    .ledger
                    .merge_refunds(&list.operations, Cents, now);
                if whole {
                    server.payment.ledger.complete_list_came(now, now);
                }
            }
        }
        15 => {
            if world.reading().stable_for >= SENDING {
                server
                    .payment
                    .ledger
                    .give_up_reversal(now.saturating_sub(SENDING), now);
                server.follow(world)?;
            }
        }
        16 => {
            let far = if how.is_multiple_of(2) { 60 } else { 24 * 60 };
            world.jump(if how % 4 < 2 {
                far * MINUTE
            } else {
                -far * MINUTE
            });
        }
        17 => world.even_since = world.time,
        21 => {
            // The service takes back what it said of a refund.
            if let Some(last) = world.refunds.last_mut() {
                last.state = if last.state == RefundState::Registered {
                    RefundState::Resolved
                } else {
                    RefundState::Rejected
                };
            }
        }
        _ => world.time += i64::from(how) * 10_000,
    }
    of_carried_out(world, server)
}

/// What happens at the service without the server.
fn outside(truth: Truth, how: u8) -> Truth {
    match (truth, how % 8) {
        (Truth::Waiting, 0..=5) => Truth::Paid,
        (Truth::Paid, 0) => Truth::Denied,
        (Truth::Paid, 1 | 2) => Truth::Reversed,
        (Truth::Paid, 3..=5) => Truth::Settled,
        (Truth::Reversed, 0..=2) => Truth::PaidAgain,
        (truth, _) => truth,
    }
}

/// What the service carried out is never taken for undone.
fn of_carried_out(world: &World, server: &Server) -> Result<(), Fault> {
    use staff_model::ReversalState::{NotDone, Released};
    for id in &world.carried_out {
        let state = server.payment.ledger.reversal(id).map(|own| own.state);
        if matches!(state, Some(NotDone | Released)) {
            return Err(format!("reversal {id} was carried out and is {state:?}"));
        }
    }
    for refund in &world.refunds {
        let id = refund.refund_id.as_str().trim_start_matches('r');
        let attempt = server.payment.ledger.attempt(id).map(|own| own.state);
        if attempt == Some(AttemptState::Released) {
            return Err(format!("refund {id} is at the service and was released"));
        }
    }
    Ok(())
}

/// In the end the service answers everything, and the server asks as often as it plans.
fn come_to_rest(world: &mut World, server: &mut Server) -> Result<(), Fault> {
    world.manner = Manner::Bare;
    world.lost.clear();
    world.lost_refunds.clear();
    world.late.clear();
    for _ in 0..6 {
        world.time += 2 * MINUTE;
        let now = world.reading().now;
        let left_before = now.saturating_sub(SENDING);
        // Requests that the clock places in the future have been left as well.
        let ledger = &mut server.payment.ledger;
        ledger.give_up_reversal(left_before.max(instant(i64::MAX)), now);
        server.query(world)?;
        if let Some(list) = server.accepted(world.list()) {
            server
                .payment
                .ledger
                .merge_refunds(&list.operations, Cents, now);
            server.payment.ledger.complete_list_came(now, now);
        }
        of_carried_out(world, server)?;
    }
    let (stored, truth) = (server.payment.operation.outcome(), world.truth.outcome());
    // A payment that came and went unseen is no payment.
    let gone = [Some(Outcome::Cancelled), Some(Outcome::Reversed)];
    let same = stored == truth || (gone.contains(&stored) && gone.contains(&truth));
    // A payment that came back is in force again.
    let is_excused =
        server.payment.operation.contradiction.is_some() && world.truth != Truth::PaidAgain;
    if !same && !is_excused {
        return Err(format!(
            "{stored:?} is stored for good, and {truth:?} is true"
        ));
    }
    for record in &server.payment.ledger.refunds {
        let same = |refund: &&Refund| refund.refund_id == record.refund.refund_id;
        let Some(refund) = world.refunds.iter().find(same) else {
            continue;
        };
        if record.refund.state != refund.state && record.denied.is_none() {
            let (stored, truth) = (&record.refund.state, &refund.state);
            return Err(format!("a refund stays {stored:?}, and {truth:?} is true"));
        }
    }
    if let Some(pending) = server.payment.ledger.pending_reversal() {
        return Err(format!("a request stays {:?} for good", pending.state));
    }
    if server.payment.operation.is_held() && server.payment.operation.contradiction.is_none() {
        return Err("a payment is never announced".to_owned());
    }
    let beyond = world.out(&server.payment.ledger) > world.paid().max(AMOUNT);
    if beyond
        && server.payment.ledger.excess().is_none()
        && server.payment.operation.contradiction.is_none()
    {
        return Err("more was given back than was paid, and nobody learns of it".to_owned());
    }
    Ok(())
}

fn tell(story: Vec<Happening>) -> Result<(), Fault> {
    let mut world = World::new();
    let mut server = Server::new(&world);
    for (turn, happening) in story.into_iter().enumerate() {
        happen(&mut world, &mut server, turn, happening)?;
    }
    come_to_rest(&mut world, &mut server)
}

fn story() -> impl Strategy<Value = Vec<Happening>> {
    proptest::collection::vec((0..23_u8, 1..45_000_u64, 0..40_u8), 1..80)
}

/// The stories of a default run.
const STORIES: u32 = 4_000;

proptest! {
    #![proptest_config(Config::with_cases(STORIES))]

    #[test]
    fn whatever_is_unknown_no_money_moves_twice_and_none_is_lost_from_sight(story in story()) {
        tell(story).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn the_stories_find_a_clock_that_is_believed_after_a_jump() {
    let config = Config {
        cases: STORIES,
        failure_persistence: None,
        max_shrink_iters: 0,
        ..Config::default()
    };
    // One seed, so that this test does not fail by chance.
    let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, seed);
    plant(Some(Mistake::ClockIsAlwaysEven));
    let found = runner.run(&story(), |story| tell(story).map_err(TestCaseError::fail));
    plant(None);
    assert!(matches!(found, Err(TestError::Fail(..))));
}

#[test]
fn a_state_that_the_stories_use_is_read_as_they_mean_it() {
    for truth in [Truth::Waiting, Truth::Paid, Truth::Settled, Truth::Denied] {
        let state = TransactionState::from(truth.state());
        assert_eq!(Outcome::of_state(&state), truth.outcome());
    }
}
