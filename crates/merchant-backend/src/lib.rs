//! The reference merchant server: it keeps the access token, owns orders and amounts, sends
//! payments to the payment service, and believes only what that service answers.
//!
//! ```text
//! server     the socket and its connections   -> api
//! api        addresses, bodies, headers        -> payment, refunding
//! payment    authorize, query, cancel, doubts  -> operation, store, service
//! refunding  refund, look up, release, return  -> refund, payment, store, service
//! events     tells the merchant's own systems  -> store
//! sweeper    looks though nobody asks          -> payment, refunding
//! operation  how a state may change (pure)
//! refund     what may be given back (pure)
//! desk       what staff search for, and files of it (pure)
//! staff      accounts, passwords, who is signed in -> store
//! abandoned  removes orders that nobody began to pay -> store
//! purge      forgets the payers of old orders  -> store
//! store      what survives a restart (SQLite)
//! service    the client to the payment service
//! ```

mod amount_units;
mod background;
#[cfg(feature = "bench")]
pub mod bench;
mod catalog;
mod charges;
mod clock;
mod config;
#[cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]
mod db;
// A clock may say anything, and so may a date of the service: sums of times saturate.
#[cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]
mod domain;
mod http;
mod idempotency;
mod parse_fault;
mod purge;
mod random;
mod refunds;
mod secret;
mod server;
mod service;
mod signer;
mod staff;
mod tasks;
mod wakeups;
mod webhooks;

pub use amount_units::AmountUnits;
pub use config::redirect_allow::{RedirectAllow, RedirectRefusal};
pub use config::{
    Command, Config, EventsConfig, MerchantStore, MerchantStores, MethodDetails, Pace, Settings,
    StaffConfig, WrongSettings,
};
pub use db::DatabaseError;
pub use purge::{PurgeError, Purged, purge};
pub use secret::Secret;
pub use server::backend::{Backend, StartError, app};
pub use server::serve;
pub use service::{TokenError, TokenSource};
pub use staff::{StaffAccounts, StaffFileError, hash_password};
