//! `event_receivers`: the receivers of events that the servers of this database have in their settings.

use super::connections::Db;
use super::engine::{Connection, Engine, list};
use super::error::DbError;
use super::lock::Lock;
use payment_model::Timestamp;
use payment_rules::event::{EventFilter, EventKind};
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

/// A server writes its receivers anew every hour, so that after this time no server has one any more.
const GONE_AFTER: Duration = Duration::from_hours(24);

impl Db {
    /// Notes the receivers of this server: events from now on go to them. A file belongs to one server, so
    /// there the others are forgotten at once.
    pub(crate) async fn note_receivers(
        &self,
        receivers: impl Iterator<Item = (&str, &EventFilter)> + Send,
        now: Timestamp,
    ) -> Result<(), DbError> {
        let mut receivers: Vec<_> = receivers.collect();
        // Two servers that start together wait for each other's rows in one order.
        receivers.sort_unstable_by_key(|(name, _)| *name);
        let names: Vec<_> = receivers.iter().map(|(name, _)| *name).collect();
        let mut transaction = self.write(Lock::None).await?;
        for (name, filter) in receivers {
            let types: Vec<_> = filter.kinds().map(EventKind::as_str).collect();
            sqlx::query(
                "INSERT INTO event_receivers (name, types, seen_at) VALUES ($1, $2, $3)
                 ON CONFLICT (name) DO UPDATE SET types = excluded.types,
                     seen_at = excluded.seen_at",
            )
            .bind(name)
            .bind(list(&types)?)
            .bind(now.as_millis())
            .execute(&mut *transaction)
            .await?;
        }
        if self.engine() == Engine::Sqlite {
            let others = Engine::Sqlite.texts(1);
            let others = format!("DELETE FROM event_receivers WHERE name NOT IN {others}");
            let others = sqlx::query(AssertSqlSafe(others)).bind(list(&names)?);
            others.execute(&mut *transaction).await?;
        } else {
            sqlx::query("DELETE FROM event_receivers WHERE seen_at < $1")
                .bind(now.saturating_sub(GONE_AFTER).as_millis())
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await
    }
}

/// The receivers that want this type of events.
pub(super) async fn that_want(
    connection: &mut Connection,
    kind: &str,
) -> Result<Vec<String>, DbError> {
    let rows = sqlx::query("SELECT name, types FROM event_receivers ORDER BY name");
    let mut wanting = Vec::new();
    for row in rows.fetch_all(connection).await? {
        let types: Vec<String> = serde_json::from_str(row.try_get("types")?)?;
        if types.iter().any(|wanted| wanted == kind) {
            wanting.push(row.try_get("name")?);
        }
    }
    Ok(wanting)
}

/// True for a receiver that a server has.
pub(super) async fn is_known(connection: &mut Connection, name: &str) -> Result<bool, DbError> {
    let known = sqlx::query("SELECT 1 FROM event_receivers WHERE name = $1").bind(name);
    Ok(known.fetch_optional(connection).await?.is_some())
}

/// Every receiver that a server has.
pub(super) async fn names(connection: &mut Connection) -> Result<Vec<String>, DbError> {
    let names = sqlx::query_scalar("SELECT name FROM event_receivers ORDER BY name");
    Ok(names.fetch_all(connection).await?)
}
