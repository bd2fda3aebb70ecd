use super::engine::{Connection, Engine, Pool, PooledConnection};
use super::error::DbError;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::OwnedMutexGuard;

/// A transaction that may write.
///
/// After a failure, or when its user went away in the middle, the connection is closed and never
/// used again: a transaction left open on it would block every later one.
pub(super) struct Writing {
    connection: PooledConnection,
    committed: bool,
    /// Its turn among all who write, as long as it is held.
    turn: Option<OwnedMutexGuard<()>>,
    /// Counts the commits that make something durable.
    syncs: Arc<AtomicU64>,
}

impl Writing {
    /// Begins while no other code of this process writes.
    pub(super) async fn begin(pool: &Pool) -> Result<Self, DbError> {
        Self::begin_in_turn(pool, None, Arc::default()).await
    }

    pub(super) async fn begin_in_turn(
        pool: &Pool,
        turn: Option<OwnedMutexGuard<()>>,
        syncs: Arc<AtomicU64>,
    ) -> Result<Self, DbError> {
        let mut writing = Self {
            connection: pool.acquire().await?,
            committed: false,
            turn,
            syncs,
        };
        let begin = Engine::of(&writing).begin_to_write();
        sqlx::query(begin).execute(&mut *writing).await?;
        Ok(writing)
    }

    /// Commits durably. After an error only a new read tells whether the change is durable.
    pub(super) async fn commit(self) -> Result<(), DbError> {
        self.syncs.fetch_add(1, Ordering::Relaxed);
        self.end().await.map(drop)
    }

    /// Commits as its connection does, and passes its turn on.
    pub(super) async fn end(mut self) -> Result<Option<OwnedMutexGuard<()>>, DbError> {
        sqlx::query("COMMIT").execute(&mut *self).await?;
        self.committed = true;
        Ok(self.turn.take())
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if !self.committed {
            self.connection.close_on_drop();
        }
    }
}

impl Deref for Writing {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Writing {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

#[cfg(test)]
mod tests {
    use super::Writing;
    use crate::db::engine::{Commits, Pool, sqlite};

    async fn pool(directory: &tempfile::TempDir) -> Pool {
        let path = directory.path().join("test.db");
        std::fs::File::create(&path).unwrap();
        let pool = sqlite::connect(&path, Commits::Synced, 1).await.unwrap();
        let schema = "CREATE TABLE parents (id INTEGER PRIMARY KEY);
            CREATE TABLE children (id INTEGER REFERENCES parents (id))";
        sqlx::raw_sql(schema).execute(&pool).await.unwrap();
        pool
    }

    async fn children(pool: &Pool) -> i64 {
        let count = sqlx::query_scalar("SELECT count(*) FROM children");
        count.fetch_one(pool).await.unwrap()
    }

    #[tokio::test]
    async fn a_transaction_that_is_given_up_or_fails_blocks_no_later_one() {
        let directory = tempfile::tempdir().unwrap();
        let pool = pool(&directory).await;
        let insert = "INSERT INTO children VALUES (NULL)";

        let mut given_up = Writing::begin(&pool).await.unwrap();
        sqlx::query(insert).execute(&mut *given_up).await.unwrap();
        drop(given_up);

        let mut failing = Writing::begin(&pool).await.unwrap();
        let orphan = "PRAGMA defer_foreign_keys = ON; INSERT INTO children VALUES (7)";
        sqlx::raw_sql(orphan).execute(&mut *failing).await.unwrap();
        assert!(failing.commit().await.is_err());

        let mut writing = Writing::begin(&pool).await.unwrap();
        sqlx::query(insert).execute(&mut *writing).await.unwrap();
        writing.commit().await.unwrap();
        assert_eq!(children(&pool).await, 1);
    }
}
