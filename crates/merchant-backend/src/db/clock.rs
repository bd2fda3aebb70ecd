//! The clock of a database that several processes share. All of them live by it: what one of them
//! writes as an instant, another one compares with its own now.

use super::connections::Db;
use super::engine::{Connection, Engine, postgres};
use super::error::DbError;
use crate::clock;
use payment_model::Timestamp;
use sqlx::AssertSqlSafe;

impl Db {
    /// Sets this process's clock by the database's, if other processes share the database. It runs
    /// often, since a machine's clock may run fast, be set, or stand still while it sleeps.
    pub(crate) async fn follow_clock(&self) -> Result<(), DbError> {
        if self.engine() == Engine::Postgres {
            follow(&mut *self.reader().await?).await?;
        }
        Ok(())
    }
}

pub(super) async fn follow(connection: &mut Connection) -> Result<(), sqlx::Error> {
    let asked = clock::moment();
    let sql = format!("SELECT {}", postgres::CLOCK);
    let told: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
        .fetch_one(connection)
        .await?;
    clock::follow(asked, Timestamp::from_millis(told));
    Ok(())
}
