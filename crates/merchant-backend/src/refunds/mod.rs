//! Giving money back: refunds, returns by hand, and releases of doubts.
//!
//! The ledger has the rules; this code applies them at the right time, with every step on disk
//! before the next. It knows payments, since a refund asks for the state first; payments know
//! nothing of it. It knows no address and no status code.

mod answer;
mod change_ledger;
mod end_manual_return;
mod idempotent;
mod look_up;
mod look_up_answer;
mod record_manual_return;
mod refund;
mod refund_request;
mod refund_rules;
mod refusal;
mod release_refund_attempt;
mod release_reversal;
mod reserve_attempts;
mod send_refund;

pub(crate) use end_manual_return::{ReturnEndKind, ReturnEndWanted};
pub(crate) use record_manual_return::ReturnWanted;
pub(crate) use refund_request::{ItemWanted, RefundWanted};
pub(crate) use refusal::{NotGivenBack, NotReleased, RefundsUnknown};
pub(crate) use release_refund_attempt::ReleaseWanted;
pub(crate) use release_reversal::ReversalReleaseWanted;

use crate::charges::Charges;
use crate::config::Timing;
use crate::db::Db;
use crate::idempotency::Keys;
use crate::payment_service::Service;
use crate::shared_query::Askers;
use crate::wakeups::Wakeups;
use look_up_answer::{LookUpError, LookedUp};
use payment_rules::amount_units::AmountUnits;
use std::sync::Arc;

/// Refunds and returns, with the parts that they need.
#[derive(Clone)]
pub(crate) struct Refunds {
    pub(crate) db: Db,
    pub(crate) keys: Keys,
    pub(crate) service: Arc<Service>,
    pub(crate) wakeups: Wakeups,
    pub(crate) charges: Charges,
    pub(crate) look_ups: Askers<Result<LookedUp, LookUpError>>,
    pub(crate) amount_units: AmountUnits,
    pub(crate) timing: Timing,
}
