//! Reads `staff_second_factors`.

use super::columns::optional_instant;
use super::engine::{Connection, Row};
use super::error::DbError;
use payment_rules::second_factor::{PendingEnrolment, StoredFactor};
use sqlx::{AssertSqlSafe, Row as _};

/// The columns that [`stored_factor`] reads; all are NULL for an account without a row.
pub(super) const FACTOR_COLUMNS: &str =
    "f.sealed_key, f.enrolled_at, f.last_step, f.recovery_codes,
    f.enrolment_code, f.enrolment_until, f.enrolment_key,
    f.enrolment_session";

pub(super) async fn find(connection: &mut Connection, name: &str) -> Result<StoredFactor, DbError> {
    let sql = format!("SELECT {FACTOR_COLUMNS} FROM staff_second_factors f WHERE f.name = $1");
    let row = sqlx::query(AssertSqlSafe(sql)).bind(name);
    let row = row.fetch_optional(connection).await?;
    row.as_ref()
        .map_or_else(|| Ok(StoredFactor::default()), stored_factor)
}

pub(super) fn stored_factor(row: &Row) -> Result<StoredFactor, DbError> {
    let codes: Option<String> = row.try_get("recovery_codes")?;
    let enrolment_code: Option<String> = row.try_get("enrolment_code")?;
    let enrolment_until = optional_instant(row, "enrolment_until")?;
    let sealed_key = row.try_get("enrolment_key")?;
    let session = row.try_get("enrolment_session")?;
    Ok(StoredFactor {
        sealed_key: row.try_get("sealed_key")?,
        was_enrolled: optional_instant(row, "enrolled_at")?.is_some(),
        last_step: row
            .try_get::<Option<i64>, _>("last_step")?
            .unwrap_or_default(),
        recovery_codes: match codes {
            Some(codes) => serde_json::from_str(&codes)?,
            None => Vec::new(),
        },
        enrolment: enrolment_code
            .zip(enrolment_until)
            .map(|(code, until)| PendingEnrolment {
                code,
                until,
                sealed_key,
                session,
            }),
    })
}
