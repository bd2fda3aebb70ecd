//! Methods that the merchant configures.

use crate::support::fault::Fault;
use crate::support::payer::Payer;
use crate::support::roles::refunder;
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use merchant_backend::{Config, MethodDetails};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const BACK: &str = "https://shop.example/back";

/// Settings of a merchant: one method needs both addresses, under names of its own.
pub(crate) fn configured(config: &mut Config) {
    let details = json!({
        "CASHCODE": {"callback_url": "{callback_url}", "note": "for {callback_url}"},
        "BANK_TRANSFER": {
            "redirect_url": "{redirect_url}", "callback_url": "{callback_url}",
            "hooks": [{"to": "{callback_url}"}],
        },
        "CARD": {},
        "NUEVO": {},
    });
    config.method_details = MethodDetails::parse(&details.to_string()).unwrap();
    config.payment_timeout = Duration::from_millis(800);
}

pub(crate) fn asked(payer: &Payer, method: &str, details: &Value) -> Value {
    let order_id = &payer.order_id;
    json!({"order_id": order_id, "payment_method": {"method_name": method, "method_details": details}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cash_code_is_shown_and_paid() {
    let stack = Stack::start_with(configured).await;
    let payer = stack.payer().await;
    let answer = payer
        // The method does not need the address, and the server ignores it.
        .authorize(
            "k",
            &asked(&payer, "CASHCODE", &json!({"redirect_url": BACK})),
        )
        .await;
    let number = answer.number();
    let first = &answer.json()["transaction"];
    let code = first["processor_response"]["cip"].as_str().unwrap();
    // The service got the merchant's details, and no browser got the callback.
    let method = &first["payment_method"];
    assert_eq!(method["method_name"], "CASHCODE");
    assert_eq!(
        method["method_details"],
        json!({"note": "for {callback_url}"})
    );
    // A repeated key, and a second device, get the same code.
    let again = payer
        .authorize("k2", &asked(&payer, "CASHCODE", &json!({})))
        .await;
    assert_eq!(
        again.json()["transaction"]["processor_response"]["cip"],
        code
    );
    let waiting = payer.status(&number).await;
    assert_eq!(waiting.state(), "PENDIENTE");
    assert!(
        !waiting.text.contains("/notifications/"),
        "{}",
        waiting.text
    );

    stack.drive(&number, "pay").await;
    payer.until_paid().await;
    assert_eq!(payer.status(&number).await.state(), "AUTORIZADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transfer_leads_to_the_bank_and_back_to_the_merchants_pages_only() {
    let stack = Stack::start_with(configured).await;
    let payer = stack.payer().await;
    for (details, problem) in [
        (json!({}), "redirect-url-not-allowed"),
        (json!({"redirect_url": ""}), "redirect-url-not-allowed"),
        (
            json!({"redirect_url": "https://evil.example/"}),
            "redirect-url-not-allowed",
        ),
        (
            json!({"redirect_url": BACK, "callback_url": BACK}),
            "field-not-allowed",
        ),
    ] {
        let refused = payer
            .authorize("k", &asked(&payer, "BANK_TRANSFER", &details))
            .await;
        assert_eq!(refused.problem(), problem, "{details}");
    }
    assert!(stack.seen("POST").await.is_empty());

    let body = asked(&payer, "BANK_TRANSFER", &json!({"redirect_url": BACK}));
    let answer = payer.authorize("k", &body).await;
    let number = answer.number();
    let first = &answer.json()["transaction"];
    let bank = first["continue_url"].as_str().unwrap();
    assert!(bank.starts_with(&stack.sandbox), "{bank}");
    let details = &first["payment_method"]["method_details"];
    let back = details["redirect_url"].as_str().unwrap();
    assert!(back.starts_with("https://shop.example/back?checkout="));
    assert!(!answer.text.contains("/notifications/"), "{}", answer.text);

    stack.drive(&number, "pay").await;
    payer.until_paid().await;
    let paid = payer.status(&number).await.json();
    let account = &paid["operation"]["transactions"][0]["processor_response"];
    assert!(account["origin_account"].is_string(), "{account}");
}

#[tokio::test(flavor = "multi_thread")]
async fn any_method_that_the_merchant_configured_begins() {
    let stack = Stack::start_with(configured).await;
    let settings = json!({"authorizable": ["CARD", "NUEVO"]});
    stack
        .control(Method::PUT, "/sandbox/settings", Some(settings))
        .await;
    for method in ["CARD", "NUEVO"] {
        let payer = stack.payer().await;
        let answer = payer
            .authorize("k", &asked(&payer, method, &json!({})))
            .await;
        let number = answer.number();
        stack.drive(&number, "pay").await;
        until("paid", async || {
            payer.status(&number).await.state() == "AUTORIZADO"
        })
        .await;
        assert_eq!(payer.shown().await["state"], "paid", "{method}");
    }
    let payer = stack.payer().await;
    let wallet = asked(&payer, "WALLET", &json!({}));
    let refused = payer.authorize("k", &wallet).await;
    assert_eq!(refused.problem(), "method-not-offered");
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("QR or INSTALLMENT or"), "{detail}");
    let catalog = payer.send(Method::GET, "/catalog", &[], "").await.json();
    let mut offered: Vec<_> = catalog["methods"].as_array().unwrap().clone();
    offered.sort_by_key(|method| method.as_str().unwrap().to_owned());
    assert_eq!(
        offered,
        [
            "BANK_TRANSFER",
            "CARD",
            "CASHCODE",
            "INSTALLMENT",
            "NUEVO",
            "QR"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transfer_is_not_offered_without_places_to_come_back_to() {
    let stack = Stack::start_with(|config| {
        configured(config);
        config.redirect_allow = Default::default();
    })
    .await;
    let payer = stack.payer().await;
    let catalog = payer.send(Method::GET, "/catalog", &[], "").await.json();
    let offered = catalog["methods"].as_array().unwrap().clone();
    assert!(offered.contains(&json!("QR")) && offered.contains(&json!("CASHCODE")));
    assert!(!offered.contains(&json!("INSTALLMENT")) && !offered.contains(&json!("BANK_TRANSFER")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cash_code_in_doubt_is_watched_and_never_cancelled() {
    let stack = Stack::start_with(configured).await;
    stack
        .with_fault(Fault::drop().on("POST", "/charges").after())
        .await;
    let payer = stack.payer().await;
    // The code may come by mail, so that this attempt never makes another one.
    let cash = asked(&payer, "CASHCODE", &json!({}));
    for _ in 0..2 {
        let unconfirmed = payer.authorize("k", &cash).await;
        assert_eq!(
            unconfirmed.problem(),
            "operation-unconfirmed",
            "{}",
            unconfirmed.text
        );
        let wait: u64 = unconfirmed.header("retry-after").parse().unwrap();
        assert!((50..=60).contains(&wait), "{wait}");
    }
    let posts = stack.seen("POST").await;
    assert_eq!(posts.len(), 1);
    let lost = posts[0]["merchant_operation_number"].as_str().unwrap();
    // Its status is not known, and it is no stranger's.
    let status = payer.status(lost).await;
    assert_eq!(status.json()["operation"]["state"], "POR_CONFIRMAR");
    assert_eq!(status.json()["operation"]["transactions"], json!([]));

    let refunder = refunder(&stack).await;
    let doubt = ("in_doubt".to_owned(), lost.to_owned());
    assert_eq!(refunder.exceptions().await, std::slice::from_ref(&doubt));
    // Neither the reconciler nor a look of staff cancels it; a look would settle a QR code.
    let looked = refunder.get(&format!("/charges/shop-1/{lost}/-")).await;
    assert_eq!(looked.problem(), "no-transaction");
    // A later doubt of a QR code is settled meanwhile.
    let other = stack.payer().await;
    stack
        .with_fault(Fault::drop().on("POST", "/charges").after())
        .await;
    other.pay_by_qr("k").await.number();
    until("the QR code's doubt to be settled", async || {
        !stack.seen("DELETE").await.is_empty()
    })
    .await;
    let deleted = stack.seen("DELETE").await;
    assert!(
        deleted
            .iter()
            .all(|seen| seen["merchant_operation_number"] != lost)
    );
    assert_eq!(stack.state_of(lost).await, "PENDIENTE");
    assert!(refunder.exceptions().await.contains(&doubt));
}

/// A stack with a cash code whose authorization's answer was lost, its payer and its number.
async fn cash_code_in_doubt() -> (Stack, Payer, String) {
    let stack = Stack::start_with(configured).await;
    stack
        .with_fault(Fault::drop().on("POST", "/charges").after())
        .await;
    let payer = stack.payer().await;
    let cash = asked(&payer, "CASHCODE", &json!({}));
    payer.authorize("k", &cash).await;
    let number = stack.seen("POST").await[0]["merchant_operation_number"].clone();
    (stack, payer, number.as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cash_code_that_came_by_mail_counts_when_it_is_paid() {
    let (stack, payer, number) = cash_code_in_doubt().await;
    // The notification names the transaction, by which the server asks.
    stack.drive(&number, "pay").await;
    payer.until_paid().await;
    assert_eq!(payer.status(&number).await.state(), "AUTORIZADO");
    assert!(stack.seen("DELETE").await.is_empty());
    let refunder = refunder(&stack).await;
    assert!(refunder.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_press_makes_a_code_and_two_payments_are_paid_twice() {
    let (stack, payer, number) = cash_code_in_doubt().await;
    let cash = asked(&payer, "CASHCODE", &json!({}));
    let second = payer.authorize("another", &cash).await.number();
    assert_ne!(second, number);
    for paid in [&number, &second] {
        stack.drive(paid, "pay").await;
    }
    until("paid twice", async || {
        let shown = payer.shown().await;
        shown["paid_twice"] == true
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_transaction_is_a_question_that_changes_nothing() {
    let (stack, payer, number) = cash_code_in_doubt().await;
    let other = stack.payer().await;
    let paid = other.pay_by_qr("k").await;
    stack.drive(&paid.number(), "pay").await;
    let foreign = paid.json()["transaction"]["transaction_id"].clone();
    for id in (0..30)
        .map(|id| format!("forged-{id}"))
        .chain([foreign.as_str().unwrap().to_owned()])
    {
        payer.status_of(&number, &id, &[]).await;
    }
    // However often the server asks, it asks by ten at the most.
    let asked = async || {
        let seen = stack.seen("GET").await;
        let about = |one: &&Value| one["merchant_operation_number"] == *number;
        let paths = seen.iter().filter(about).map(|one| one["path"].to_string());
        paths.collect::<BTreeSet<_>>().len()
    };
    until("asked", async || asked().await == 10).await;
    payer.status_of(&number, "one-more", &[]).await;
    assert_eq!(payer.shown().await["state"], "open");
    let status = payer.status(&number).await;
    assert_eq!(status.json()["operation"]["state"], "POR_CONFIRMAR");
    assert_eq!(asked().await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_comes_before_the_answer_is_lost_counts_too() {
    let stack = Stack::start_with(configured).await;
    let payer = stack.payer().await;
    stack
        .with_fault(Fault::delay(5000).on("POST", "/charges").after())
        .await;
    let cash = asked(&payer, "CASHCODE", &json!({}));
    let authorizing = tokio::spawn({
        let payer = payer.clone();
        async move { payer.authorize("k", &cash).await }
    });
    let number = until_some("at the service", async || {
        let shown = payer.shown().await;
        let number = shown["operations"][0]["merchant_operation_number"]
            .as_str()?
            .to_owned();
        let seen = stack.seen("POST").await;
        (!seen.is_empty()).then_some(number)
    })
    .await;
    stack.drive(&number, "pay").await;
    let unconfirmed = authorizing.await.unwrap();
    assert_eq!(unconfirmed.problem(), "operation-unconfirmed");
    payer.until_paid().await;
}
