//! Operations of which more was given back than stands paid.

use super::DbError;
use crate::clock::now;
use crate::domain::ledger::Ledger;
use sqlx::SqliteConnection;

/// Writes down whether an operation is one, as its ledger is now.
pub(super) async fn follow(
    connection: &mut SqliteConnection,
    ledger: &Ledger,
) -> Result<(), DbError> {
    let (code, number) = (
        ledger.key.merchant_code.as_str(),
        ledger.key.number.as_str(),
    );
    let Some(detail) = ledger.excess() else {
        sqlx::query(
            "DELETE FROM excesses WHERE merchant_code = ? AND merchant_operation_number = ?",
        )
        .bind(code)
        .bind(number)
        .execute(connection)
        .await?;
        return Ok(());
    };
    // Other amounts make it another exception, also for somebody who dealt with the first.
    sqlx::query(
        "INSERT INTO excesses (merchant_code, merchant_operation_number, since, detail)
         VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET since = excluded.since, detail = excluded.detail
             WHERE detail <> excluded.detail",
    )
    .bind(code)
    .bind(number)
    .bind(now())
    .bind(detail)
    .execute(connection)
    .await?;
    Ok(())
}
