//! `refused_codes`: the number of consecutive QR codes of a store that the server refused because they were wrong.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use payment_model::Timestamp;

impl Db {
    /// The number of consecutive refused QR codes of a store.
    pub(crate) async fn refused_codes(&self, merchant_code: &str) -> Result<u32, DbError> {
        let count =
            sqlx::query_scalar("SELECT in_a_row FROM refused_codes WHERE merchant_code = $1");
        let count = count.bind(merchant_code);
        let count: Option<i64> = count.fetch_optional(&mut self.reader().await?).await?;
        Ok(count.map_or(0, from_row))
    }
}

/// A count of the column `in_a_row`.
pub(super) fn from_row(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Counts one more refused code, whose attempt began then.
pub(super) async fn add(
    connection: &mut Connection,
    merchant_code: &str,
    begun_at: Timestamp,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO refused_codes (merchant_code, in_a_row, since) VALUES ($1, 1, $2)
         ON CONFLICT (merchant_code) DO UPDATE SET in_a_row = refused_codes.in_a_row + 1",
    )
    .bind(merchant_code)
    .bind(begun_at.as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

/// Sets the count to zero, if its first code is not newer than `until`: after a right code, or when staff resolve the
/// exception of one of the counted codes.
pub(super) async fn reset(
    connection: &mut Connection,
    merchant_code: &str,
    until: Timestamp,
) -> Result<(), DbError> {
    sqlx::query("DELETE FROM refused_codes WHERE merchant_code = $1 AND since <= $2")
        .bind(merchant_code)
        .bind(until.as_millis())
        .execute(connection)
        .await?;
    Ok(())
}
