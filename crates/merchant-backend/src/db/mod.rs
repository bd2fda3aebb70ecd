//! The database: all that must survive a restart. Each method of [`Db`] is atomic, and durable
//! when it returns; only turns, leases and plans may be lost when the power fails
//! (`delayed_durability`).
//!
//! It offers rows as values of `payment_rules`, and changes orders by closures over such values. It
//! knows no HTTP, no payment service and no rule of a payment: the rules are in `payment_rules`, and
//! constraints of the schema enforce the most important ones once more.
//!
//! ```text
//! open            opens the database, and ends what a stopped process left running
//! beside, purge, inspect, bench_rows
//!                 beside a running server: forgets payers, looks; rows for measurements
//! copy            copies everything from a file to a server, which takes its place
//! update_order    changes orders: lock, load, change, save the difference, commit
//! load_order, save_order
//!                 an order with everything about its payments, read and written
//! begin_attempt, gone_senders, save_shop_order
//!                 the changes of orders that begin with something else than an operation
//! ledgers, resolved_exceptions, search, operation_list, exceptions,
//! exception_sources, standing, given_back_by
//!                 families of queries over several tables
//! orders, order_sessions, operations, refund_attempts, refunds, manual_returns, reversals,
//! refund_watches, events, idempotency_keys, staff_sessions, audit, readiness, moved, fence,
//! lost_commits    one table each
//! acknowledged_commits
//!                 what proves that a server lost commits
//! noted           the tables of exceptions that are noted;  differences: compares a statement
//! operation_row, columns, ledger_entries
//!                 values as rows
//! connections     `Db`, and its transactions
//! write_queue, write_transaction, scope, delayed_durability, due
//!                 the order of writers, their transactions, the rows on which a change rests,
//!                 writes that may be lost, due rows
//! news            changes by other processes
//! schema, engine, database_file, clock, error, database_error
//!                 migrations; everything specific to SQLite and PostgreSQL; the file of the one,
//!                 the clock of the other
//! ```

mod acknowledged_commits;
mod audit;
mod begin_attempt;
#[cfg(feature = "bench")]
mod bench_rows;
mod beside;
mod clock;
mod columns;
mod connections;
mod copy;
mod database_error;
mod database_file;
mod delayed_durability;
mod differences;
mod due;
mod engine;
mod error;
mod events;
mod exception_sources;
mod exceptions;
mod fence;
mod given_back_by;
mod gone_senders;
mod idempotency_keys;
mod inspect;
mod ledger_entries;
mod ledgers;
mod load_order;
mod lost_commits;
mod manual_returns;
mod moved;
mod news;
mod noted;
mod open;
mod operation_list;
mod operation_row;
mod operations;
mod order_sessions;
mod orders;
mod purge;
#[cfg(test)]
mod query_plans;
mod readiness;
mod refund_attempts;
mod refund_watches;
mod refunds;
mod resolved_exceptions;
mod reversals;
mod save_order;
mod save_shop_order;
mod schema;
mod scope;
mod search;
#[cfg(test)]
mod server_tests;
mod staff_sessions;
mod standing;
#[cfg(test)]
pub(crate) mod testing;
mod transaction_hints;
mod update_order;
mod write_queue;
mod write_transaction;

pub(crate) use acknowledged_commits::Found;
pub(crate) use begin_attempt::BeginAttemptOutcome;
pub(crate) use beside::{Beside, BesideError};
pub(crate) use connections::Db;
pub(crate) use copy::{CopyError, abandon, copy};
pub use database_error::DatabaseError;
pub(crate) use delayed_durability::Turn;
pub(crate) use error::DbError;
pub(crate) use events::StoredEvent;
pub(crate) use exceptions::FoundException;
pub(crate) use inspect::{Inspected, inspect, standbys_may_lack_commits};
pub(crate) use news::Changed;
pub(crate) use operation_list::OperationPage;
pub(crate) use purge::PurgeFile;
pub(crate) use staff_sessions::Holder;
