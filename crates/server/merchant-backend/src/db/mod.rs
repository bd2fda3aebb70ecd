//! The database: everything that must survive a restart. Each method of [`Db`] is atomic, and durable
//! when it returns; only turns, leases and plans may be lost when the power fails (`async_commit`).
//!
//! It reads rows as values of `payment_rules`, and changes orders by closures over such values. It
//! knows no HTTP, no payment service and no rule of a payment: the rules are in `payment_rules`, and
//! constraints of the schema enforce the most important ones once more.
//!
//! ```text
//! Orders and their payments
//!   update_order             changes orders: lock, load, change, save the difference, commit;  load_order: the first half
//!   begin_attempt            adds a new attempt to an order
//!   abandoned_requests       ends the requests of a process that has stopped
//!   save_shop_order          saves an order as its shop describes it
//! Tables
//!   orders                   orders, and the browsers that may pay them;  order_ends: those that take no payment or ended
//!                            unpaid;  pay_links: the addresses of their page
//!   payments                 one row a payment: its document, and what is searched
//!   operations               finds payments, and writes turns, hints and plans beside their documents; transaction ids from
//!                            notifications
//!   requests                 the requests that give money back, by id, key and account
//!   refund_watches           when refunds are queried again
//!   refused_codes            the number of consecutive refused QR codes of each store
//!   events, audit            events for the merchant's systems; the acts of staff
//!   deliveries, event_receivers
//!                            which event goes to which receiver, and when; the receivers of all servers
//!   program_lists            events and orders from a cursor on;  list_positions: positions that no cursor skips
//!   idempotency_keys         one answer for each key;  staff_sessions: sign-ins;  api_keys: keys of the shop
//!   second_factors, stored_factor
//!                            the second factors of staff, and the wrong codes that were tried
//!   restore_point            the instant of a restore; the table is `fence`
//! For staff and for operators
//!   staff_views              lists, searches and the page of an operation
//!   exceptions               what staff have to look at, as a projection;  exception_list: reads it, with what other facts decide
//!   health                   what a check sees of a database, readiness, and numbers of rows
//!   admin_connection, purge  commands beside a running server
//!   copy                     copies a file to a server, which takes its place
//!   bench_rows               rows for measurements
//! Transactions
//!   open, preconditions      opens the database, after it has checked lock, schema and mark of a copy
//!   connections              `Db`: its connections, and the queue of the writers of a file
//!   write_transaction, async_commit
//!                            transactions that wait for the disk, and those that do not
//!   lock                     the rows that a change locks before it reads them
//!   due                      rows that come due, and their leases
//!   notify                   notifications between the nodes of one database
//!   columns, error           values that several tables share; the errors
//!   engine                   everything specific to SQLite or PostgreSQL
//! ```

mod abandoned_requests;
mod admin_connection;
mod api_keys;
mod async_commit;
mod audit;
mod begin_attempt;
#[cfg(feature = "bench")]
mod bench_rows;
mod columns;
mod connections;
mod copy;
mod deliveries;
mod due;
mod engine;
mod error;
mod event_receivers;
mod events;
mod exception_list;
mod exceptions;
mod health;
mod idempotency_keys;
mod list_positions;
mod load_order;
mod lock;
mod notify;
mod open;
mod operations;
mod order_ends;
mod order_sessions;
mod orders;
mod pay_links;
mod payments;
mod preconditions;
mod program_lists;
mod purge;
#[cfg(test)]
mod query_plans;
mod refund_watches;
mod refused_codes;
mod requests;
mod restore_point;
mod save_shop_order;
mod second_factors;

#[cfg(test)]
mod server_tests;
mod staff_links;
mod staff_news;
mod staff_sessions;
mod staff_views;
mod stored_factor;
#[cfg(test)]
pub(crate) mod testing;
mod update_order;
mod write_transaction;

pub(crate) use admin_connection::AdminDb;
pub use admin_connection::AdminDbError;
pub(crate) use begin_attempt::BeginAttemptOutcome;
pub(crate) use connections::Db;
pub(crate) use copy::{CopyError, abandon, copy};
pub(crate) use deliveries::DueEvent;
pub(crate) use due::Turn;
pub use error::DatabaseError;
pub(crate) use error::DbError;
pub(crate) use event_receivers::ResendEventOutcome;
pub(crate) use event_receivers::ResumeOutcome;
pub(crate) use health::{Inspected, inspect, standbys_may_lack_commits};
pub(crate) use notify::Change;
pub(crate) use operations::HintSource;
pub(crate) use order_sessions::{GrantOutcome, Proof};
pub(crate) use pay_links::StoredPayLink;
pub(crate) use program_lists::{
    EventCursor, EventPage, ListedDelivery, ListedEvent, OrderPage, UntriedCursor,
};
pub(crate) use purge::PurgeFile;
pub(crate) use second_factors::{CodeAttempt, CodeOutcome, CodeSession};
pub(crate) use staff_links::{MakeLinkOutcome, NewStaffLink, StaffLinkCursor, StoredStaffLink};
pub(crate) use staff_sessions::{Holder, NewSession};
pub(crate) use staff_views::OperationPage;
