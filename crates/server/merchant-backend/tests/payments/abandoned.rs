//! Orders without an attempt to pay.

use crate::support::database::{tamper, values};
use crate::support::payer::Payer;
use crate::support::stack::MERCHANT;
use crate::support::stack::Stack;
use crate::support::wait::until;
use reqwest::Method;

async fn shown(payer: &Payer) -> u16 {
    let path = format!("/orders/{}", payer.order_id);
    payer.send(Method::GET, &path, &[], "").await.status
}

/// Makes an order a little over a day old.
async fn age(stack: &Stack, payer: &Payer) {
    let sql = format!(
        "UPDATE orders SET created_at = created_at - 86460000 WHERE order_id = '{}'",
        payer.order_id
    );
    tamper(stack, &sql).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_without_an_attempt_is_removed_after_a_day() {
    let mut stack = Stack::start().await;
    let (idle, tried, paid, young) = (
        stack.payer().await,
        stack.payer().await,
        stack.payer().await,
        stack.payer().await,
    );
    let number = paid.pay_by_qr("k").await.number();
    for old in [&idle, &tried, &paid] {
        age(&stack, old).await;
    }
    stack.stop().await;
    // An attempt that ended before there was an operation, and many more old orders.
    let sql = format!(
        "INSERT INTO idempotency_keys (sender_kind, sender, key, merchant_code, order_id,
             fingerprint, created_at)
             VALUES ('payer', 's', 'k', '{MERCHANT}', '{}', 'f', 1);
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 250)
         INSERT INTO orders (merchant_code, order_id, session_hash, created_at, amount, currency, items,
             customer, state)
             SELECT '{MERCHANT}', 'old-' || n, 's', n, 100, 'PEN', '[]', '{{}}', 'open' FROM n",
        tried.order_id
    );
    tamper(&stack, &sql).await;
    stack.run().await;
    until("removed", async || {
        shown(&idle).await == 404 && shown(&tried).await == 404
    })
    .await;
    until("all of them", async || {
        let left: Vec<i64> = values(&stack, "SELECT count(*) FROM orders").await;
        left == [2]
    })
    .await;
    assert_eq!(shown(&young).await, 200);
    assert_eq!(shown(&paid).await, 200);
    paid.status(&number).await.state();
    // The order is gone without a trace, and the payer orders anew.
    let answer = idle.pay_by_qr("late").await;
    assert_eq!(answer.problem(), "not-found");
}
