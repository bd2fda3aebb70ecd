//! What one account of the staff gives back, over all operations.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use crate::clock::now;
use payment_rules::ledger::GivenBack;
use payment_rules::operation::OperationKey;
use std::time::Duration;

/// The time over which a limit of a day counts.
const DAY: Duration = Duration::from_hours(24);

pub(super) const OF_OPERATION: &str = "SELECT amount FROM given_back_by_staff
    WHERE staff = $1 AND merchant_code = $2 AND merchant_operation_number = $3 AND asked = 0";

pub(super) const IN_A_DAY: &str = "SELECT amount FROM given_back_by_staff
    WHERE staff = $1 AND at > $2
        AND NOT (asked = 1 AND merchant_code = $3 AND merchant_operation_number = $4)";

impl Db {
    /// What an account has given back of an operation, and in the last 24 hours, besides a reversal
    /// of the operation that it asks for again.
    pub(crate) async fn given_back_by(
        &self,
        staff: &str,
        key: &OperationKey,
    ) -> Result<GivenBack, DbError> {
        given_back_by(&mut *self.read().await?, staff, key).await
    }
}

/// See [`Db::given_back_by`]. An instant that is to come, since the clock was set back, is in the
/// last 24 hours too.
pub(super) async fn given_back_by(
    connection: &mut Connection,
    staff: &str,
    key: &OperationKey,
) -> Result<GivenBack, DbError> {
    let of_operation: Vec<i64> = sqlx::query_scalar(OF_OPERATION)
        .bind(staff)
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_all(&mut *connection)
        .await?;
    let in_a_day: Vec<i64> = sqlx::query_scalar(IN_A_DAY)
        .bind(staff)
        .bind(now().saturating_sub(DAY).as_millis())
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_all(connection)
        .await?;
    Ok(GivenBack {
        of_operation: sum(&of_operation),
        in_a_day: sum(&in_a_day),
    })
}

fn sum(amounts: &[i64]) -> u64 {
    let amounts = amounts.iter().map(|amount| amount.cast_unsigned());
    amounts.fold(0, u64::saturating_add)
}
