//! Databases for tests: a file of SQLite each, or a database each of a PostgreSQL server.
//!
//! `cargo xtask test --only postgres` runs the tests of this folder with `TEST_DATABASE=postgres`. Those that are about
//! one engine choose it themselves.

use super::begin_attempt::{BeginAttemptOutcome, begin};
use super::connections::Db;
use super::engine::{Connection, postgres};
use super::error::{DatabaseError, DbError};
use super::lock::Lock;
use crate::clock::now;
use crate::database_address::DatabaseAddress;
use payment_rules::event::EventFilter;
use payment_rules::ledger::Ledger;
use payment_rules::offer::MethodLimits;
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::FullOrderId;
use payment_rules::payment::Order;
use sqlx::AssertSqlSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;
use test_postgres::Postgres;

/// The receiver of events of every database of a test that names no others.
pub(crate) const RECEIVER: &str = "shop";

impl Db {
    /// These are the receivers of events from now on, and no others.
    pub(crate) async fn set_receivers(&self, receivers: &[(&str, EventFilter)]) {
        let mut transaction = self.write(Lock::None).await.unwrap();
        let forget = sqlx::query("DELETE FROM event_receivers");
        forget.execute(&mut *transaction).await.unwrap();
        transaction.commit().await.unwrap();
        let receivers = receivers.iter().map(|(name, filter)| (*name, filter));
        self.note_receivers(receivers, now()).await.unwrap();
    }

    /// Puts an operation on disk without an attempt of a payer.
    pub(crate) async fn put(
        &self,
        record: &OperationRecord,
    ) -> Result<BeginAttemptOutcome, DbError> {
        let mut transaction = self.write(Lock::Order(&record.full_order_id())).await?;
        let outcome = begin(&mut transaction, record, &MethodLimits::default()).await?;
        transaction.commit().await?;
        Ok(outcome)
    }

    /// Changes one operation of an order.
    pub(crate) async fn change(
        &self,
        key: &OperationKey,
        mut change: impl FnMut(&mut OperationRecord) + Send,
    ) -> Result<(), DbError> {
        let change =
            |order: &mut Order| order.payment_mut(key).map(|one| change(&mut one.operation));
        self.update_order(key, change).await.map(drop)
    }

    /// Changes the ledger of one operation; returns it.
    pub(crate) async fn change_ledger<R>(
        &self,
        key: &OperationKey,
        mut change: impl FnMut(&mut Ledger) -> R + Send,
    ) -> Result<(Ledger, R), DbError> {
        let change = |order: &mut Order| order.payment_mut(key).map(|one| change(&mut one.ledger));
        let (order, result) = self.update_order(key, change).await?;
        let ledger = order.ledger(key).unwrap().clone();
        Ok((ledger, result.unwrap()))
    }
}

/// The place of a database of one test.
pub(crate) struct Place {
    address: DatabaseAddress,
    /// Lives as long as the test.
    _directory: Option<TempDir>,
}

impl Place {
    /// A new database, of the engine that this run is about.
    pub(crate) async fn new() -> Self {
        if test_postgres::is_test_database()
            && let Some(server) = test_postgres::shared()
        {
            return Self::on(server).await;
        }
        Self::file()
    }

    fn file() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self {
            address: DatabaseAddress::File(directory.path().join("merchant.db")),
            _directory: Some(directory),
        }
    }

    /// A new database of PostgreSQL; `None` if it is not installed.
    pub(crate) async fn server() -> Option<Self> {
        Some(Self::on(test_postgres::shared()?).await)
    }

    /// The first database of a server.
    pub(crate) fn first_of(server: &Postgres) -> Self {
        Self::at(&server.address())
    }

    fn at(address: &str) -> Self {
        Self {
            address: DatabaseAddress::read(address).unwrap(),
            _directory: None,
        }
    }

    async fn on(server: &Postgres) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let mut connection = postgres::connect_once(&server.address()).await.unwrap();
        let made = sqlx::raw_sql(AssertSqlSafe(format!("CREATE DATABASE {name}")));
        made.execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        Self::at(&server.address_of(&name))
    }

    pub(crate) fn address(&self) -> &DatabaseAddress {
        &self.address
    }

    pub(crate) fn is_server(&self) -> bool {
        matches!(self.address, DatabaseAddress::Server(_))
    }

    /// Opens it, as a process does that starts. The first one notes a receiver.
    pub(crate) async fn open(&self) -> Db {
        let db = self.try_open().await.unwrap();
        let mut reader = db.reader().await.unwrap();
        let known = sqlx::query("SELECT 1 FROM event_receivers LIMIT 1");
        let known = known.fetch_optional(&mut reader).await.unwrap();
        drop(reader);
        if known.is_none() {
            db.set_receivers(&[(RECEIVER, EventFilter::default())])
                .await;
        }
        db
    }

    pub(crate) async fn try_open(&self) -> Result<Db, DatabaseError> {
        Db::open(&self.address).await
    }

    /// Lets an hour pass for every lease of a server, whose clock no test sets.
    pub(crate) async fn end_leases(&self, db: &Db) {
        if self.is_server() {
            super::due::tests::run(
                db,
                "UPDATE operations SET leased_until = leased_until - 3600000;
                 UPDATE refund_watches SET leased_until = leased_until - 3600000;
                 UPDATE deliveries SET leased_until = leased_until - 3600000;
                 UPDATE idempotency_keys SET running_until = running_until - 3600000",
            )
            .await;
        }
    }

    /// One connection of a third party.
    pub(in crate::db) async fn beside(&self) -> Connection {
        use secrecy::ExposeSecret;
        let DatabaseAddress::Server(server) = &self.address else {
            panic!("a file has one owner");
        };
        let connection = postgres::connect_once(server.address.expose_secret());
        connection.await.unwrap()
    }
}

/// The id of an order of the store of most tests.
pub(crate) fn of_shop(order_id: &str) -> FullOrderId {
    FullOrderId::new("shop", order_id)
}
