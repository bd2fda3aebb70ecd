//! Payments of orders: authorize, query, cancel, and settle doubts.
//!
//! It knows the database, the payment service and the rules; it knows no address, no status code
//! and no cookie, and of refunds only the ledger that both share.

mod ask_by_hint;
mod authorize;
mod cancel_for_payer;
mod cancel_for_staff;
pub(crate) mod checkout_token;
mod draft;
mod payment_attempt;
mod planned_query;
mod query;
mod query_result;
mod record_answer;
mod replace_live_code;
mod retries;
mod send_authorization;
mod send_cancellation;
mod settle_doubt;
mod take_hint;
mod undo_attempt;

pub(crate) use cancel_for_payer::{Cancelled, NotCancelled};
pub(crate) use cancel_for_staff::{CancelWanted, NotDone};
pub(crate) use payment_attempt::{Authorization, AuthorizeOrder, Method, Undecided};
pub(crate) use query_result::{Queried, QueryError};

use crate::config::{MethodDetails, Timing};
use crate::cookie_key::CookieKey;
use crate::db::Db;
use crate::idempotency::Keys;
use crate::payment_service::Service;
use crate::shared_query::Askers;
use crate::tasks::Tasks;
use crate::wakeups::Wakeups;
use payment_rules::amount_units::AmountUnits;
use std::sync::Arc;
use url::Url;

/// Payments, with the parts that they need.
#[derive(Clone)]
pub(crate) struct Charges {
    pub(crate) db: Db,
    pub(crate) keys: Keys,
    pub(crate) service: Arc<Service>,
    pub(crate) wakeups: Wakeups,
    pub(crate) tasks: Tasks,
    pub(crate) cookie_key: CookieKey,
    pub(crate) queries: Askers<Result<Queried, QueryError>>,
    pub(crate) settings: Arc<ChargeSettings>,
}

/// The merchant's settings for payments.
pub(crate) struct ChargeSettings {
    pub(crate) amount_units: AmountUnits,
    /// The beginning of every operation number of this installation.
    pub(crate) operation_prefix: String,
    /// The length of operation numbers, prefix included.
    pub(crate) operation_length: usize,
    /// The address under which the payment service reaches this server's `/api`.
    pub(crate) public_url: Url,
    pub(crate) method_details: MethodDetails,
    pub(crate) timing: Timing,
}
