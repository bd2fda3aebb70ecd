//! The connections to the database. Every statement passes through [`Connection`], so that a simulation can count the
//! statements, stop a node at one of them and let one fail.

use crate::ambient::{self, Fate, Simulation};
use futures_executor::block_on;
use futures_util::future::{BoxFuture, pending};
use futures_util::stream::{BoxStream, iter, once};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use sqlx::any::{
    AnyConnectOptions, AnyPoolOptions, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo,
};
use sqlx::pool::PoolConnection;
use sqlx::{
    Any, AnyConnection, AnyPool, Connection as _, Describe, Either, Error, Execute, Executor,
    SqlStr,
};
use std::io;
use std::sync::Arc;

/// Connections that are used in turns.
#[derive(Debug)]
pub(in crate::db) struct Pool(AnyPool);

impl Pool {
    /// Opens connections that stay open. Closing one that is idle gains nothing, and with either limit
    /// the pool runs a task for its idle connections that counts them without a lock: with a count
    /// below zero it spins for ever, and a command does not end.
    pub(super) async fn connect(
        options: AnyPoolOptions,
        address: AnyConnectOptions,
    ) -> Result<Self, Error> {
        let options = options.idle_timeout(None).max_lifetime(None);
        options.connect_with(address).await.map(Self)
    }

    pub(in crate::db) async fn acquire(&self) -> Result<Connection, Error> {
        let pool = &self.0;
        let pooled = match ambient::simulation() {
            None => pool.acquire().await?,
            Some(_) => match pool.try_acquire() {
                Some(idle) => idle,
                None if pool.size() < pool.options().get_max_connections() => {
                    block_on(pool.acquire())?
                }
                None => pool.acquire().await?,
            },
        };
        Ok(Connection(Driver::Pooled(Pooled(pooled))))
    }

    pub(in crate::db) async fn close(&self) {
        self.0.close().await;
    }
}

/// A connection of a pool, to which it returns, or one of its holder.
#[derive(Debug)]
pub(in crate::db) struct Connection(Driver);

#[derive(Debug)]
enum Driver {
    Pooled(Pooled),
    Own(AnyConnection),
}

#[derive(Debug)]
struct Pooled(PoolConnection<Any>);

impl Drop for Pooled {
    fn drop(&mut self) {
        // The library returns it in a task of its own, during which the clock of a simulation would go on.
        if ambient::simulation().is_some() {
            block_on(self.0.return_to_pool());
        }
    }
}

impl Connection {
    /// Opens a connection outside of any pool.
    pub(super) async fn open(options: &AnyConnectOptions) -> Result<Self, Error> {
        let own = AnyConnection::connect_with(options).await?;
        Ok(Self(Driver::Own(own)))
    }

    /// The connection of the library, for its migrations.
    pub(in crate::db) fn driver(&mut self) -> &mut AnyConnection {
        match &mut self.0 {
            Driver::Pooled(pooled) => &mut pooled.0,
            Driver::Own(own) => own,
        }
    }

    pub(super) fn backend_name(&self) -> &str {
        match &self.0 {
            Driver::Pooled(pooled) => pooled.0.backend_name(),
            Driver::Own(own) => own.backend_name(),
        }
    }

    /// Closes the connection when it is dropped, instead of returning it to its pool.
    pub(in crate::db) fn close_on_drop(&mut self) {
        if let Driver::Pooled(pooled) = &mut self.0 {
            pooled.0.close_on_drop();
        }
    }

    /// Ends a connection outside of any pool.
    pub(in crate::db) async fn close(self) -> Result<(), Error> {
        match self.0 {
            Driver::Pooled(_) => Ok(()),
            Driver::Own(own) => own.close().await,
        }
    }
}

impl<'c> Executor<'c> for &'c mut Connection {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match ambient::simulation() {
            None => self.driver().fetch_many(query),
            Some(simulation) => once(simulated(simulation, self.driver(), query))
                .map_ok(|answers| iter(answers.into_iter().map(Ok)))
                .try_flatten()
                .boxed(),
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match ambient::simulation() {
            None => self.driver().fetch_optional(query),
            Some(simulation) => {
                let answers = simulated(simulation, self.driver(), query);
                answers
                    .map(|answers| Ok(answers?.into_iter().find_map(Either::right)))
                    .boxed()
            }
        }
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, Result<AnyStatement, Error>>
    where
        'c: 'e,
    {
        self.driver().prepare_with(sql, parameters)
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, Result<Describe<Any>, Error>>
    where
        'c: 'e,
    {
        self.driver().describe(sql)
    }
}

/// Carries a statement out as a simulation decides. No time passes meanwhile, and no other task runs: the thread waits
/// for the driver, whose own threads the simulation does not see.
async fn simulated<'q>(
    simulation: Arc<dyn Simulation>,
    driver: &mut AnyConnection,
    mut query: impl Execute<'q, Any>,
) -> Result<Vec<Either<AnyQueryResult, AnyRow>>, Error> {
    let arguments = query.take_arguments().map_err(Error::Encode)?;
    let sql = query.sql();
    let fate = simulation.statement(sql.as_str());
    if matches!(fate, Fate::Runs | Fate::RunsThenFails | Fate::RunsThenHalts) {
        let answers = block_on(driver.fetch_many((sql, arguments)).try_collect());
        if fate == Fate::Runs || answers.is_err() {
            return answers;
        }
    }
    match fate {
        Fate::Halts | Fate::RunsThenHalts => pending().await,
        Fate::Runs | Fate::Fails | Fate::RunsThenFails => {
            Err(Error::Io(io::Error::other("simulated")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sqlite::connect_admin;

    #[tokio::test]
    async fn a_pool_has_no_task_that_can_spin() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let pool = connect_admin(file.path()).await.unwrap();
        assert_eq!(pool.0.options().get_idle_timeout(), None);
        assert_eq!(pool.0.options().get_max_lifetime(), None);
    }
}
