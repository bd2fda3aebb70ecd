//! A payment that a cancellation gave back appears to staff as reversed everywhere.

use crate::support::roles::canceler;
use crate::support::sales::paid_installments;
use crate::support::stack::{MERCHANT, Stack};
use payment_model::{Outcome, TransactionState};
use staff_model::{OperationRow, SearchPage};

/// The state and the outcome of a row.
fn state_and_outcome(row: &OperationRow) -> (Option<&str>, Option<Outcome>) {
    (
        row.state.as_ref().map(TransactionState::as_str),
        row.outcome,
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversed_payment_is_reversed_in_lists_details_and_files() {
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
        (&reversed, "CANCELADO", Some(Outcome::Reversed)),
        (&cancelled, "CANCELADO", Some(Outcome::Cancelled)),
        (&waiting, "PENDIENTE", None),
    ] {
        let wanted = (Some(state), outcome);
        let found = canceler.get(&format!("/operations?q={number}")).await;
        let found = found.read::<SearchPage>().operations;
        assert_eq!(state_and_outcome(&found[0]), wanted, "{number}");
        let details = canceler.details(number).await;
        assert_eq!(state_and_outcome(&details.row), wanted);
        assert_eq!(state_and_outcome(&details.order.operations[0]), wanted);
        let file = canceler
            .get(&format!("/operations.csv?q={number}"))
            .await
            .text;
        let line = file.lines().nth(1).unwrap();
        let start = format!("{MERCHANT},{number},");
        assert!(line.starts_with(&start), "{line}");
        assert!(line.contains(&format!(",{state},")), "{line}");
        let end = format!(",{},R-10", outcome.map_or("", Outcome::as_str));
        assert!(line.contains(&end), "{line}");
    }
}
