//! The server of a story: it stores what the rules decide, and asks as its use cases do.

use super::world::World;
use super::{AMOUNT, Fault};
use crate::accepted::{AcceptedCodes, Answer};
use crate::amount_units::AmountUnits::Cents;
use crate::ledger::Ledger;
use crate::ledger::fixture::{ledger, refund};
use crate::operation::fixture::{authorized, record};
use crate::operation::{Asked, Taken};
use crate::payment::{OperationAnswer, Payment, announce};
use payment_model::{Outcome, PaymentMethodName, QueryResponse};

pub(super) struct Server {
    pub(super) payment: Payment,
    pub(super) codes: AcceptedCodes,
}

impl Server {
    pub(super) fn new(world: &World) -> Self {
        let now = world.reading().now;
        let mut record = record();
        record.method = PaymentMethodName::Installment;
        record.created_at = now;
        record.register(&authorized(), Cents, now);
        let mut ledger = Ledger {
            key: record.key.clone(),
            transaction_id: None,
            method: record.method.clone(),
            state: None,
            outcome: None,
            amount: AMOUNT,
            currency: record.currency.clone(),
            ..ledger()
        };
        ledger.follow(&record, now);
        // The service refused a refund once, so that returns by hand are allowed as well.
        ledger.merge_refunds(&[refund("no", "REJECTED", "1")], Cents, now);
        Self {
            payment: Payment::new(record, ledger),
            codes: AcceptedCodes::read(AcceptedCodes::DEFAULT).unwrap(),
        }
    }

    pub(super) fn asked(&self, world: &World) -> Asked {
        let pending = self
            .payment
            .ledger
            .pending_reversal()
            .map(|own| own.begun_at);
        Asked::query(&self.payment.operation, pending, world.reading())
    }

    pub(super) fn accepted<A: Answer>(&self, answer: Option<A>) -> Option<A> {
        answer.filter(|answer| self.codes.accept(answer))
    }

    /// Asks the service, and stores what it answers.
    pub(super) fn query(&mut self, world: &World) -> Result<Option<Taken>, Fault> {
        let asked = self.asked(world);
        match self.accepted(world.answer()) {
            Some(response) => self.take(world, &asked, &response).map(Some),
            None => Ok(None),
        }
    }

    pub(super) fn take(
        &mut self,
        world: &World,
        asked: &Asked,
        response: &QueryResponse,
    ) -> Result<Taken, Fault> {
        let answer = OperationAnswer {
            merchant_code: &response.merchant_code,
            operation: &response.operation,
            units: Cents,
        };
        let knew = asked.knew_state(&self.payment.operation);
        let now = world.reading().now;
        let taken = self.payment.apply_answer(answer, asked, None, now);
        self.follow(world)?;
        let answered = response.operation.transactions[0].outcome();
        let stored = self.payment.operation.outcome();
        let is_money = |outcome| matches!(outcome, Some(Outcome::Paid | Outcome::Reversed));
        let same = answered == stored
            || (answered == Some(Outcome::Cancelled) && stored == Some(Outcome::Reversed));
        if knew && answered.is_some() && !same && !self.payment.operation.is_disputed() {
            let concerns = |one: Option<Outcome>, other| {
                one == Some(Outcome::Paid) || (is_money(one) && is_money(other))
            };
            if concerns(stored, answered) || concerns(answered, stored) {
                return Err(format!("{answered:?} after {stored:?} left no trace"));
            }
        }
        Ok(taken)
    }

    /// As the transaction of a change does.
    pub(super) fn follow(&mut self, world: &World) -> Result<(), Fault> {
        let was = self.payment.operation.announced_at;
        let Payment {
            operation, ledger, ..
        } = &mut self.payment;
        announce(operation, ledger, world.reading().now);
        let pending = self.payment.ledger.pending_reversal().is_some();
        let pending = pending || self.payment.operation.is_disputed();
        if was.is_none() && self.payment.operation.announced_at.is_some() && pending {
            return Err("a payment was announced that may be on its way back".to_owned());
        }
        Ok(())
    }

    /// True when a fresh state permits that money leaves.
    pub(super) fn is_confirmed(&mut self, world: &World) -> Result<bool, Fault> {
        let taken = self.query(world)?;
        Ok(taken == Some(Taken::Believed) && !self.payment.operation.is_disputed())
    }
}
