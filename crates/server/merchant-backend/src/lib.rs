//! The reference merchant server: it keeps the access token, owns orders and amounts, sends
//! payments to the payment service, and believes only what that service answers.
//!
//! A merchant's own program, such as `crates/demo/demo-shop`, makes the orders: its `main` calls [`run`]
//! with routes of its own, and these register orders with [`Orders`]. The merchant does not edit
//! this crate. The example `smallest_shop` is such a program in 60 lines.
//!
//! A request comes in at the top and goes down floor by floor; no floor knows one above it.
//!
//! ```text
//! program     the commands, start and stop of a whole program
//! server      sockets and connections; puts the parts together, starts and stops them
//! http        addresses, bodies, headers, cookies; turns refusals into problems
//! background  takes due work from the database and calls the use cases
//! payments    the use cases: authorize, cancel, refund, reconcile
//! orders      where orders come from, and their registration
//! shop_orders what a shop says of its orders: signed tokens, answers
//! webhooks    events to the merchant's own systems
//! config      settings, as a person writes them
//! staff       accounts, passwords, sign-ins, files of searches
//! metrics     what the server counts, for Prometheus
//! log         lines of JSON on the standard output, which hold no request up
//! check       looks at everything that a server needs
//! api_keys    commands that make and end the keys of the shop's programs, beside a running server
//! maintenance commands: copy a file to a server, forget payers, set a fence after a restore
//! idempotency one answer for each key
//! ambient     the clocks and random bytes of a node, and the world around it in a simulation
//! single_flight one query for all callers;  wakeups, tasks: waiting requests, background tasks
//! db          the database: one file a table;  database_address: its place
//! payment_service  the client of the payment service;  wire, http_client: requests to a configured address
//! ```
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
pub use payment_rules::order::{OrderItem, OrderState};
pub use payment_rules::service_answers::AcceptedCodes;
pub use payment_rules::service_answers::AmountUnits;
pub use payment_service::{TokenError, TokenSource};
pub use program::{OwnRoutes, run};
pub use secrecy::SecretString;
pub use server::backend::{Backend, StartError, app_with};
pub use server::serve;
pub use staff::{StaffAccounts, StaffFileError, hash_password};
