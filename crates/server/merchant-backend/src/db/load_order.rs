//! Loads an order with all its payments. An order takes two statements, whatever its number of payments.

use super::columns::optional_instant;
use super::connections::Db;
use super::engine::{Connection, ROW_ID, Row};
use super::error::DbError;
use super::{orders, payments as rows, refused_codes};
use payment_model::Timestamp;
use payment_rules::ledger::Ledger;
use payment_rules::operation::OperationKey;
use payment_rules::order::{FullOrderId, OrderFacts};
use payment_rules::payment::{Order, Payment};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};
use staff_model::ExceptionKind;

/// Loads the order of an operation, or the one with a key. The transaction must be one that sees one
/// state, or has locked the order.
pub(super) async fn load(
    connection: &mut Connection,
    of: LoadBy<'_>,
) -> Result<Option<Order>, DbError> {
    let columns = orders::COLUMNS;
    let sql = format!(
        "SELECT {columns}, purged_at, (SELECT at FROM fence) AS fence,
             (SELECT in_a_row FROM refused_codes refused
                 WHERE refused.merchant_code = orders.merchant_code) AS refused_codes,
             (SELECT closed_at FROM closed_orders closed WHERE closed.order_id = orders.order_id
                 AND closed.merchant_code = orders.merchant_code) AS closed_at
         FROM orders
         WHERE merchant_code = $1 AND order_id = {}",
        match of {
            LoadBy::Operation(_) => {
                "(SELECT order_id FROM operations
                  WHERE merchant_code = $1 AND merchant_operation_number = $2)"
            }
            LoadBy::Order(_) => "$2",
        }
    );
    let query = of.bind(sqlx::query(AssertSqlSafe(sql)));
    let Some(row) = query.fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let facts = orders::read(&row)?;
    let fence = optional_instant(&row, "fence")?;
    let refused: Option<i64> = row.try_get("refused_codes")?;
    let payments = payments(connection, &facts, fence).await?;
    Ok(Some(Order {
        fence,
        refused_codes: refused.map_or(0, refused_codes::from_row),
        closed_at: optional_instant(&row, "closed_at")?,
        payer_is_forgotten: optional_instant(&row, "purged_at")?.is_some(),
        ..Order::new(facts, payments)
    }))
}

/// The payments of an order, the oldest first.
async fn payments(
    connection: &mut Connection,
    order: &OrderFacts,
    fence: Option<Timestamp>,
) -> Result<Vec<Payment>, DbError> {
    let compared = ", (SELECT x.since FROM resolved_exceptions x
             WHERE x.merchant_code = operations.merchant_code AND x.kind = $3
                 AND x.merchant_operation_number = operations.merchant_operation_number
         ) AS compared_since";
    let which = format!("order_id = $1 AND merchant_code = $2 ORDER BY created_at, {ROW_ID}");
    let rows = sqlx::query(AssertSqlSafe(rows::select(compared, &which)))
        .bind(&order.order_id)
        .bind(&order.merchant_code)
        .bind(ExceptionKind::Restored.as_str())
        .fetch_all(connection)
        .await?;
    let read = |row: &Row| {
        let mut payment = rows::read(row)?;
        let compared_since = optional_instant(row, "compared_since")?;
        payment.ledger.awaits_comparison = fence.is_some_and(|fence| {
            let is_compared = compared_since.is_some_and(|since| since >= fence);
            payment.operation.created_at < fence && !is_compared
        });
        Ok(payment)
    };
    rows.iter().map(read).collect()
}

impl Db {
    /// An order with everything about its payments.
    pub(crate) async fn order_with_payments(
        &self,
        order: &FullOrderId,
    ) -> Result<Option<Order>, DbError> {
        let mut transaction = self.read().await?;
        let order = load(&mut transaction, LoadBy::Order(order)).await?;
        transaction.commit().await?;
        Ok(order)
    }

    /// The ledger of one operation; `None` if there is no such operation.
    pub(crate) async fn ledger(&self, key: &OperationKey) -> Result<Option<Ledger>, DbError> {
        let payment = rows::find(&mut self.reader().await?, key).await?;
        Ok(payment.map(|payment| payment.ledger))
    }
}

/// What to load the order of.
#[derive(Clone, Copy)]
pub(super) enum LoadBy<'a> {
    Operation(&'a OperationKey),
    Order(&'a FullOrderId),
}

impl<'a> LoadBy<'a> {
    /// Binds the first parameters of a statement.
    fn bind(self, query: BoundQuery<'a>) -> BoundQuery<'a> {
        match self {
            Self::Operation(key) => query
                .bind(key.merchant_code.as_str())
                .bind(key.number.as_str()),
            Self::Order(order) => query.bind(&order.merchant_code).bind(&order.order_id),
        }
    }
}

type BoundQuery<'a> = Query<'a, Any, AnyArguments>;
