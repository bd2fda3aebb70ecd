//! `staff_second_factors`, `staff_wrong_codes`: the second factors of staff, and the wrong codes that were tried.
//!
//! Each code is checked and used up in one transaction that holds the lock of the account, so that no other node takes
//! it too. The session that it opens or confirms is a part of the transaction: an enrolment ends every session from
//! before it, and none may come between.

use super::admin_connection::AdminDb;
use super::audit;
use super::columns::optional_instant;
use super::connections::Db;
use super::engine::{Connection, list};
use super::error::DbError;
use super::lock::Lock;
use super::staff_sessions::{self, NewSession};
use super::stored_factor;
use payment_model::Timestamp;
use payment_rules::second_factor::{FactorChange, StoredFactor, WRONG_CODES_COUNT_FOR, wait_after};
use payment_rules::staff::AuditRecord;
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::AuditAction;
use std::time::Duration;

/// Who makes enrolment codes, in the audit record.
const SECOND_FACTOR_COMMAND: &str = "second-factor (command)";
/// Who removes the second factors of former accounts, in the audit record.
const PURGE_COMMAND: &str = "purge (command)";

/// Somebody gives a code for an account.
#[derive(Clone, Copy)]
pub(crate) struct CodeAttempt<'a> {
    pub(crate) name: &'a str,
    /// The device if the account signed in on it before. Wrong codes from elsewhere do not count against it.
    pub(crate) device: Option<&'a str>,
    /// True for a code that is short enough to be guessed, so that wrong ones have to wait.
    pub(crate) is_guessable: bool,
    pub(crate) session: CodeSession<'a>,
    pub(crate) now: Timestamp,
}

/// The session to which a code belongs.
#[derive(Clone, Copy)]
pub(crate) enum CodeSession<'a> {
    /// The one with this hash, which a code of the second factor confirms.
    Present(&'a str),
    /// One that a right code opens.
    New(NewSession<'a>),
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
        stored_factor::find(&mut self.reader().await?, name).await
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
        let wait = wrong.wait(now).filter(|_| attempt.is_guessable);
        if let Some(left) = wait {
            return Ok(CodeOutcome::Wait(left));
        }
        let stored = stored_factor::find(&mut transaction, name).await?;
        let outcome = match judge(&stored) {
            None => {
                if attempt.is_guessable {
                    count_wrong_code(&mut transaction, attempt, wrong.in_a_row).await?;
                }
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
    /// Permits an account to enrol by the code with this hash, in place of any earlier one, and lets it try at once.
    pub(crate) async fn permit_enrolment(
        &self,
        name: &str,
        code_hash: &str,
        until: Timestamp,
    ) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        Lock::Account(name, &[]).take(&mut transaction).await?;
        sqlx::query(
            "INSERT INTO staff_second_factors (name, enrolment_code, enrolment_until)
             VALUES ($1, $2, $3)
             ON CONFLICT (name) DO UPDATE SET enrolment_code = excluded.enrolment_code,
                 enrolment_until = excluded.enrolment_until, enrolment_key = NULL,
                 enrolment_session = NULL",
        )
        .bind(name)
        .bind(code_hash)
        .bind(until.as_millis())
        .execute(&mut *transaction)
        .await?;
        sqlx::query("DELETE FROM staff_wrong_codes WHERE name = $1")
            .bind(name)
            .execute(&mut *transaction)
            .await?;
        let action = AuditAction::EnrolmentCode;
        let record = AuditRecord::without_operation(SECOND_FACTOR_COMMAND, action, name);
        audit::add(&mut transaction, &record).await?;
        transaction.commit().await
    }

    /// Removes the keys and codes of accounts that are not among these. Their rows stay: should such an account come
    /// back, its password alone must not be enough.
    pub(super) async fn forget_second_factors(&self, existing: &[String]) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        let others = format!("name NOT IN {}", self.engine.texts(1));
        let sql = format!("DELETE FROM staff_wrong_codes WHERE {others}");
        let done = sqlx::query(AssertSqlSafe(sql)).bind(list(existing)?);
        done.execute(&mut *transaction).await?;
        let names = end(&mut transaction, &others, Some(&list(existing)?)).await?;
        for name in names {
            let action = AuditAction::EndSecondFactor;
            let record = AuditRecord::without_operation(PURGE_COMMAND, action, &name);
            audit::add(&mut transaction, &record).await?;
        }
        transaction.commit().await
    }
}

/// Ends every second factor, since a restored one may have been replaced after the backup, as its used codes were. Its
/// account may only look until it is enrolled again. Returns the names, and records who did it.
pub(super) async fn end_all(
    connection: &mut Connection,
    who: &str,
) -> Result<Vec<String>, DbError> {
    let names = end(connection, "1 = 1", None).await?;
    for name in &names {
        let record = AuditRecord::without_operation(who, AuditAction::EndSecondFactor, name);
        audit::add(connection, &record).await?;
    }
    Ok(names)
}

/// Removes keys and codes, and returns the names of the accounts that had a key.
async fn end(
    connection: &mut Connection,
    which: &str,
    list: Option<&str>,
) -> Result<Vec<String>, DbError> {
    let sql = format!(
        "SELECT name FROM staff_second_factors WHERE sealed_key IS NOT NULL AND {which} ORDER BY name"
    );
    let mut names = sqlx::query_scalar(AssertSqlSafe(sql));
    if let Some(list) = list {
        names = names.bind(list);
    }
    let names = names.fetch_all(&mut *connection).await?;
    let sql = format!(
        "UPDATE staff_second_factors SET sealed_key = NULL, recovery_codes = '[]',
             enrolment_code = NULL, enrolment_until = NULL, enrolment_key = NULL,
             enrolment_session = NULL WHERE {which}"
    );
    let mut ended = sqlx::query(AssertSqlSafe(sql));
    if let Some(list) = list {
        ended = ended.bind(list);
    }
    ended.execute(connection).await?;
    Ok(names)
}

async fn carry_out(
    connection: &mut Connection,
    attempt: CodeAttempt<'_>,
    stored: &StoredFactor,
    change: FactorChange,
) -> Result<(), DbError> {
    let CodeAttempt { name, now, .. } = attempt;
    let session = match attempt.session {
        CodeSession::Present(hash) => hash,
        CodeSession::New(new) => {
            staff_sessions::open(connection, new, change.confirms_session(), now).await?;
            new.hash
        }
    };
    let is_step_up =
        change.confirms_session() && matches!(attempt.session, CodeSession::Present(_));
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
        FactorChange::PermitEnrolment => {
            note(connection, name, AuditAction::EnrolmentCode, "given").await?;
        }
        FactorChange::BeginEnrolment(sealed_key) => {
            sqlx::query(
                "UPDATE staff_second_factors SET enrolment_key = $1, enrolment_session = $2
                 WHERE name = $3",
            )
            .bind(sealed_key)
            .bind(session)
            .bind(name)
            .execute(&mut *connection)
            .await?;
            note(connection, name, AuditAction::BeginEnrolment, "").await?;
        }
        FactorChange::Enrol {
            sealed_key,
            step,
            recovery_codes,
        } => {
            sqlx::query(
                "UPDATE staff_second_factors
                 SET sealed_key = $1, enrolled_at = $2, last_step = $3, recovery_codes = $4,
                     enrolment_code = NULL, enrolment_until = NULL, enrolment_key = NULL,
                     enrolment_session = NULL
                 WHERE name = $5",
            )
            .bind(sealed_key)
            .bind(now.as_millis())
            .bind(step)
            .bind(serde_json::to_string(&recovery_codes)?)
            .bind(name)
            .execute(&mut *connection)
            .await?;
            // A thief of the earlier device or of the password may have one of them.
            staff_sessions::end_others(connection, name, session).await?;
            staff_sessions::confirm(connection, session, now).await?;
            return note(connection, name, AuditAction::Enrol, "").await;
        }
    }
    if is_step_up {
        staff_sessions::confirm(connection, session, now).await?;
        note(connection, name, AuditAction::StepUp, "").await?;
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
