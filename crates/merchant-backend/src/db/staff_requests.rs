use super::DbError;
use super::refunds::RequestStanding;
use crate::clock::{Millis, Moment};
use crate::domain::ledger::Asker;
use serde_json::Value;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

/// See [`super::Db::claim_request`].
pub(super) async fn claim(
    connection: &mut SqliteConnection,
    asker: &Asker,
    fingerprint: &str,
    at: Moment,
    lease: Millis,
) -> Result<RequestStanding, DbError> {
    let row = sqlx::query("SELECT * FROM staff_requests WHERE staff = ? AND idempotency_key = ?")
        .bind(&asker.staff)
        .bind(&asker.key)
        .fetch_optional(&mut *connection)
        .await?;
    let standing = match row {
        Some(row) => standing(&row, fingerprint, at)?,
        None => RequestStanding::Claimed,
    };
    if standing == RequestStanding::Claimed {
        sqlx::query(
            "INSERT INTO staff_requests (staff, idempotency_key, fingerprint, created_at, running_until)
             VALUES (?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET running_until = excluded.running_until",
        )
        .bind(&asker.staff)
        .bind(&asker.key)
        .bind(fingerprint)
        .bind(at.wall)
        .bind(at.steady.saturating_add(lease))
        .execute(connection)
        .await?;
    }
    Ok(standing)
}

fn standing(row: &SqliteRow, fingerprint: &str, at: Moment) -> Result<RequestStanding, DbError> {
    if row.try_get::<String, _>("fingerprint")? != fingerprint {
        return Ok(RequestStanding::Other);
    }
    let answer: Option<String> = row.try_get("answer")?;
    if let Some(answer) = answer {
        let status = row.try_get("status")?;
        return Ok(RequestStanding::Answered(
            status,
            serde_json::from_str(&answer)?,
        ));
    }
    let running_until: Option<Millis> = row.try_get("running_until")?;
    // By the clock that nobody can set, or one key could run twice at once.
    let runs = running_until.is_some_and(|until| until > at.steady);
    Ok(if runs {
        RequestStanding::Running
    } else {
        RequestStanding::Claimed
    })
}

/// See [`super::Db::end_request`].
pub(super) async fn end(
    connection: &mut SqliteConnection,
    asker: &Asker,
    answer: Option<(u16, Value)>,
) -> Result<(), DbError> {
    let (status, body) = answer.unzip();
    sqlx::query(
        "UPDATE staff_requests SET running_until = NULL, status = ?, answer = ?
         WHERE staff = ? AND idempotency_key = ? AND answer IS NULL",
    )
    .bind(status)
    .bind(body.map(|body| body.to_string()))
    .bind(&asker.staff)
    .bind(&asker.key)
    .execute(connection)
    .await?;
    Ok(())
}

/// Frees every request that runs; for the start, when nothing can be running.
pub(super) async fn free_all(connection: &mut SqliteConnection) -> Result<(), DbError> {
    sqlx::query("UPDATE staff_requests SET running_until = NULL WHERE running_until IS NOT NULL")
        .execute(connection)
        .await?;
    Ok(())
}
