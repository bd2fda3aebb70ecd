//! Random stories of refunds, returns and reversals.

use super::tests::{LOST_FOR, new, returned};
use super::{Purpose, Reserved, ReversalEnd};
use crate::amount_units::AmountUnits::Cents;
use crate::clock::instant;
use crate::domain::ledger::fixture::{echo, ledger, refund, reserve};
use crate::domain::ledger::{Ending, Ledger, Release, ReturnEnd};
use payment_model::{Outcome, Refund, RefundType, Timestamp, TransactionState};
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use staff_model::{ReturnState, ReversalState};
use std::time::Duration;

/// The money at the payment service and in the merchant's till, which the program cannot see.
#[derive(Debug, Default)]
struct World {
    now: Timestamp,
    reversed: bool,
    refunds: Vec<Refund>,
    /// Until when lost requests may still be carried out.
    lost: Vec<Timestamp>,
    /// The money that somebody gave back without asking.
    unasked: u64,
}

impl World {
    /// All money that has left, or may leave at any moment.
    fn out(&self, ledger: &Ledger) -> u64 {
        let refunds = self.refunds.iter();
        let refunds = refunds.filter(|refund| refund.state.reserves_its_amount());
        let refunds: u64 = refunds.filter_map(|r| r.refund_amount.cents()).sum();
        let returns = ledger.returns.iter();
        let returns = returns.filter(|one| one.state != ReturnState::GivenUp);
        let returns: u64 = returns.map(|one| one.amount).sum();
        refunds + returns + if self.reversed { 1000 } else { 0 }
    }

    fn pass(&mut self, millis: u64) {
        self.now = self.now.saturating_add(Duration::from_millis(millis));
    }

    /// The service carries a cancellation out, if it can.
    fn reverse(&mut self) {
        self.reversed = true;
    }

    /// The service answers a query made now, and the answer is believed.
    fn tell_state(&self, ledger: &mut Ledger) {
        if self.reversed {
            ledger.outcome = Some(Outcome::Reversed);
            ledger.state = Some(TransactionState::Reversed);
            for own in ledger.reversals.iter_mut().filter(|own| own.is_pending()) {
                own.enter(ReversalState::Done, "", self.now);
            }
        }
        ledger.state_was_told(self.now, self.now);
    }
}

/// A step of a story: its kind, its amount, and its course.
type Happening = (u8, u64, u8);

fn happen(world: &mut World, ledger: &mut Ledger, turn: usize, (what, amount, how): Happening) {
    world.pass(u64::from(how));
    let now = world.now;
    let id = format!("{turn}");
    match what {
        0 => refund_once(world, ledger, &id, amount, how),
        1 => {
            let _ = ledger.give_back(returned(&id, amount, false), now);
        }
        2 => {
            let open = ledger.returns.iter().find(|o| o.state == ReturnState::Open);
            if let Some(id) = open.map(|open| open.id.clone()) {
                let end = ReturnEnd {
                    by: "bea".to_owned(),
                    at: now,
                    reason: "so".to_owned(),
                };
                let made = how.is_multiple_of(2);
                let state = if made {
                    ReturnState::Done
                } else {
                    ReturnState::GivenUp
                };
                ledger.end_return(&id, state, end);
            }
        }
        3 | 4 => reverse_once(world, ledger, &id, how),
        5 => {
            world.lost.retain(|until| *until > now);
            if world.lost.pop().is_some() {
                world.reverse();
            }
        }
        6 => world.tell_state(ledger),
        7 => {
            ledger.take(&world.refunds, Cents, now);
        }
        8 => ledger.abandon_reversal(now, now),
        9 => {
            let pending = ledger.pending_reversal().map(|own| own.id.clone());
            let release = Release {
                by: "bea".to_owned(),
                at: now,
                reason: "so".to_owned(),
            };
            // A person checks before; the rule alone would trust the clock.
            if let Some(id) = pending.filter(|_| !world.reversed) {
                let _ = ledger.release_reversal(&id, release);
            }
        }
        10 if how == 0 => {
            world.unasked += amount;
            let _ = ledger.give_back(returned(&id, amount, true), now);
        }
        _ => world.pass(60),
    }
}

fn refund_once(world: &mut World, ledger: &mut Ledger, id: &str, amount: u64, how: u8) {
    let now = world.now;
    if ledger.check(&RefundType::Partial, amount).is_err() {
        return;
    }
    reserve(ledger, id, amount, now);
    assert!(ledger.begin(id, now));
    let told = echo(&format!("r{id}"), id, "REGISTERED", &amount.to_string());
    let lost = Ending::InDoubt(String::new());
    match how % 5 {
        0 => {
            world.refunds.push(told.clone());
            ledger.take(&[told], Cents, now);
        }
        1 => {
            world.refunds.push(told);
            ledger.end(id, lost, now);
        }
        2 => ledger.end(id, lost, now),
        3 => ledger.end(id, Ending::LockedOut, now),
        _ => ledger.end(id, Ending::Refused(String::new(), Vec::new()), now),
    }
}

fn reverse_once(world: &mut World, ledger: &mut Ledger, id: &str, how: u8) {
    let now = world.now;
    let purpose = if how.is_multiple_of(2) {
        Purpose::Reverse
    } else {
        Purpose::Cancel
    };
    let Reserved::Ours(id) = ledger.reserve_reversal(new(id, purpose, now), now) else {
        return;
    };
    match how % 6 {
        0 => {
            world.reverse();
            world.tell_state(ledger);
        }
        // The service carries it out, and the answer is lost.
        1 => {
            world.reverse();
            ledger.end_reversal(&id, ReversalEnd::InDoubt(String::new()), now);
        }
        2 => {
            world.lost.push(now.saturating_add(LOST_FOR));
            ledger.end_reversal(&id, ReversalEnd::InDoubt(String::new()), now);
        }
        3 => ledger.end_reversal(&id, ReversalEnd::NotDone(String::new(), Some(409)), now),
        // The server stops before the answer; the request is on its way.
        4 => world.lost.push(now.saturating_add(LOST_FOR)),
        _ => ledger.end_reversal(&id, ReversalEnd::NotDone(String::new(), None), now),
    }
}

fn story() -> impl Strategy<Value = Vec<Happening>> {
    proptest::collection::vec((0..12_u8, 1..1200_u64, 0..40_u8), 1..60)
}

proptest! {
    #[test]
    fn whatever_happens_what_is_given_back_is_never_more_than_was_paid_or_is_an_exception(
        story in story()
    ) {
        let (mut world, mut ledger) = (World::default(), ledger());
        // It said no once, so that returns by hand are allowed as well.
        ledger.take(&[refund("no", "REJECTED", "1")], Cents, instant(0));
        for (turn, happening) in story.into_iter().enumerate() {
            happen(&mut world, &mut ledger, turn, happening);
            let out = world.out(&ledger);
            prop_assert!(out <= 1000 + world.unasked, "{out} {world:?}");
            prop_assert!(ledger.left() <= 1000_u64.saturating_sub(out), "{world:?}");
        }
        // In the end the server gets every answer.
        ledger.take(&world.refunds, Cents, world.now);
        world.tell_state(&mut ledger);
        let beyond = world.out(&ledger) > 1000;
        prop_assert!(!beyond || ledger.excess().is_some(), "{world:?}");
        if world.unasked == 0 && ledger.attempts.iter().all(|own| !own.is_pending()) {
            prop_assert_eq!(ledger.excess(), None);
        }
    }
}
