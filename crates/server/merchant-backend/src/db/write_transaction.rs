use super::engine::{Connection, Engine, Pool};
use super::error::DbError;
use crate::ambient;
use payment_rules::planted_mistakes::{Mistake, planted};
use scopeguard::ScopeGuard;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

/// How long a rollback may take.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(5);

/// A transaction that may write.
///
/// Without a commit it is rolled back, also when its future is dropped. Its turn in the queue ends after
/// the rollback, since an open transaction would block every later one. A connection whose rollback
/// fails is closed and never used again.
pub(super) struct WriteTx {
    open: ScopeGuard<Open, fn(Open)>,
    /// Counts the commits that make something durable.
    syncs: Arc<AtomicU64>,
}

struct Open {
    connection: Connection,
    /// The turn in the queue of the writers of a file.
    turn: Option<OwnedMutexGuard<()>>,
}

impl WriteTx {
    /// Begins without a place in the queue of writers.
    pub(super) async fn begin(pool: &Pool) -> Result<Self, DbError> {
        Self::begin_in_turn(pool, None, Arc::default()).await
    }

    async fn begin_by(
        begin: fn(Engine) -> &'static str,
        pool: &Pool,
        turn: Option<OwnedMutexGuard<()>>,
        syncs: Arc<AtomicU64>,
    ) -> Result<Self, DbError> {
        let connection = pool.acquire().await?;
        let open = scopeguard::guard(Open { connection, turn }, roll_back as fn(Open));
        let mut tx = Self { open, syncs };
        let begin = begin(Engine::of(&tx));
        sqlx::query(begin).execute(&mut *tx).await?;
        Ok(tx)
    }

    pub(super) async fn begin_in_turn(
        pool: &Pool,
        turn: Option<OwnedMutexGuard<()>>,
        syncs: Arc<AtomicU64>,
    ) -> Result<Self, DbError> {
        Self::begin_by(Engine::begin_to_write, pool, turn, syncs).await
    }

    /// Commits durably. After an error the outcome is unknown: only a new read shows whether the change
    /// is durable.
    pub(super) async fn commit(self) -> Result<(), DbError> {
        self.syncs.fetch_add(1, Ordering::Relaxed);
        let committed = self.end().await.map(drop);
        if planted(Mistake::CommitErrorIsIgnored) {
            return Ok(());
        }
        committed
    }

    /// Commits as durably as its connection is set to, and returns its turn.
    pub(super) async fn end(mut self) -> Result<Option<OwnedMutexGuard<()>>, DbError> {
        sqlx::query("COMMIT").execute(&mut *self).await?;
        let Open { connection, turn } = ScopeGuard::into_inner(self.open);
        drop(connection);
        Ok(turn)
    }
}

fn roll_back(open: Open) {
    let Open {
        mut connection,
        turn,
    } = open;
    let Ok(runtime) = Handle::try_current() else {
        connection.close_on_drop();
        return;
    };
    runtime.spawn(ambient::task(async move {
        let rollback = sqlx::query("ROLLBACK").execute(&mut connection);
        if !matches!(timeout(ROLLBACK_TIMEOUT, rollback).await, Ok(Ok(_))) {
            connection.close_on_drop();
        }
        drop(connection);
        drop(turn);
    }));
}

/// A transaction that reads one state until it ends.
pub(super) struct Snapshot(WriteTx);

impl Snapshot {
    pub(super) async fn begin(pool: &Pool) -> Result<Self, DbError> {
        let transaction = WriteTx::begin_by(Engine::begin_to_read, pool, None, Arc::default());
        transaction.await.map(Self)
    }

    /// Ends it. After an error, what was read may be of more than one state.
    pub(super) async fn commit(self) -> Result<(), DbError> {
        self.0.end().await.map(drop)
    }
}

impl Deref for Snapshot {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Snapshot {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

impl Deref for WriteTx {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.open.connection
    }
}

impl DerefMut for WriteTx {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.open.connection
    }
}

#[cfg(test)]
mod tests {
    use super::WriteTx;
    use crate::db::engine::{Commits, Pool, sqlite};

    async fn pool(directory: &tempfile::TempDir) -> Pool {
        let path = directory.path().join("test.db");
        std::fs::File::create(&path).unwrap();
        let pool = sqlite::connect(&path, Commits::Synced, 1).await.unwrap();
        let schema = "CREATE TABLE parents (id INTEGER PRIMARY KEY);
            CREATE TABLE children (id INTEGER REFERENCES parents (id))";
        let mut connection = pool.acquire().await.unwrap();
        let made = sqlx::raw_sql(schema).execute(&mut connection);
        made.await.unwrap();
        drop(connection);
        pool
    }

    async fn children(pool: &Pool) -> i64 {
        let count = sqlx::query_scalar("SELECT count(*) FROM children");
        let mut connection = pool.acquire().await.unwrap();
        count.fetch_one(&mut connection).await.unwrap()
    }

    #[tokio::test]
    async fn a_transaction_that_is_given_up_or_fails_blocks_no_later_one() {
        let directory = tempfile::tempdir().unwrap();
        let pool = pool(&directory).await;
        let insert = "INSERT INTO children VALUES (NULL)";

        let mut given_up = WriteTx::begin(&pool).await.unwrap();
        sqlx::query(insert).execute(&mut *given_up).await.unwrap();
        drop(given_up);

        let mut failing = WriteTx::begin(&pool).await.unwrap();
        let orphan = "PRAGMA defer_foreign_keys = ON; INSERT INTO children VALUES (7)";
        sqlx::raw_sql(orphan).execute(&mut *failing).await.unwrap();
        assert!(failing.commit().await.is_err());

        let mut tx = WriteTx::begin(&pool).await.unwrap();
        sqlx::query(insert).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(children(&pool).await, 1);
    }
}
