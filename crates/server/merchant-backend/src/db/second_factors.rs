//! `staff_second_factors`, `staff_wrong_codes`: the second factors of staff, and the wrong codes that were tried.
//!
//! Each code is checked and used up in one transaction that holds the lock of the account, so that no other node takes
//! it too.

use super::admin_connection::AdminDb;
use super::audit;
use super::columns::optional_instant;
use super::connections::Db;
use super::engine::{Connection, Row, list};
use super::error::DbError;
use super::lock::Lock;
use payment_model::Timestamp;
use payment_rules::second_factor::{
    FactorChange, PendingEnrolment, StoredFactor, WRONG_CODES_COUNT_FOR, wait_after,
};
use payment_rules::staff::AuditRecord;
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::AuditAction;
use std::time::Duration;

/// Who makes enrolment codes, in the audit record.
const SECOND_FACTOR_COMMAND: &str = "second-factor (command)";

/// The columns that [`stored_factor`] reads; all are NULL for an account without a row.
pub(super) const FACTOR_COLUMNS: &str =
    "f.sealed_key, f.enrolled_at, f.last_step, f.recovery_codes,
    f.enrolment_code, f.enrolment_until, f.enrolment_key";

/// Somebody gives a code for an account.
#[derive(Clone, Copy)]
pub(crate) struct CodeAttempt<'a> {
    pub(crate) name: &'a str,
    /// The device if the account signed in on it before. Wrong codes from elsewhere do not count against it.
    pub(crate) device: Option<&'a str>,
    /// The hash of the session that the code confirms; `None` at sign-in.
    pub(crate) session: Option<&'a str>,
    pub(crate) now: Timestamp,
}

/// What became of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CodeOutcome<T> {
    Right(T),
    Wrong,
    /// Too many were wrong: the next one counts after this time.
    Wait(Duration),
}

impl Db {
    /// The second factor of an account.
    pub(crate) async fn second_factor(&self, name: &str) -> Result<StoredFactor, DbError> {
        find(&mut self.reader().await?, name).await
    }

    /// Checks a code with `judge`, and carries out what a right one changes, each with its audit record.
    pub(crate) async fn use_code<T>(
        &self,
        attempt: CodeAttempt<'_>,
        judge: impl FnOnce(&StoredFactor) -> Option<(FactorChange, T)>,
    ) -> Result<CodeOutcome<T>, DbError> {
        let CodeAttempt { name, now, .. } = attempt;
        let mut transaction = self.write(Lock::Account(name, &[])).await?;
        let wrong = wrong_codes(&mut transaction, attempt).await?;
        if let Some(left) = wrong.wait(now) {
            return Ok(CodeOutcome::Wait(left));
        }
        let stored = find(&mut transaction, name).await?;
        let outcome = match judge(&stored) {
            None => {
                count_wrong_code(&mut transaction, attempt, wrong.in_a_row).await?;
                note(&mut transaction, name, AuditAction::CodeRefused, "").await?;
                CodeOutcome::Wrong
            }
            Some((change, value)) => {
                forget_wrong_codes(&mut transaction, attempt).await?;
                carry_out(&mut transaction, attempt, &stored, change).await?;
                CodeOutcome::Right(value)
            }
        };
        transaction.commit().await?;
        Ok(outcome)
    }
}

impl AdminDb {
    /// Permits an account to enrol by the code with this hash, in place of any earlier one.
    pub(crate) async fn permit_enrolment(
        &self,
        name: &str,
        code_hash: &str,
        until: Timestamp,
    ) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        sqlx::query(
            "INSERT INTO staff_second_factors (name, enrolment_code, enrolment_until)
             VALUES ($1, $2, $3)
             ON CONFLICT (name) DO UPDATE SET enrolment_code = excluded.enrolment_code,
                 enrolment_until = excluded.enrolment_until, enrolment_key = NULL",
        )
        .bind(name)
        .bind(code_hash)
        .bind(until.as_millis())
        .execute(&mut *transaction)
        .await?;
        let record =
            AuditRecord::without_operation(SECOND_FACTOR_COMMAND, AuditAction::EnrolmentCode, name);
        audit::add(&mut transaction, &record).await?;
        transaction.commit().await
    }

    /// Removes the second factors of accounts that are not among these.
    pub(super) async fn forget_second_factors(&self, existing: &[String]) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        for table in ["staff_second_factors", "staff_wrong_codes"] {
            let sql = format!(
                "DELETE FROM {table} WHERE name NOT IN {}",
                self.engine.texts(1)
            );
            let done = sqlx::query(AssertSqlSafe(sql)).bind(list(existing)?);
            done.execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }
}

/// Ends every second factor, since a restored one may have been replaced after the backup, as its used codes were. Its
/// account may only look until it is enrolled again.
pub(super) async fn end_all(connection: &mut Connection) -> Result<Vec<String>, DbError> {
    let ended = sqlx::query_scalar(
        "UPDATE staff_second_factors
         SET sealed_key = NULL, recovery_codes = '[]', enrolment_code = NULL, enrolment_key = NULL
         RETURNING name",
    );
    let mut names: Vec<String> = ended.fetch_all(connection).await?;
    names.sort();
    Ok(names)
}

async fn find(connection: &mut Connection, name: &str) -> Result<StoredFactor, DbError> {
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
    let enrolment_key = row.try_get("enrolment_key")?;
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
                sealed_key: enrolment_key,
            }),
    })
}

async fn carry_out(
    connection: &mut Connection,
    attempt: CodeAttempt<'_>,
    stored: &StoredFactor,
    change: FactorChange,
) -> Result<(), DbError> {
    let CodeAttempt {
        name, session, now, ..
    } = attempt;
    let confirms_session = change.confirms_session();
    let is_step_up = session.is_some() && !matches!(change, FactorChange::Enrol { .. });
    match change {
        FactorChange::UseStep(step) => {
            sqlx::query("UPDATE staff_second_factors SET last_step = $1 WHERE name = $2")
                .bind(step)
                .bind(name)
                .execute(&mut *connection)
                .await?;
        }
        FactorChange::UseRecoveryCode(used) => {
            let left = stored.recovery_codes.iter().filter(|code| **code != used);
            let left: Vec<_> = left.collect();
            sqlx::query("UPDATE staff_second_factors SET recovery_codes = $1 WHERE name = $2")
                .bind(serde_json::to_string(&left)?)
                .bind(name)
                .execute(&mut *connection)
                .await?;
            let detail = format!("{} are left", left.len());
            note(connection, name, AuditAction::RecoveryCode, &detail).await?;
        }
        FactorChange::PermitEnrolment => {}
        FactorChange::BeginEnrolment(sealed_key) => {
            sqlx::query("UPDATE staff_second_factors SET enrolment_key = $1 WHERE name = $2")
                .bind(sealed_key)
                .bind(name)
                .execute(&mut *connection)
                .await?;
        }
        FactorChange::Enrol {
            sealed_key,
            step,
            recovery_codes,
        } => {
            sqlx::query(
                "UPDATE staff_second_factors
                 SET sealed_key = $1, enrolled_at = $2, last_step = $3, recovery_codes = $4,
                     enrolment_code = NULL, enrolment_until = NULL, enrolment_key = NULL
                 WHERE name = $5",
            )
            .bind(sealed_key)
            .bind(now.as_millis())
            .bind(step)
            .bind(serde_json::to_string(&recovery_codes)?)
            .bind(name)
            .execute(&mut *connection)
            .await?;
            // One of them may be of whoever has the earlier device, or the password alone.
            sqlx::query("DELETE FROM staff_sessions WHERE name = $1 AND hash <> $2")
                .bind(name)
                .bind(session.unwrap_or_default())
                .execute(&mut *connection)
                .await?;
            note(connection, name, AuditAction::Enrol, "").await?;
        }
    }
    if let Some(hash) = session.filter(|_| confirms_session) {
        sqlx::query("UPDATE staff_sessions SET confirmed_at = $1 WHERE hash = $2")
            .bind(now.as_millis())
            .bind(hash)
            .execute(&mut *connection)
            .await?;
        if is_step_up {
            note(connection, name, AuditAction::StepUp, "").await?;
        }
    }
    Ok(())
}

/// The wrong codes in a row of an account on a device.
#[derive(Default)]
struct WrongCodes {
    in_a_row: u32,
    last_at: Option<Timestamp>,
}

impl WrongCodes {
    fn wait(&self, now: Timestamp) -> Option<Duration> {
        let since = now.duration_since(self.last_at?);
        let left = wait_after(self.in_a_row).saturating_sub(since);
        (!left.is_zero()).then_some(left)
    }
}

async fn wrong_codes(
    connection: &mut Connection,
    attempt: CodeAttempt<'_>,
) -> Result<WrongCodes, DbError> {
    let row = sqlx::query(
        "SELECT in_a_row, last_at FROM staff_wrong_codes
         WHERE name = $1 AND device = $2 AND last_at > $3",
    )
    .bind(attempt.name)
    .bind(attempt.device.unwrap_or_default())
    .bind(
        attempt
            .now
            .saturating_sub(WRONG_CODES_COUNT_FOR)
            .as_millis(),
    )
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else {
        return Ok(WrongCodes::default());
    };
    Ok(WrongCodes {
        in_a_row: u32::try_from(row.try_get::<i64, _>("in_a_row")?).unwrap_or(u32::MAX),
        last_at: optional_instant(&row, "last_at")?,
    })
}

async fn count_wrong_code(
    connection: &mut Connection,
    attempt: CodeAttempt<'_>,
    before: u32,
) -> Result<(), DbError> {
    sqlx::query("DELETE FROM staff_wrong_codes WHERE last_at <= $1")
        .bind(
            attempt
                .now
                .saturating_sub(WRONG_CODES_COUNT_FOR)
                .as_millis(),
        )
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO staff_wrong_codes (name, device, in_a_row, last_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (name, device) DO UPDATE SET in_a_row = excluded.in_a_row,
             last_at = excluded.last_at",
    )
    .bind(attempt.name)
    .bind(attempt.device.unwrap_or_default())
    .bind(i64::from(before.saturating_add(1)))
    .bind(attempt.now.as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

async fn forget_wrong_codes(
    connection: &mut Connection,
    attempt: CodeAttempt<'_>,
) -> Result<(), DbError> {
    sqlx::query("DELETE FROM staff_wrong_codes WHERE name = $1 AND device = $2")
        .bind(attempt.name)
        .bind(attempt.device.unwrap_or_default())
        .execute(connection)
        .await?;
    Ok(())
}

async fn note(
    connection: &mut Connection,
    name: &str,
    action: AuditAction,
    detail: &str,
) -> Result<(), DbError> {
    let record = AuditRecord::without_operation(name, action, detail);
    audit::add(connection, &record).await
}
