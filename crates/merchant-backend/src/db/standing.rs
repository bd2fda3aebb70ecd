//! How many rows want attention, for whoever watches the server.

use super::connections::Db;
use super::error::DbError;
use super::exceptions;
use crate::clock::now;
use payment_model::Timestamp;
use sqlx::Row as _;
use staff_model::ExceptionKind;
use std::collections::BTreeMap;
use std::time::Duration;

/// Numbers of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowCounts {
    pub(crate) live: i64,
    pub(crate) doubts: i64,
    /// The age of the oldest operation in doubt.
    pub(crate) oldest_doubt: Duration,
    pub(crate) events: i64,
    /// The age of the oldest event that was not delivered.
    pub(crate) events_lag: Duration,
    /// By kind.
    pub(crate) exceptions: BTreeMap<&'static str, i64>,
}

impl Db {
    /// Counts rows; an index answers each count.
    pub(crate) async fn row_counts(
        &self,
        merchant_codes: &[String],
        unsettled_since: Timestamp,
    ) -> Result<RowCounts, DbError> {
        let mut transaction = self.read().await?;
        let row = sqlx::query(
            "SELECT (SELECT count(*) FROM operations WHERE live = 1) AS live,
                 (SELECT count(*) FROM operations WHERE phase = 'in_doubt') AS doubts,
                 (SELECT min(created_at) FROM operations WHERE phase = 'in_doubt') AS doubted,
                 (SELECT count(*) FROM events WHERE delivered_at IS NULL) AS events,
                 (SELECT min(created_at) FROM events WHERE delivered_at IS NULL) AS oldest",
        )
        .fetch_one(&mut *transaction)
        .await?;
        let counts = exceptions::counts(&mut transaction, merchant_codes, unsettled_since).await?;
        let mut exceptions: BTreeMap<&'static str, i64> = ExceptionKind::ALL
            .iter()
            .map(|kind| (kind.as_str(), 0))
            .collect();
        for counted in counts {
            let count = i64::try_from(counted.count).unwrap_or(i64::MAX);
            exceptions.insert(counted.kind.as_str(), count);
        }
        let age = |name: &str| -> Result<Duration, DbError> {
            let since: Option<i64> = row.try_get(name)?;
            let since = since.map(Timestamp::from_millis);
            Ok(since.map_or(Duration::ZERO, |since| now().duration_since(since)))
        };
        Ok(RowCounts {
            live: row.try_get("live")?,
            doubts: row.try_get("doubts")?,
            oldest_doubt: age("doubted")?,
            events: row.try_get("events")?,
            events_lag: age("oldest")?,
            exceptions,
        })
    }
}
