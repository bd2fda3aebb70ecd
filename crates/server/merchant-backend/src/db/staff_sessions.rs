//! `staff_sessions`: the sessions of signed-in staff, with the second factors of their accounts.

use super::audit;
use super::columns::{instant, optional_instant};
use super::connections::Db;
use super::engine::{Connection, Engine, Row, list};
use super::error::DbError;
use super::lock::Lock;
use super::stored_factor::{self, FACTOR_COLUMNS, stored_factor};
use payment_model::Timestamp;
use payment_rules::second_factor::StoredFactor;
use payment_rules::staff::{AuditRecord, MAX_SESSION_LIFETIME};
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::AuditAction;
use std::time::Duration;

/// The account of a session, and a fingerprint of the password hash with which it began.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    pub(crate) name: String,
    pub(crate) password: String,
}

/// A session that a sign-in opens.
#[derive(Clone, Copy)]
pub(crate) struct NewSession<'a> {
    pub(crate) hash: &'a str,
    pub(crate) holder: &'a Holder,
    /// The hashes of the earlier sessions of the same browser, which end.
    pub(crate) before: &'a [String],
    /// After so long without use no session of any account goes on.
    pub(crate) most_idle: Duration,
}

/// How often the last use of a session is written: not with every request.
const USE_WRITE_INTERVAL: Duration = Duration::from_mins(1);

/// A session that has not expired.
pub(crate) struct StaffSession {
    pub(crate) hash: String,
    pub(crate) holder: Holder,
    /// When the session gave a code of the second factor last.
    pub(crate) confirmed_at: Option<Timestamp>,
    /// The second factor of its account, which the same query reads.
    pub(crate) factor: StoredFactor,
    pub(crate) used_at: Timestamp,
}

impl StaffSession {
    fn needs_touch(&self, now: Timestamp) -> bool {
        now.duration_since(self.used_at) > USE_WRITE_INTERVAL
    }
}

impl Db {
    /// Signs an account in without a code, if its second factor permits that; returns whether it does.
    pub(crate) async fn begin_session(
        &self,
        new: NewSession<'_>,
        permits: impl FnOnce(&StoredFactor) -> bool,
        now: Timestamp,
    ) -> Result<bool, DbError> {
        let name = &new.holder.name;
        let mut transaction = self.write(Lock::Account(name, &[])).await?;
        // It may have been enrolled meanwhile, which ends every session from before.
        if !permits(&stored_factor::find(&mut transaction, name).await?) {
            return Ok(false);
        }
        open(&mut transaction, new, false, now).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Finds the first of these sessions that began at most a working day ago and was used within `most_idle`.
    pub(crate) async fn staff_session(
        &self,
        hashes: &[String],
        most_idle: Duration,
        now: Timestamp,
    ) -> Result<Option<StaffSession>, DbError> {
        find(&mut self.reader().await?, hashes, most_idle, now).await
    }

    /// Notes that a person used the session.
    pub(crate) async fn note_session_use(
        &self,
        session: &StaffSession,
        now: Timestamp,
    ) -> Result<(), DbError> {
        if session.needs_touch(now) {
            let mut transaction = self.write(Lock::None).await?;
            touch(&mut transaction, &session.hash, now).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Signs the accounts of these sessions out, with an audit record for each.
    pub(crate) async fn end_sessions(&self, hashes: &[String]) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::None).await?;
        for name in end(&mut transaction, hashes).await? {
            let record = AuditRecord::without_operation(&name, AuditAction::SignOut, "");
            audit::add(&mut transaction, &record).await?;
        }
        transaction.commit().await
    }
}

/// Opens a session with its audit record, and ends the earlier ones of its browser. One that began with a code of the
/// second factor is confirmed.
pub(super) async fn open(
    connection: &mut Connection,
    new: NewSession<'_>,
    is_confirmed: bool,
    now: Timestamp,
) -> Result<(), DbError> {
    end(connection, new.before).await?;
    sqlx::query("DELETE FROM staff_sessions WHERE created_at < $1 OR used_at < $2")
        .bind(now.saturating_sub(MAX_SESSION_LIFETIME).as_millis())
        .bind(now.saturating_sub(new.most_idle).as_millis())
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO staff_sessions (hash, name, password, created_at, used_at, confirmed_at)
         VALUES ($1, $2, $3, $4, $4, $5)",
    )
    .bind(new.hash)
    .bind(&new.holder.name)
    .bind(&new.holder.password)
    .bind(now.as_millis())
    .bind(is_confirmed.then_some(now.as_millis()))
    .execute(&mut *connection)
    .await?;
    let record = AuditRecord::without_operation(&new.holder.name, AuditAction::SignIn, "");
    audit::add(connection, &record).await
}

/// Notes that a session gave a code of the second factor.
pub(super) async fn confirm(
    connection: &mut Connection,
    hash: &str,
    now: Timestamp,
) -> Result<(), DbError> {
    sqlx::query("UPDATE staff_sessions SET confirmed_at = $1 WHERE hash = $2")
        .bind(now.as_millis())
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends all sessions of an account but this one.
pub(super) async fn end_others(
    connection: &mut Connection,
    name: &str,
    hash: &str,
) -> Result<(), DbError> {
    sqlx::query("DELETE FROM staff_sessions WHERE name = $1 AND hash <> $2")
        .bind(name)
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(())
}

async fn find(
    connection: &mut Connection,
    hashes: &[String],
    most_idle: Duration,
    now: Timestamp,
) -> Result<Option<StaffSession>, DbError> {
    let sql = format!(
        "SELECT s.hash, s.name, s.password, s.used_at, s.confirmed_at, {FACTOR_COLUMNS}
         FROM staff_sessions s LEFT JOIN staff_second_factors f ON f.name = s.name
         WHERE s.hash IN {} AND s.created_at > $2 AND s.used_at > $3
         ORDER BY s.used_at DESC LIMIT 1",
        Engine::of(connection).texts(1)
    );
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(list(hashes)?)
        .bind(now.saturating_sub(MAX_SESSION_LIFETIME).as_millis())
        .bind(now.saturating_sub(most_idle).as_millis())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

fn read(row: &Row) -> Result<StaffSession, DbError> {
    Ok(StaffSession {
        hash: row.try_get("hash")?,
        holder: Holder {
            name: row.try_get("name")?,
            password: row.try_get("password")?,
        },
        confirmed_at: optional_instant(row, "confirmed_at")?,
        factor: stored_factor(row)?,
        used_at: instant(row, "used_at")?,
    })
}

async fn touch(connection: &mut Connection, hash: &str, now: Timestamp) -> Result<(), DbError> {
    sqlx::query("UPDATE staff_sessions SET used_at = $1 WHERE hash = $2")
        .bind(now.as_millis())
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(())
}

async fn end(connection: &mut Connection, hashes: &[String]) -> Result<Vec<String>, DbError> {
    let sql = format!(
        "DELETE FROM staff_sessions WHERE hash IN {} RETURNING name",
        Engine::of(connection).texts(1)
    );
    let names = sqlx::query_scalar(AssertSqlSafe(sql)).bind(list(hashes)?);
    Ok(names.fetch_all(connection).await?)
}
