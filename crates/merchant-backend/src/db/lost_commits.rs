//! Notices that another server of the database has taken over without every commit.
//!
//! Each node counts its own commits in a row of `node_commits` and remembers the last number that the
//! server acknowledged. A smaller number proves that commits were lost, and so does a timeline of the
//! server's log that began before the last one of them. What is lost proves that the database went
//! back in time, so that the fence of a restore is set.

use super::acknowledged_commits::{Acknowledged, Found, compare, log_position};
use super::connections::Db;
use super::error::DbError;
use super::fence;
use super::scope::Scope;
use crate::clock::now;
use payment_rules::staff::AuditRecord;
use staff_model::AuditAction;
use std::time::Duration;

/// For how long the row of a node that has stopped is kept. A node that was halted for longer would
/// miss its row and set the fence.
const KEPT: Duration = Duration::from_hours(180 * 24);

/// The name in the audit record.
const WHO: &str = "merchant-backend (server)";

impl Db {
    /// Counts a commit of this node, and compares what the server has with what it acknowledged. It
    /// does nothing on a file, which only its owner writes.
    pub(crate) async fn compare_commits(&self) -> Result<Found, DbError> {
        let Some((node, acknowledged)) = self.own_commits() else {
            return Ok(Found::Same);
        };
        let mut acknowledged = acknowledged.lock().await;
        let mut transaction = self.write(Scope::Rows).await?;
        // On this connection: another one may still lead to the earlier server.
        let log = log_position(&mut transaction).await?;
        let stored =
            sqlx::query_scalar::<_, i64>("SELECT written FROM node_commits WHERE node = $1");
        let stored = stored.bind(node).fetch_optional(&mut *transaction).await?;
        let found = acknowledged.map_or(Found::Same, |known| compare(known, stored, log));
        let at = now();
        if let (Found::Lost, Some(known)) = (found, *acknowledged) {
            // A newer fence covers this loss: another node has set it.
            let fence = fence::find(&mut transaction).await?;
            if fence.is_none_or(|fence| fence < known.at) {
                fence::set(&mut transaction, at, &record()).await?;
            }
        }
        if acknowledged.is_none() {
            sqlx::query("DELETE FROM node_commits WHERE written_at < $1")
                .bind(at.saturating_sub(KEPT).as_millis())
                .execute(&mut *transaction)
                .await?;
        }
        let last = acknowledged.map(|known| known.written).max(stored);
        let written = last.unwrap_or_default().saturating_add(1);
        sqlx::query(
            "INSERT INTO node_commits (node, written, written_at) VALUES ($1, $2, $3)
             ON CONFLICT (node) DO UPDATE
                 SET written = excluded.written, written_at = excluded.written_at",
        )
        .bind(node)
        .bind(written)
        .bind(at.as_millis())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        *acknowledged = Some(Acknowledged { written, at, log });
        Ok(found)
    }
}

fn record() -> AuditRecord {
    AuditRecord {
        staff: WHO.to_owned(),
        action: AuditAction::Restore,
        key: None,
        detail: "another server of the database took over and lacks commits".to_owned(),
    }
}
