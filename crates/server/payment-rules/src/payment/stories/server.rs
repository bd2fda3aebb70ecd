//! The server of a story: it stores what the rules decide, and asks as its use cases do.

use super::world::World;
use super::{AMOUNT, Fault};
use crate::ledger::Ledger;
use crate::ledger::fixture::{ledger, refund};
use crate::operation::fixture::{authorized, record};
use crate::operation::{QuestionContext, Verdict};
use crate::payment::{OperationAnswer, Payment, announce};
use crate::service_answers::AmountUnits::Cents;
use crate::service_answers::{AcceptedCodes, Answer};
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

    pub(super) fn question(&self, world: &World) -> QuestionContext {
        let pending = self
            .payment
            .ledger
            .pending_reversal()
            .map(|own| own.begun_at);
        QuestionContext::query(&self.payment.operation, pending, world.reading())
    }

    pub(super) fn accepted<A: Answer>(&self, answer: Option<A>) -> Option<A> {
        answer.filter(|answer| self.codes.accept(answer))
    }

    /// Asks the service, and stores what it answers.
    pub(super) fn query(&mut self, world: &World) -> Result<Option<Verdict>, Fault> {
        let question = self.question(world);
        match self.accepted(world.answer()) {
            Some(response) => self.apply(world, &question, &response).map(Some),
            None => Ok(None),
        }
    }

    pub(super) fn apply(
        &mut self,
        world: &World,
        question: &QuestionContext,
        response: &QueryResponse,
    ) -> Result<Verdict, Fault> {
        let answer = OperationAnswer {
            merchant_code: &response.merchant_code,
            operation: &response.operation,
            units: Cents,
        };
        let knew = question.knew_state(&self.payment.operation);
        let now = world.reading().now;
        let verdict = self.payment.apply_answer(answer, question, None, now);
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
        Ok(verdict)
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
        let verdict = self.query(world)?;
        Ok(verdict == Some(Verdict::Believed) && !self.payment.operation.is_disputed())
    }
}
