//! `transaction_hints`: ids by which the service may be asked about an operation in doubt.

use super::connections::Db;
use super::error::DbError;
use super::scope::Scope;
use crate::domain::operation::OperationKey;
use payment_model::{Timestamp, TransactionId};

/// Who guesses gets no further.
const MOST_HINTS: i64 = 10;

impl Db {
    /// Keeps an id for an operation in doubt, which is due then; `false` when it is known, or when
    /// the operation has enough of them.
    pub(crate) async fn note_transaction_hint(
        &self,
        key: &OperationKey,
        id: &TransactionId,
        now: Timestamp,
    ) -> Result<bool, DbError> {
        let mut transaction = self.write(Scope::Operation(key)).await?;
        let noted = sqlx::query(
            "INSERT INTO transaction_hints (merchant_code, merchant_operation_number,
                 transaction_id, noted_at)
             SELECT $1, $2, $3, $4 FROM operations WHERE merchant_code = $1
                 AND merchant_operation_number = $2 AND phase IN ('sending', 'in_doubt')
                 AND (SELECT count(*) FROM transaction_hints h WHERE h.merchant_code = $1
                     AND h.merchant_operation_number = $2) < $5
             ON CONFLICT DO NOTHING",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .bind(id.as_str())
        .bind(now.as_millis())
        .bind(MOST_HINTS)
        .execute(&mut *transaction)
        .await?;
        let is_new = noted.rows_affected() > 0;
        if is_new {
            sqlx::query(
                "UPDATE operations SET due_at = $1, planned_at = $1, leased_until = NULL
                 WHERE merchant_code = $2 AND merchant_operation_number = $3
                     AND phase = 'in_doubt'",
            )
            .bind(now.as_millis())
            .bind(key.merchant_code.as_str())
            .bind(key.number.as_str())
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(is_new)
    }

    /// The ids to ask by, the oldest first.
    pub(crate) async fn transaction_hints(
        &self,
        key: &OperationKey,
    ) -> Result<Vec<TransactionId>, DbError> {
        let ids = sqlx::query_scalar::<_, String>(
            "SELECT transaction_id FROM transaction_hints WHERE merchant_code = $1
                 AND merchant_operation_number = $2 AND wrong = 0 ORDER BY noted_at, transaction_id",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_all(&mut *self.reader().await?)
        .await?;
        Ok(ids.into_iter().map(TransactionId::new).collect())
    }

    /// Asks no more by an id that is not that of the operation. It goes on counting against the most
    /// that an operation has.
    pub(crate) async fn refute_transaction_hint(
        &self,
        key: &OperationKey,
        id: &TransactionId,
    ) -> Result<(), DbError> {
        let mut transaction = self.write(Scope::Rows).await?;
        sqlx::query(
            "UPDATE transaction_hints SET wrong = 1 WHERE merchant_code = $1
                 AND merchant_operation_number = $2 AND transaction_id = $3",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .bind(id.as_str())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }
}
