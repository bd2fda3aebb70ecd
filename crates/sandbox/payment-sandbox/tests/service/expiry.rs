use crate::support::{Harness, NOON};
use serde_json::json;

#[tokio::test]
async fn time_alone_expires_what_nobody_paid() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    harness.move_clock(899).await;
    assert_eq!(harness.state("1").await, "PENDIENTE");
    harness.move_clock(86_400).await;
    let reply = harness.cancel("1").await;
    assert_eq!(reply.at("/operation/state"), "EXPIRADO");
    // The lifecycle says when the time passed, not when somebody looked.
    let expired = reply.at("/operation/transactions/0/lifecycle/2/date/unix_time");
    assert_eq!(expired, (NOON + 900_000) / 1000);
}

#[tokio::test]
async fn nothing_is_paid_after_its_time() {
    let harness = Harness::new();
    let id = harness
        .authorize("1", "QR")
        .await
        .at("/transaction/transaction_id");
    harness.move_clock(900).await;
    assert_eq!(harness.drive("1", "pay").await.status, 409);
    harness
        .post(&format!("/phone/{}/pay", id.as_str().unwrap()))
        .await;
    assert_eq!(harness.state("1").await, "EXPIRADO");
}

#[tokio::test]
async fn a_paid_operation_does_not_expire() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    harness.drive("1", "pay").await;
    harness.move_clock(86_400).await;
    assert_eq!(harness.state("1").await, "AUTORIZADO");
}

#[tokio::test]
async fn the_time_to_pay_can_be_set_for_all_and_for_one() {
    let harness = Harness::new();
    let change = json!({"qr_expires_in_s": 5, "installment_expires_in_s": 7});
    let reply = harness.control("PUT", "/settings", &change).await;
    assert_eq!(reply.at("/qr_expires_in_s"), 5);
    let expiration = "/transaction/expiration_date/unix_time";
    assert_eq!(
        harness.authorize("1", "QR").await.at(expiration),
        NOON / 1000 + 5
    );
    assert_eq!(
        harness.authorize("2", "INSTALLMENT").await.at(expiration),
        NOON / 1000 + 7
    );
    let one = json!({"merchant_operation_number": "3", "expires_in_s": 2});
    let reply = harness.control("POST", "/operations", &one).await;
    let expiration = "/operation/transactions/0/expiration_date/unix_time";
    assert_eq!(reply.at(expiration), NOON / 1000 + 2);
}
