//! The world outside of the rules: the payment service, and the clocks.

use super::{AMOUNT, Fault, MINUTE};
use crate::ledger::Ledger;
use crate::ledger::fixture::list;
use crate::operation::QuestionContext;
use crate::operation::fixture::{operation, transaction};
use crate::timing::{Reading, instant};
use payment_model::{Meta, Outcome, QueryResponse, Refund, RefundQueryResponse};
use staff_model::ReturnState;
use std::time::Duration;

/// What the service has, whatever it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    Waiting,
    Paid,
    Settled,
    /// The bank took the payment back.
    Denied,
    Cancelled,
    Reversed,
    PaidAgain,
}

impl Truth {
    pub(super) fn state(self) -> &'static str {
        match self {
            Self::Waiting => "PENDIENTE",
            Self::Paid | Self::PaidAgain => "AUTORIZADO",
            Self::Settled => "LIQUIDADO",
            Self::Denied => "DENEGADO",
            Self::Cancelled | Self::Reversed => "CANCELADO",
        }
    }

    pub(super) fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Waiting => None,
            Self::Paid | Self::Settled | Self::PaidAgain => Some(Outcome::Paid),
            Self::Denied => Some(Outcome::Declined),
            Self::Cancelled => Some(Outcome::Cancelled),
            Self::Reversed => Some(Outcome::Reversed),
        }
    }
}

/// How the service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    Full,
    /// Without a history.
    Bare,
    /// With `success` false, or with another code than the accepted ones.
    Unaccepted(bool),
    /// With an end in the operation that its transaction contradicts.
    Contradictory,
    Silent,
}

/// The world outside of the rules, with the real time and the clock of the server.
pub(super) struct World {
    /// In milliseconds.
    pub(super) time: i64,
    /// By how much the clock is wrong.
    pub(super) wrong: i64,
    pub(super) even_since: i64,
    pub(super) truth: Truth,
    pub(super) manner: Manner,
    pub(super) refunds: Vec<Refund>,
    /// Cancellations that may still be carried out, by the ids of their reversals, and until when.
    pub(super) lost: Vec<(String, i64)>,
    /// Refunds whose requests may still arrive, and until when.
    pub(super) lost_refunds: Vec<(Refund, i64)>,
    /// The ids of reversals that were carried out.
    pub(super) carried_out: Vec<String>,
    /// Cents that staff gave back by hand before the server allowed it.
    pub(super) unasked: u64,
    /// Answers on their way.
    pub(super) late: Vec<(QuestionContext, QueryResponse)>,
}

impl World {
    pub(super) fn new() -> Self {
        Self {
            time: 0,
            wrong: 0,
            even_since: -60 * MINUTE,
            truth: Truth::Waiting,
            manner: Manner::Full,
            refunds: Vec::new(),
            lost: Vec::new(),
            lost_refunds: Vec::new(),
            carried_out: Vec::new(),
            unasked: 0,
            late: Vec::new(),
        }
    }

    pub(super) fn reading(&self) -> Reading {
        let even = u64::try_from(self.time - self.even_since).unwrap();
        Reading {
            now: instant(1_763_700_000_000 + self.time + self.wrong),
            stable_for: Duration::from_millis(even),
        }
    }

    pub(super) fn jump(&mut self, by: i64) {
        self.wrong += by;
        self.even_since = self.time;
    }

    /// All money that left the merchant, or that may leave without another request.
    pub(super) fn out(&self, ledger: &Ledger) -> u64 {
        let refunds = self.refunds.iter();
        let refunds = refunds.filter(|refund| refund.state.reserves_its_amount());
        let refunds: u64 = refunds.filter_map(|r| r.refund_amount.cents()).sum();
        let returns = ledger.returns.iter();
        let returns = returns.filter(|one| one.state != ReturnState::GivenUp);
        let returns: u64 = returns.map(|one| one.amount).sum();
        let reversed = matches!(self.truth, Truth::Reversed | Truth::PaidAgain);
        refunds + returns + if reversed { AMOUNT } else { 0 }
    }

    pub(super) fn paid(&self) -> u64 {
        match self.truth {
            Truth::Waiting | Truth::Denied | Truth::Cancelled => 0,
            Truth::Paid | Truth::Settled | Truth::Reversed => AMOUNT,
            Truth::PaidAgain => 2 * AMOUNT,
        }
    }

    /// Right after money left by an act of the server: never more than came.
    pub(super) fn must_be_covered(&self, ledger: &Ledger, act: &str) -> Result<(), Fault> {
        let (out, paid) = (self.out(ledger), self.paid() + self.unasked);
        if out > paid {
            return Err(format!("{act}: {out} cents left, and {paid} came"));
        }
        Ok(())
    }

    pub(super) fn cancel(&mut self) {
        self.truth = match self.truth {
            Truth::Waiting => Truth::Cancelled,
            Truth::Paid | Truth::PaidAgain => Truth::Reversed,
            other => other,
        };
    }

    pub(super) fn answer(&self) -> Option<QueryResponse> {
        let state = match self.manner {
            // A request that is not accepted has an answer about nothing.
            Manner::Unaccepted(true) => "AUTORIZADO",
            Manner::Unaccepted(false) => "EXPIRADO",
            // Whichever of the two is true.
            Manner::Contradictory => "LIQUIDADO",
            _ => self.truth.state(),
        };
        let lifecycle: &[&str] = match (self.manner, self.truth) {
            (Manner::Bare, _) => &[],
            (_, Truth::Reversed) => &["PENDIENTE", "AUTORIZADO", "CANCELADO"],
            _ => &["PENDIENTE"],
        };
        let mut response = QueryResponse {
            success: true,
            merchant_code: "shop".into(),
            operation: operation(&transaction(state, lifecycle)),
            meta: Meta::accepted(),
        };
        if self.manner == Manner::Contradictory {
            response.operation.state = "CANCELADO".into();
        }
        self.spoil(&mut response.success, &mut response.meta)?;
        Some(response)
    }

    pub(super) fn list(&self) -> Option<RefundQueryResponse> {
        // A service that does not accept a request has nothing to list.
        let unaccepted = matches!(self.manner, Manner::Unaccepted(_));
        let mut list = list(if unaccepted { &[] } else { &self.refunds });
        self.spoil(&mut list.success, &mut list.meta)?;
        Some(list)
    }

    pub(super) fn spoil(&self, success: &mut bool, meta: &mut Meta) -> Option<()> {
        match self.manner {
            Manner::Full | Manner::Bare | Manner::Contradictory => {}
            Manner::Unaccepted(true) => *success = false,
            Manner::Unaccepted(false) => *meta = Meta::new("99", "no"),
            Manner::Silent => return None,
        }
        Some(())
    }
}
