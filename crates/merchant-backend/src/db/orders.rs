use super::DbError;
use crate::domain::order::{Order, OrderState};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

pub(super) async fn add(connection: &mut SqliteConnection, order: &Order) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO orders (order_id, session_hash, created_at, amount, currency, merchant_code,
             items, customer, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&order.order_id)
    .bind(&order.session_hash)
    .bind(order.created_at)
    .bind(order.amount.cast_signed())
    .bind(&order.currency)
    .bind(&order.merchant_code)
    .bind(serde_json::to_string(&order.items)?)
    .bind(serde_json::to_string(&order.customer)?)
    .bind(order.state.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn find(
    connection: &mut SqliteConnection,
    order_id: &str,
) -> Result<Option<Order>, DbError> {
    let row = sqlx::query("SELECT * FROM orders WHERE order_id = ?")
        .bind(order_id)
        .fetch_optional(connection)
        .await?;
    row.map(|row| order(&row)).transpose()
}

fn order(row: &SqliteRow) -> Result<Order, DbError> {
    let state: String = row.try_get("state")?;
    Ok(Order {
        order_id: row.try_get("order_id")?,
        session_hash: row.try_get("session_hash")?,
        created_at: row.try_get("created_at")?,
        amount: row.try_get::<i64, _>("amount")?.cast_unsigned(),
        currency: row.try_get("currency")?,
        merchant_code: row.try_get("merchant_code")?,
        items: serde_json::from_str(&row.try_get::<String, _>("items")?)?,
        customer: serde_json::from_str(&row.try_get::<String, _>("customer")?)?,
        state: if state == OrderState::Paid.as_str() {
            OrderState::Paid
        } else {
            OrderState::Open
        },
        paid_twice: row.try_get("paid_twice")?,
    })
}

/// Lets an order follow its operations: paid exactly while a payment stands, and marked for
/// good once two stood at the same time. Answers with how many stand.
pub(super) async fn follow(
    connection: &mut SqliteConnection,
    order_id: &str,
) -> Result<i64, DbError> {
    let paid = standing(connection, order_id).await?;
    let state = if paid > 0 {
        OrderState::Paid
    } else {
        OrderState::Open
    };
    sqlx::query("UPDATE orders SET state = ?, paid_twice = max(paid_twice, ?) WHERE order_id = ?")
        .bind(state.as_str())
        .bind(paid > 1)
        .bind(order_id)
        .execute(connection)
        .await?;
    Ok(paid)
}

/// Whether the payer of an order was forgotten, and stays so.
pub(super) async fn is_purged(
    connection: &mut SqliteConnection,
    order_id: &str,
) -> Result<bool, DbError> {
    let purged = sqlx::query_scalar("SELECT purged_at IS NOT NULL FROM orders WHERE order_id = ?");
    let purged = purged.bind(order_id).fetch_optional(connection).await?;
    Ok(purged.unwrap_or(false))
}

/// How many payments of an order stand.
pub(super) async fn standing(
    connection: &mut SqliteConnection,
    order_id: &str,
) -> Result<i64, DbError> {
    let count = sqlx::query_scalar(
        "SELECT count(*) FROM operations WHERE order_id = ? AND outcome = 'paid'",
    );
    Ok(count.bind(order_id).fetch_one(connection).await?)
}
