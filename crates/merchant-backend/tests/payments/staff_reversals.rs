//! A payment that a cancellation gave back appears to staff as reversed everywhere.

use crate::support::roles::canceler;
use crate::support::sales::paid_installments;
use crate::support::stack::{MERCHANT, Stack};
use serde_json::{Value, json};

/// The state and the outcome of a row.
fn standing(row: &Value) -> (Value, Value) {
    (row["state"].clone(), row["outcome"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_paid_and_given_back_is_reversed_in_lists_details_and_files() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let reversed = paid_installments(&stack).await.number;
    assert_eq!(
        canceler.cancel(&reversed, "reverse").await.state(),
        "CANCELADO"
    );
    let cancelled = stack.payer().await.pay_by_qr("k").await.number();
    assert_eq!(
        canceler.cancel(&cancelled, "cancel").await.state(),
        "CANCELADO"
    );
    let waiting = stack.payer().await.pay_by_qr("k").await.number();
    for (number, state, outcome) in [
        (&reversed, "CANCELADO", json!("reversed")),
        (&cancelled, "CANCELADO", json!("cancelled")),
        (&waiting, "PENDIENTE", Value::Null),
    ] {
        let wanted = (json!(state), outcome.clone());
        let found = canceler
            .get(&format!("/operations?q={number}"))
            .await
            .json();
        assert_eq!(standing(&found["operations"][0]), wanted, "{number}");
        let details = canceler.details(number).await;
        assert_eq!(standing(&details["row"]), wanted);
        assert_eq!(standing(&details["order"]["operations"][0]), wanted);
        let file = canceler
            .get(&format!("/operations.csv?q={number}"))
            .await
            .text;
        let line = file.lines().nth(1).unwrap();
        let start = format!("{MERCHANT},{number},");
        assert!(line.starts_with(&start), "{line}");
        assert!(line.contains(&format!(",{state},")), "{line}");
        let end = format!(",{},R-10", outcome.as_str().unwrap_or_default());
        assert!(line.contains(&end), "{line}");
    }
}
