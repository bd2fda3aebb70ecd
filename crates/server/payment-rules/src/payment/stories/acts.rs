//! What the server and its staff do in a story: refund, give back by hand, reverse, release.

use super::server::Server;
use super::world::{Truth, World};
use super::{Fault, LOST_FOR};
use crate::ledger::fixture::{echo, requester, reserve};
use crate::ledger::{
    AttemptRecord, ListProof, NewReturn, NewReversal, Purpose, Release, ReserveReversalOutcome,
    ReturnEnd, is_complete,
};
use crate::operation::{QuestionContext, Verdict};
use crate::outgoing::{Failed, SendFailure};
use crate::service_answers::AmountUnits::Cents;
use payment_model::{RefundId, RefundType};
use staff_model::{AttemptState, ReturnState};

pub(super) fn refund_once(
    world: &mut World,
    server: &mut Server,
    id: &str,
    amount: u64,
    how: u8,
) -> Result<(), Fault> {
    let now = world.reading().now;
    if !server.is_confirmed(world)? {
        return Ok(());
    }
    let Some(list) = server.accepted(world.list()) else {
        return Ok(());
    };
    let ledger = &mut server.payment.ledger;
    if !is_complete(&ledger.key, &list) {
        return Ok(());
    }
    ledger.merge_refunds(&list.operations, Cents, now);
    if ledger.check(&RefundType::Partial, amount).is_err() {
        return Ok(());
    }
    reserve(ledger, id, amount, now);
    assert!(ledger.begin(id, now));
    let registered = echo(&format!("r{id}"), id, "REGISTERED", &amount.to_string());
    let lost = SendFailure::NoAnswer.because("");
    match how % 6 {
        0 => {
            world.refunds.push(registered.clone());
            ledger.register(id, RefundId::new(format!("r{id}")), now);
            ledger.merge_refunds(&[registered], Cents, now);
        }
        1 => {
            world.refunds.push(registered);
            ledger.end(id, lost, now);
        }
        2 => {
            world.lost_refunds.push((registered, lost_until(world)));
            ledger.end(id, lost, now);
        }
        3 => ledger.end(id, SendFailure::TokenRejected.because(""), now),
        // The service registers it, and what lies before it answers with a refusal.
        4 => {
            world.refunds.push(registered);
            ledger.end(id, refused(400), now);
        }
        _ => ledger.end(id, refused(400), now),
    }
    world.must_be_covered(&server.payment.ledger, "a refund")
}

pub(super) fn give_back(
    world: &mut World,
    server: &mut Server,
    id: &str,
    amount: u64,
    how: u8,
) -> Result<(), Fault> {
    let already_made = how == 0;
    let new = NewReturn {
        id: id.to_owned(),
        amount,
        reason: "by transfer".to_owned(),
        requester: requester("ana"),
        already_made,
        allowed: u64::MAX,
    };
    if !already_made {
        if !server.query(world)?.is_some_and(Verdict::is_believed) {
            return Ok(());
        }
        let Some(list) = server.accepted(world.list()) else {
            return Ok(());
        };
        let now = world.reading().now;
        let ledger = &mut server.payment.ledger;
        ledger.merge_refunds(&list.operations, Cents, now);
    }
    let given = server.payment.ledger.give_back(new, world.reading().now);
    match given {
        Ok(_) if already_made => world.unasked += amount,
        Ok(_) => world.must_be_covered(&server.payment.ledger, "a return by hand")?,
        Err(_) => {}
    }
    Ok(())
}

pub(super) fn end_return(server: &mut Server, world: &World, how: u8) {
    let ledger = &mut server.payment.ledger;
    let open = ledger.returns.iter().find(|o| o.state == ReturnState::Open);
    if let Some(id) = open.map(|open| open.id.clone()) {
        let end = |by: &str| ReturnEnd {
            by: by.to_owned(),
            at: world.reading().now,
            reason: "so".to_owned(),
        };
        let _ = if how.is_multiple_of(2) {
            ledger.return_was_made(&id, end("bea"))
        } else {
            ledger.give_return_up(&id, end("ana"))
        };
    }
}

pub(super) fn reverse_once(
    world: &mut World,
    server: &mut Server,
    id: &str,
    how: u8,
) -> Result<(), Fault> {
    if !server.is_confirmed(world)? {
        return Ok(());
    }
    let at = world.reading();
    let (purpose, staff) = if how.is_multiple_of(2) {
        (Purpose::Reverse, Some("ana".to_owned()))
    } else {
        (Purpose::Cancel, None)
    };
    let new = NewReversal {
        id: id.to_owned(),
        purpose,
        staff,
        key: None,
        cause: None,
        allowed: u64::MAX,
        asked_at: at.now,
        may_run_for: LOST_FOR,
    };
    let ReserveReversalOutcome::Created(id) = server.payment.ledger.reserve_reversal(new, at)
    else {
        return Ok(());
    };
    let question = QuestionContext::cancellation(&server.payment.operation, at);
    let in_doubt = || SendFailure::NoAnswer.because("");
    let until = lost_until(world);
    let settled = world.truth == Truth::Settled;
    match how % 6 {
        0 | 1 if !settled => {
            world.cancel();
            world.carried_out.push(id.clone());
            world.must_be_covered(&server.payment.ledger, "a reversal")?;
            match server
                .accepted(world.answer())
                .filter(|_| how.is_multiple_of(6))
            {
                Some(response) => {
                    server.apply(world, &question, &response)?;
                    server
                        .payment
                        .ledger
                        .end_reversal(&id, in_doubt(), world.reading());
                }
                None => server
                    .payment
                    .ledger
                    .end_reversal(&id, in_doubt(), world.reading()),
            }
        }
        2 => {
            world.lost.push((id.clone(), until));
            server
                .payment
                .ledger
                .end_reversal(&id, in_doubt(), world.reading());
        }
        // The server stops before the answer; the request is on its way.
        4 => world.lost.push((id, until)),
        how => {
            let no = match how {
                5 => SendFailure::NotSent.because(""),
                _ => refused(409),
            };
            server.payment.ledger.end_reversal(&id, no, world.reading());
        }
    }
    server.follow(world)
}

fn lost_until(world: &World) -> i64 {
    world.time + i64::try_from(LOST_FOR.as_millis()).unwrap()
}

/// The service carries a lost request out.
pub(super) fn arrive(world: &mut World, server: &Server) -> Result<(), Fault> {
    let time = world.time;
    world.lost.retain(|(_, until)| *until > time);
    world.lost_refunds.retain(|(_, until)| *until > time);
    if let Some((refund, _)) = world.lost_refunds.pop() {
        world.refunds.push(refund);
        return world.must_be_covered(&server.payment.ledger, "a refund that arrived late");
    }
    let Some((id, _)) = world.lost.pop() else {
        return Ok(());
    };
    let before = world.truth;
    world.cancel();
    if world.truth == before {
        return Ok(());
    }
    world.carried_out.push(id);
    world.must_be_covered(&server.payment.ledger, "a request that arrived late")
}

/// A second person releases what is in doubt.
pub(super) fn release(world: &mut World, server: &mut Server) -> Result<(), Fault> {
    let at = world.reading();
    let release = || Release {
        by: "bea".to_owned(),
        at: at.now,
        reason: "so".to_owned(),
    };
    let pending = server
        .payment
        .ledger
        .pending_reversal()
        .map(|own| own.id.clone());
    if let Some(id) = pending {
        // Whoever releases asks for the state before.
        if server.query(world)?.is_some_and(Verdict::tells_state) {
            let _ = server.payment.ledger.release_reversal(&id, release(), at);
        }
        return server.follow(world);
    }
    let doubt = |own: &&AttemptRecord| own.state == AttemptState::InDoubt;
    let doubt = server.payment.ledger.attempts.iter().find(doubt);
    let Some(id) = doubt.map(|own| own.id.clone()) else {
        return Ok(());
    };
    let Some(list) = server.accepted(world.list()) else {
        return Ok(());
    };
    if is_complete(&server.payment.ledger.key, &list) {
        server
            .payment
            .ledger
            .merge_refunds(&list.operations, Cents, at.now);
        let looked = ListProof {
            began: at.now,
            may_run_for: LOST_FOR,
        };
        let _ = server.payment.ledger.release(&id, release(), looked, at);
    }
    Ok(())
}

fn refused(status: u16) -> Failed {
    let messages = Vec::new();
    SendFailure::Refused { status, messages }.because("")
}
