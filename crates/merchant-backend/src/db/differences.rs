//! `differences`: operations of which a statement of the payment service says something else.

use super::beside::Beside;
use super::engine::Connection;
use super::error::DbError;
use super::noted::{self, Noted};
use payment_model::Currency;
use payment_rules::compare_statement::{Compared, Own, StatementLine};
use sqlx::Row as _;

impl Beside {
    /// Holds lines of a statement against the operations, and keeps what differs as exceptions; a
    /// difference of an earlier statement ends when this one has none.
    pub(crate) async fn compare(&self, lines: &[StatementLine]) -> Result<Vec<Compared>, DbError> {
        let mut transaction = self.write().await?;
        let mut compared = Vec::with_capacity(lines.len());
        for line in lines {
            let own = own(&mut transaction, line).await?;
            let found = line.compare(own.as_ref());
            match &found {
                Compared::Unknown => {}
                Compared::Same => {
                    noted::follow(&mut transaction, Noted::Difference, &line.key, None).await?;
                }
                Compared::Differs(detail) => {
                    noted::follow(&mut transaction, Noted::Difference, &line.key, Some(detail))
                        .await?;
                }
            }
            compared.push(found);
        }
        transaction.commit().await?;
        Ok(compared)
    }
}

async fn own(connection: &mut Connection, line: &StatementLine) -> Result<Option<Own>, DbError> {
    let row = sqlx::query(
        "SELECT state, amount, currency FROM operations
         WHERE merchant_code = $1 AND merchant_operation_number = $2",
    )
    .bind(line.key.merchant_code.as_str())
    .bind(line.key.number.as_str())
    .fetch_optional(connection)
    .await?;
    let read = |row: super::engine::Row| {
        Ok(Own {
            state: row.try_get("state")?,
            cents: row.try_get::<i64, _>("amount")?.cast_unsigned(),
            currency: Currency::new(row.try_get::<String, _>("currency")?),
        })
    };
    row.map(read).transpose()
}
