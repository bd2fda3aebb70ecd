//! What changed lately, for the desks of staff.

use super::columns::{full_order_id, instant};
use super::connections::Db;
use super::engine::{ROW_ID, Row};
use super::error::DbError;
use super::exception_list;
use super::staff_views::by_ids;
use payment_model::Timestamp;
use payment_rules::order::FullOrderId;
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::OperationRow;

pub(super) fn changed_rows_sql() -> String {
    format!("SELECT {ROW_ID} AS id, changed_at FROM operations WHERE changed_at >= $1")
}

pub(super) const CHANGED_LINKS: &str =
    "SELECT order_id, merchant_code, changed_at FROM staff_links WHERE changed_at >= $1";

impl Db {
    /// The rows of the operations that changed at an instant or later, with the time of the change.
    pub(crate) async fn changed_rows(
        &self,
        since: Timestamp,
    ) -> Result<Vec<(i64, Timestamp)>, DbError> {
        let rows = sqlx::query(AssertSqlSafe(changed_rows_sql())).bind(since.as_millis());
        let rows = rows.fetch_all(&mut self.reader().await?).await?;
        let read = |row: &Row| Ok((row.try_get("id")?, instant(row, "changed_at")?));
        rows.iter().map(read).collect()
    }

    /// The operations in these rows as a list has them.
    pub(crate) async fn listed_rows(
        &self,
        ids: &[i64],
        unsettled_since: Timestamp,
    ) -> Result<Vec<(i64, OperationRow)>, DbError> {
        let listed = by_ids(&mut self.reader().await?, ids, unsettled_since).await?;
        Ok(listed.into_iter().map(|one| (one.id, one.row)).collect())
    }

    /// The links that were made, opened or ended at an instant or later, with the time of the last change.
    pub(crate) async fn changed_links(
        &self,
        since: Timestamp,
    ) -> Result<Vec<(FullOrderId, Timestamp)>, DbError> {
        let rows = sqlx::query(CHANGED_LINKS).bind(since.as_millis());
        let rows = rows.fetch_all(&mut self.reader().await?).await?;
        let read = |row: &Row| Ok((full_order_id(row)?, instant(row, "changed_at")?));
        rows.iter().map(read).collect()
    }

    /// How many unresolved exceptions these stores have.
    pub(crate) async fn exception_count(
        &self,
        among: &[String],
        unsettled_since: Timestamp,
    ) -> Result<u64, DbError> {
        let mut reader = self.reader().await?;
        let counts = exception_list::counts(&mut reader, among, unsettled_since).await?;
        Ok(counts.iter().map(|counted| counted.count).sum())
    }
}
