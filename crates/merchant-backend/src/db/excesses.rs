//! `excesses`: operations of which more was given back than is paid.

use super::engine::Connection;
use super::error::DbError;
use crate::clock::now;
use crate::domain::ledger::Ledger;

/// Adds an operation to the table or removes it, by its ledger.
pub(super) async fn follow(connection: &mut Connection, ledger: &Ledger) -> Result<(), DbError> {
    let (code, number) = (
        ledger.key.merchant_code.as_str(),
        ledger.key.number.as_str(),
    );
    let Some(detail) = ledger.excess() else {
        sqlx::query(
            "DELETE FROM excesses WHERE merchant_code = $1 AND merchant_operation_number = $2",
        )
        .bind(code)
        .bind(number)
        .execute(connection)
        .await?;
        return Ok(());
    };
    // Other amounts make it a new exception, even after somebody resolved the first one.
    sqlx::query(
        "INSERT INTO excesses (merchant_code, merchant_operation_number, since, detail)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (merchant_code, merchant_operation_number) DO UPDATE SET
             since = excluded.since, detail = excluded.detail
             WHERE excesses.detail <> excluded.detail",
    )
    .bind(code)
    .bind(number)
    .bind(now().as_millis())
    .bind(detail)
    .execute(connection)
    .await?;
    Ok(())
}
