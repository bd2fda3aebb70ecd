use crate::support::fault::Fault;
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::until;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn another_amount_currency_or_number_is_never_paid() {
    for (pointer, value) in [
        ("/operation/amount", json!("1")),
        ("/operation/transactions/0/amount", json!("658000")),
        ("/operation/currency", json!("USD")),
        (
            "/operation/merchant_operation_number",
            json!("000000000000"),
        ),
        ("/merchant_code", json!("another-shop")),
    ] {
        let stack = Stack::start().await;
        let (payer, number) = waiting_qr(&stack).await;
        stack
            .with_fault(
                Fault::replace(pointer, value)
                    .on("GET", "/charges")
                    .always(),
            )
            .await;
        stack.drive(&number, "pay").await;
        until("flagged", async || {
            payer.shown().await["operations"][0]["mismatch"] == true
        })
        .await;
        assert_eq!(
            payer.status(&number).await.state(),
            "PENDIENTE",
            "{pointer}"
        );
        assert_eq!(payer.shown().await["state"], "open");
        // A cancellation could reverse a payment.
        assert_eq!(payer.cancel(&number).await.problem(), "cannot-cancel-now");
        assert!(stack.seen("DELETE").await.is_empty());
        // Once the service answers correctly again, the order is correct too; the flag stays.
        stack.without_faults().await;
        until("paid", async || {
            payer.status(&number).await.state() == "AUTORIZADO"
        })
        .await;
        let order = payer.shown().await;
        assert_eq!(
            (&order["state"], &order["operations"][0]["mismatch"]),
            (&json!("paid"), &json!(true))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_for_another_amount_is_shown_to_no_payer() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    stack
        .with_fault(Fault::replace("/transaction/amount", "1").on("POST", "/charges"))
        .await;
    let answer = payer.pay_by_qr("k").await;
    assert_eq!(answer.json()["transaction"]["amount"], "6580");
    let operations = payer.shown().await["operations"].clone();
    assert_eq!(
        (&operations[0]["mismatch"], &operations[0]["live"]),
        (&json!(true), &json!(false))
    );
    let first = operations[0]["merchant_operation_number"].as_str().unwrap();
    until("cancelled", async || {
        stack.state_of(first).await == "CANCELADO"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_the_transaction_says_nothing() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_fault(
            Fault::replace("/operation/transactions", json!([]))
                .on("GET", "/charges")
                .always(),
        )
        .await;
    stack.drive(&number, "pay").await;
    until("asked", async || !stack.seen("GET").await.is_empty()).await;
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
}
