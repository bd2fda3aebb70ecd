use crate::support::fault::Fault;
use crate::support::payer::{Payer, installment, qr};
use crate::support::sales::{PaidByQr, paid_by_qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::{until, until_some};
use serde_json::json;

const BACK: &str = "https://shop.example/checkout?order=1#end";

#[tokio::test(flavor = "multi_thread")]
async fn a_qr_is_shown_kept_and_paid() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let answer = payer.pay_by_qr("k").await;
    let number = answer.number();
    let transaction = &answer.json()["transaction"];
    assert_eq!(transaction["state"], "PENDIENTE");
    assert_eq!(transaction["amount"], "6580");
    let image = transaction["processor_response"]["qr_image"].clone();
    assert!(
        image
            .as_str()
            .unwrap()
            .starts_with("data:image/png;base64,")
    );

    let id = transaction["transaction_id"].as_str().unwrap();
    let status = until_some("a query without the code", async || {
        let status = payer.status_of(&number, id, &[]).await;
        (!stack.seen("GET").await.is_empty()).then_some(status)
    })
    .await;
    assert_eq!(status.header("cache-control"), "no-store");
    let shown = &status.json()["operation"]["transactions"][0];
    assert_eq!(shown["processor_response"]["qr_image"], image);
    assert!(!status.text.contains("notifications"), "{}", status.text);

    stack.drive(&number, "pay").await;
    until("paid", async || {
        payer.status(&number).await.state() == "AUTORIZADO"
    })
    .await;
    let order = payer.shown().await;
    assert_eq!(order["state"], "paid");
    assert_eq!(
        order["operations"][0]["merchant_operation_number"],
        json!(number)
    );
    assert_eq!(order["operations"][0]["transaction_id"], id);
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_order_is_not_paid_again() {
    let stack = Stack::start().await;
    let PaidByQr { payer, number, .. } = paid_by_qr(&stack).await;
    let (by_qr, by_lender) = (qr(&payer.order_id), installment(&payer.order_id, BACK));
    for (key, body) in [("again", by_qr), ("otherwise", by_lender)] {
        let answer = payer.authorize(key, &body).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (409, "order-paid")
        );
        assert_eq!(answer.json()["merchant_operation_number"], json!(number));
        assert_eq!(answer.json()["merchant_code"], MERCHANT);
        assert!(answer.json()["transaction_id"].is_string());
    }
    // The key that paid the order still has its answer.
    assert_eq!(payer.pay_by_qr("k").await.number(), number);
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn installments_lead_away_and_a_token_leads_back() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let answer = payer
        .authorize("k", &installment(&payer.order_id, BACK))
        .await;
    let number = answer.number();
    let transaction = &answer.json()["transaction"];
    assert!(transaction["continue_url"].is_string());
    let back = transaction["payment_method"]["method_details"]["redirect_url"]
        .as_str()
        .unwrap();
    let token = back
        .strip_prefix("https://shop.example/checkout?order=1&checkout=")
        .unwrap();
    let token = token.strip_suffix("#end").unwrap();

    // Another browser: no cookie, only the token, and no transaction id.
    let elsewhere = Payer {
        cookie: String::new(),
        ..payer.clone()
    };
    let read = elsewhere
        .status_of(&number, "-", &[("checkout-token", token)])
        .await;
    assert_eq!(read.state(), "PENDIENTE");
    assert!(read.json()["operation"]["transactions"][0]["continue_url"].is_string());
    assert_eq!(elsewhere.status(&number).await.problem(), "not-found");

    stack.drive(&number, "pay").await;
    until("paid elsewhere", async || {
        let read = elsewhere
            .status_of(&number, "-", &[("checkout-token", token)])
            .await;
        read.state() == "AUTORIZADO"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_device_gets_the_same_operation() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("phone").await;
    let second = payer.pay_by_qr("laptop").await;
    assert_eq!(second.text, first.text);
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_keys_at_once_make_one_operation() {
    let stack = Stack::start().await;
    stack
        .with_fault(Fault::delay(300).on("POST", "/charges"))
        .await;
    let payer = stack.payer().await;
    let tasks = (0..10).map(|at| {
        let payer = payer.clone();
        tokio::spawn(async move { payer.pay_by_qr(&format!("k{at}")).await.number() })
    });
    let mut numbers = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        numbers.push(task.await.unwrap());
    }
    numbers.dedup();
    assert_eq!(numbers.len(), 1);
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_method_cancels_the_first_operation() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("qr").await.number();
    let second = payer
        .replace("lender", &first, &installment(&payer.order_id, BACK))
        .await
        .number();
    assert_ne!(first, second);
    assert_eq!(stack.state_of(&first).await, "CANCELADO");
    assert_eq!(payer.status(&first).await.state(), "CANCELADO");
    assert_eq!(payer.status(&second).await.state(), "PENDIENTE");
    let order = payer.shown().await;
    let live: Vec<_> = order["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["live"].clone())
        .collect();
    assert_eq!(live, [false, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_method_of_a_paid_order_cancels_nothing() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("qr").await.number();
    stack.with_fault(Fault::lose_notification().times(9)).await;
    stack.drive(&first, "pay").await;
    let answer = payer
        .replace("lender", &first, &installment(&payer.order_id, BACK))
        .await;
    assert_eq!(answer.problem(), "order-paid");
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_payment_counts_and_the_newer_code_is_withdrawn() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("one").await.number();
    stack.drive(&first, "expire").await;
    until("expired", async || {
        payer.status(&first).await.state() == "EXPIRADO"
    })
    .await;
    let second = payer.pay_by_qr("two").await.number();
    assert_ne!(first, second);
    stack.pay_late(&first).await;
    until("paid late", async || {
        payer.status(&first).await.state() == "AUTORIZADO"
    })
    .await;
    until("withdrawn", async || {
        stack.state_of(&second).await == "CANCELADO"
    })
    .await;
    until("known", async || {
        payer.status(&second).await.state() == "CANCELADO"
    })
    .await;
    let order = payer.shown().await;
    assert_eq!(
        (&order["state"], &order["paid_twice"]),
        (&json!("paid"), &json!(false))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_payments_of_one_order_are_flagged() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("one").await.number();
    stack.drive(&first, "expire").await;
    until("expired", async || {
        payer.status(&first).await.state() == "EXPIRADO"
    })
    .await;
    let second = payer.pay_by_qr("two").await.number();
    stack.drive(&second, "pay").await;
    payer.until_paid().await;
    stack.pay_late(&first).await;
    let order = until_some("flagged", async || {
        let order = payer.shown().await;
        (order["paid_twice"] == true).then_some(order)
    })
    .await;
    let outcomes: Vec<_> = order["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["outcome"].clone())
        .collect();
    assert_eq!(outcomes, ["paid", "paid"]);
    // The mark stays after one payment was given back.
    stack.drive(&first, "reverse").await;
    until("reversed", async || {
        let status = payer.status(&first).await.json();
        status["operation"]["transactions"][0]["state"] == "EXTORNADO"
    })
    .await;
    let order = payer.shown().await;
    assert_eq!(
        (&order["state"], &order["paid_twice"]),
        (&json!("paid"), &json!(true))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_authorization_is_answered_and_not_live() {
    let stack = Stack::start().await;
    stack
        .control(
            reqwest::Method::PUT,
            "/sandbox/settings",
            Some(json!({"invalidate_next": 1})),
        )
        .await;
    let payer = stack.payer().await;
    let answer = payer.pay_by_qr("k").await;
    assert_eq!(answer.json()["transaction"]["state"], "INVALIDO");
    assert_eq!(payer.shown().await["operations"][0]["live"], false);
    assert_ne!(payer.pay_by_qr("again").await.number(), answer.number());
}
