//! The reference merchant server: it keeps the access token, owns orders and amounts, sends
//! payments to the payment service, and believes only what that service answers.
//!
//! A merchant's own program, such as `crates/demo/demo-shop`, makes the orders: its `main` calls [`run`]
//! with routes of its own, and these register orders with [`Orders`]. The merchant does not edit
//! this crate. The example `smallest_shop` is such a program in 60 lines.
//!
//! `ARCHITECTURE.md` draws the modules from the top, where a request comes in, to the bottom; none knows one above it.
//!
//! The rules are in `crates/server/payment-rules`: pure functions over operations, ledgers and orders.

mod ambient;
mod api_keys;
mod background;
#[cfg(feature = "bench")]
pub mod bench;
mod check;
mod clock;
mod clock_jumps;
mod config;
mod cookies;
mod database_address;
#[cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]
mod db;
mod http;
mod http_client;
mod json_value;
mod log;
mod maintenance;
mod metrics;
mod orders;
mod payment_service;
mod payments;
mod plain_text;
mod program;
mod random;
mod rate_limits;
mod redacted_parse_error;
mod send_window;
mod server;
mod shop_orders;
mod single_flight;
mod staff;
mod tasks;
mod trace;
mod wakeups;
mod webhooks;
mod wire;

/// Runs servers in a world of the caller: on its clocks and random bytes, over its network, and with the failures of
/// the database that it wants. A program that serves payers needs nothing of this.
pub mod simulation {
    pub use crate::ambient::{Fate, Machine, NoRandomness, Node, Simulation};
    pub use crate::program::carry_out;
}

pub use config::allowed_redirects::{RedirectAllow, RedirectRefusal};
pub use config::{
    Command, Config, EventCommand, KeyCommand, MerchantStore, MerchantStores, MethodDetails,
    NewApiKey, Settings, Timing, WrongSettings,
};
pub use database_address::DatabaseAddress;
pub use db::{AdminDbError, DatabaseError};
#[doc(hidden)]
pub use http::routes;
pub use http::{
    ByName, Caller, Failure, JsonBody, OrderOperation, Orders, PayerSession, PayersOrder, Problem,
};
pub use maintenance::{PurgeError, Purged, purge};
pub use orders::{NewOrder, RegisterError};
pub use payment_rules::offer::MethodLimits;
pub use payment_rules::order::{OrderItem, OrderState};
pub use payment_rules::service_answers::AcceptedCodes;
pub use payment_rules::service_answers::AmountUnits;
pub use payment_rules::service_answers::RefusedCodes;
pub use payment_service::{TokenError, TokenSource};
pub use program::{OwnRoutes, run};
pub use secrecy::SecretString;
pub use server::backend::{Backend, StartError, app_with};
pub use server::serve;
pub use staff::{SecondFactorPolicy, StaffAccounts, StaffFileError, hash_password};
