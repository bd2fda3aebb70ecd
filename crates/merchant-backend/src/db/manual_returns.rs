//! `manual_returns`: money that was given back by hand.

use super::columns::{self, Columns, amount, asker, flag, instant, key};
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use payment_rules::ledger::{Asker, ReturnEnd, ReturnRecord};
use payment_rules::operation::OperationKey;
use staff_model::ReturnState;

impl Db {
    /// The operation of the return recorded under a key.
    pub(crate) async fn operation_of_return_key(
        &self,
        asker: &Asker,
    ) -> Result<Option<OperationKey>, DbError> {
        let row = sqlx::query(
            "SELECT merchant_code, merchant_operation_number FROM manual_returns
             WHERE staff = $1 AND idempotency_key = $2",
        )
        .bind(&asker.staff)
        .bind(asker.key.as_str())
        .fetch_optional(&mut *self.reader().await?)
        .await?;
        row.as_ref().map(key).transpose()
    }

    /// The operation that a return belongs to.
    pub(crate) async fn operation_of_return(
        &self,
        return_id: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        let mut reader = self.reader().await?;
        columns::operation_with(&mut reader, "manual_returns", "return_id", return_id).await
    }
}

/// The columns that [`read`] reads.
pub(super) const COLUMNS: &str =
    "return_id, amount, reason, staff, idempotency_key, at, state, already_made,
    give_up_asked_by, give_up_asked_at, give_up_reason, ended_by, ended_at, end_reason";

pub(super) fn read(row: &impl Columns) -> Result<ReturnRecord, DbError> {
    let state = row.text("state")?;
    Ok(ReturnRecord {
        id: row.text("return_id")?,
        amount: amount(row)?,
        reason: row.text("reason")?,
        asker: asker(row)?,
        at: instant(row, "at")?,
        state: ReturnState::from_word(&state)
            .ok_or_else(|| DbError::missing(format!("a known state instead of {state:?}")))?,
        already_made: flag(row, "already_made")?,
        give_up_asked: end(
            row,
            ["give_up_asked_by", "give_up_asked_at", "give_up_reason"],
        )?,
        end: end(row, ["ended_by", "ended_at", "end_reason"])?,
    })
}

fn end(row: &impl Columns, [by, at, reason]: [&str; 3]) -> Result<Option<ReturnEnd>, DbError> {
    let Some(by) = row.optional_text(by)? else {
        return Ok(None);
    };
    Ok(Some(ReturnEnd {
        by,
        at: instant(row, at)?,
        reason: row.text(reason)?,
    }))
}

/// Writes a return; of an existing one only its end.
pub(super) async fn save(
    connection: &mut Connection,
    key: &OperationKey,
    returned: &ReturnRecord,
) -> Result<(), DbError> {
    let (asked, end) = (returned.give_up_asked.as_ref(), returned.end.as_ref());
    sqlx::query(
        "INSERT INTO manual_returns (return_id, merchant_code, merchant_operation_number, amount,
             reason, staff, idempotency_key, at, state, already_made, ended_by, ended_at, end_reason,
             give_up_asked_by, give_up_asked_at, give_up_reason)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (staff, idempotency_key) DO UPDATE SET state = excluded.state,
             ended_by = excluded.ended_by, ended_at = excluded.ended_at,
             end_reason = excluded.end_reason, give_up_asked_by = excluded.give_up_asked_by,
             give_up_asked_at = excluded.give_up_asked_at,
             give_up_reason = excluded.give_up_reason",
    )
    .bind(&returned.id)
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(returned.amount.cast_signed())
    .bind(&returned.reason)
    .bind(&returned.asker.staff)
    .bind(returned.asker.key.as_str())
    .bind(returned.at.as_millis())
    .bind(returned.state.as_str())
    .bind(i64::from(returned.already_made))
    .bind(end.map(|end| end.by.as_str()))
    .bind(end.map(|end| end.at.as_millis()))
    .bind(end.map(|end| end.reason.as_str()))
    .bind(asked.map(|asked| asked.by.as_str()))
    .bind(asked.map(|asked| asked.at.as_millis()))
    .bind(asked.map(|asked| asked.reason.as_str()))
    .execute(connection)
    .await?;
    Ok(())
}
