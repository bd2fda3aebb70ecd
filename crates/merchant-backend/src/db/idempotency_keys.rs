use super::{Attempt, DbError, Ending, Standing};
use crate::clock::{Millis, Moment};
use crate::domain::operation::OperationKey;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

/// See [`super::Db::claim`].
pub(super) async fn claim(
    connection: &mut SqliteConnection,
    attempt: &Attempt,
    at: Moment,
    lease: Millis,
) -> Result<Standing, DbError> {
    let standing = find(&mut *connection, attempt, at).await?;
    if standing == Standing::Claimed {
        sqlx::query(
            "INSERT INTO attempts (session_hash, idempotency_key, order_id, fingerprint, created_at, running_until)
             VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET running_until = excluded.running_until",
        )
        .bind(&attempt.session_hash)
        .bind(&attempt.key)
        .bind(&attempt.order_id)
        .bind(&attempt.fingerprint)
        .bind(at.wall)
        .bind(at.steady.saturating_add(lease))
        .execute(connection)
        .await?;
    }
    Ok(standing)
}

/// See [`super::Db::standing`].
pub(super) async fn find(
    connection: &mut SqliteConnection,
    attempt: &Attempt,
    at: Moment,
) -> Result<Standing, DbError> {
    let row = sqlx::query("SELECT * FROM attempts WHERE session_hash = ? AND idempotency_key = ?")
        .bind(&attempt.session_hash)
        .bind(&attempt.key)
        .fetch_optional(connection)
        .await?;
    row.map_or(Ok(Standing::Claimed), |row| standing(&row, attempt, at))
}

fn standing(row: &SqliteRow, attempt: &Attempt, at: Moment) -> Result<Standing, DbError> {
    if row.try_get::<String, _>("fingerprint")? != attempt.fingerprint {
        return Ok(Standing::Other);
    }
    let number: Option<String> = row.try_get("merchant_operation_number")?;
    if let Some(number) = number {
        let merchant_code: String = row.try_get("merchant_code")?;
        return Ok(Standing::Answered(OperationKey::new(merchant_code, number)));
    }
    let problem: Option<String> = row.try_get("problem")?;
    if let Some(problem) = problem {
        let status = row.try_get("problem_status")?;
        return Ok(Standing::Refused(status, serde_json::from_str(&problem)?));
    }
    let running_until: Option<Millis> = row.try_get("running_until")?;
    // By the clock that nobody can set, or one key could run twice at once.
    let runs = running_until.is_some_and(|until| until > at.steady);
    Ok(if runs {
        Standing::Running
    } else {
        Standing::Claimed
    })
}

/// See [`super::Db::end`].
pub(super) async fn end(
    connection: &mut SqliteConnection,
    attempt: &Attempt,
    ending: Option<Ending>,
) -> Result<(), DbError> {
    let (operation, problem) = match ending {
        None => (None, None),
        Some(Ending::Operation(key)) => (Some(key), None),
        Some(Ending::Problem(status, body)) => (None, Some((status, body.to_string()))),
    };
    let (status, body) = problem.unzip();
    sqlx::query(
        "UPDATE attempts SET running_until = NULL, merchant_code = ?, merchant_operation_number = ?,
             problem_status = ?, problem = ?
         WHERE session_hash = ? AND idempotency_key = ?",
    )
    .bind(operation.as_ref().map(|key| key.merchant_code.as_str()))
    .bind(operation.as_ref().map(|key| key.number.as_str()))
    .bind(status)
    .bind(body)
    .bind(&attempt.session_hash)
    .bind(&attempt.key)
    .execute(connection)
    .await?;
    Ok(())
}

/// Frees every attempt that runs; for the start, when nothing can be running.
pub(super) async fn free_all(connection: &mut SqliteConnection) -> Result<(), DbError> {
    sqlx::query("UPDATE attempts SET running_until = NULL WHERE running_until IS NOT NULL")
        .execute(connection)
        .await?;
    Ok(())
}
