//! The methods by which an order can be paid: limits of the merchant's, and what an order leaves out.

use crate::support::order_token::{claims, seconds, sign};
use crate::support::page_visitor::PageVisitor;
use crate::support::payer::{Answer, Payer, qr};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use merchant_backend::{Config, MerchantStores};
use reqwest::Method;
use serde_json::{Value, json};

/// A QR from S/ 6.00 to S/ 100.00, in soles; payers order coffee for S/ 32.90 a piece.
fn limited(config: &mut Config) {
    let store = "[[store]]\nkey = \"lima\"\nmerchant_code = \"shop-1\"\nmerchant_name = \"Shop\"\ncurrency = \"PEN\"\n";
    let limits = "[store.limits.QR.PEN]\nleast = 600\nmost = \"10000\"\n";
    config.stores = MerchantStores::parse(&[store, limits].concat()).unwrap();
}

async fn ordered(stack: &Stack, pieces: u32) -> Payer {
    let mut payer = stack.payer().await;
    payer.order_of(pieces).await;
    payer
}

/// The members of the refusal that the element reads.
fn refusal(answer: &Answer) -> Value {
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (422, "method-not-offered"),
        "{}",
        answer.text
    );
    let body = answer.json();
    assert_eq!(body["money"], "nothing_charged");
    let names = ["method", "reason", "least", "most", "currency", "methods"];
    let members = names.map(|name| (name.to_owned(), body[name].clone()));
    Value::Object(members.into_iter().collect())
}

fn installment(order: &Value) -> Value {
    let back = json!({"redirect_url": "https://shop.example/"});
    let mut body = order.clone();
    body["payment_method"] = json!({"method_name": "INSTALLMENT", "method_details": back});
    body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_whose_limits_the_order_breaks_makes_nothing_and_uses_no_key() {
    let stack = Stack::start_with(limited).await;
    let payer = ordered(&stack, 4).await;
    let beyond = json!({"method": "QR", "reason": "above-most", "least": "600", "most": "10000",
        "currency": "PEN", "methods": ["INSTALLMENT"]});
    for _ in 0..2 {
        assert_eq!(refusal(&payer.pay_by_qr("k").await), beyond);
    }
    let live = payer.live().await;
    assert_eq!(live.status, 200, "{}", live.text);
    let other = json!({"method": "QR", "reason": "above-most", "least": "600", "most": "10000"});
    let offer = json!({"currency": "PEN", "methods": ["INSTALLMENT"], "not_offered": [other]});
    assert_eq!(live.json(), offer);
    assert!(stack.seen("POST").await.is_empty());
    assert_eq!(payer.shown().await["operations"], json!([]));

    // The same key pays by another method.
    let order = json!({"order_id": payer.order_id});
    let paid = payer.authorize("k", &installment(&order)).await;
    assert_eq!(paid.status, 200, "{}", paid.text);
    // Its code does not end for a method that is not offered.
    let number = paid.number();
    let replaced = payer.replace("k2", &number, &qr(&payer.order_id)).await;
    assert_eq!(refusal(&replaced), beyond);
    assert_eq!(stack.state_of(&number).await, "PENDIENTE");
    assert_eq!(payer.live().await.json()["operation"]["state"], "PENDIENTE");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_within_the_limits_is_offered_everything() {
    let stack = Stack::start_with(limited).await;
    let payer = ordered(&stack, 3).await;
    assert_eq!(payer.live().await.status, 204);
    assert_eq!(payer.pay_by_qr("k").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_code_stays_payable_when_its_method_is_not_offered_any_more() {
    let mut stack = Stack::start().await;
    let payer = ordered(&stack, 4).await;
    let number = payer.pay_by_qr("k").await.number();
    stack.change_to(limited).await;
    for key in ["k", "another"] {
        assert_eq!(payer.pay_by_qr(key).await.number(), number);
    }
    let live = payer.live().await.json();
    assert_eq!(live["operation"]["merchant_operation_number"], number);
    assert_eq!(payer.cancel(&number).await.status, 200);
    // The first key keeps its answer, and a new one gets no new code.
    assert_eq!(payer.pay_by_qr("k").await.number(), number);
    assert_eq!(
        refusal(&payer.pay_by_qr("new").await)["reason"],
        "above-most"
    );

    let other = ordered(&stack, 1).await;
    let number = other.pay_by_qr("k").await.number();
    stack.drive(&number, "pay").await;
    other.until_paid().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_order_narrows_its_methods_until_its_first_attempt() {
    let stack = Stack::start_for_shop(None).await;
    let payer = stack.browser();
    let signed = |methods: Value, age: i64| {
        let mut claims = claims(&stack.base(), "A-1", 500);
        claims["iat"] = json!(seconds() - age);
        claims["methods"] = methods;
        json!({"order": sign(&claims)})
    };
    let by_qr = |order: &Value| {
        let mut body = order.clone();
        body["payment_method"] = json!({"method_name": "QR"});
        body
    };
    let lender = signed(json!(["INSTALLMENT", "CARD"]), 30);
    let left_out = json!({"method": "QR", "reason": "order", "least": null, "most": null,
        "currency": "PEN", "methods": ["INSTALLMENT"]});
    assert_eq!(
        refusal(&payer.authorize("k", &by_qr(&lender)).await),
        left_out
    );
    let offer = payer.live_of(&lender).await.json();
    assert_eq!(offer["methods"], json!(["INSTALLMENT"]));
    assert_eq!(offer["not_offered"][0]["reason"], "order");
    // No method of the list is the server's.
    let none = signed(json!(["CARD"]), 25);
    assert_eq!(payer.live_of(&none).await.json()["methods"], json!([]));

    // The newest description counts until the first attempt.
    let both = signed(Value::Null, 20);
    assert_eq!(payer.live_of(&both).await.status, 204);
    assert_eq!(
        refusal(&payer.authorize("k", &by_qr(&lender)).await)["reason"],
        "order"
    );
    let code = payer.authorize("k", &by_qr(&both)).await;
    assert_eq!(code.status, 200, "{}", code.text);
    let narrowed = signed(json!(["INSTALLMENT"]), 5);
    let same = payer.authorize("k2", &by_qr(&narrowed)).await;
    assert_eq!(same.number(), code.number());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_methods_that_cannot_be_meant_is_named() {
    let stack = Stack::start_for_shop(None).await;
    let payer = stack.browser();
    for methods in [
        json!([]),
        json!("QR"),
        json!(["qr"]),
        json!([""]),
        json!([" QR"]),
        json!(["QR", 7]),
        json!({"QR": true}),
    ] {
        let mut claims = claims(&stack.base(), "A-1", 500);
        claims["methods"] = methods.clone();
        let refused = payer.live_of(&json!({"order": sign(&claims)})).await;
        assert_eq!(refused.problem(), "order-token-refused", "{methods}");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("`methods` must be a list"), "{detail}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_narrows_the_methods_of_its_order_and_the_page_says_what_is_left() {
    let mut stack = Stack::start_with(limited).await;
    let program = ShopProgram::of(&stack).await;
    let given = async |id: &str, amount: u64, methods: Value| {
        let order =
            json!({"order_id": id, "amount": amount, "currency": "PEN", "methods": methods});
        program
            .send(Method::POST, "/orders", &[], &order.to_string())
            .await
    };
    let page = |answer: &Answer| PageVisitor::at(answer.json()["pay_url"].as_str().unwrap());
    let offers =
        |html: &str, method: &str| html.contains(&format!("name=\"method\" value=\"{method}\""));

    let visitor = page(&given("A-1", 62_000, Value::Null).await);
    let choice = visitor.look().await;
    assert!(
        choice.says("By QR you can pay up to S/\u{a0}100.00."),
        "{}",
        choice.html
    );
    assert!(offers(&choice.html, "INSTALLMENT") && !offers(&choice.html, "QR"));
    // A page that was drawn before the limits were set.
    let again = visitor.choose(&choice, "QR").await;
    assert!(again.says("you can pay up to"), "{}", again.html);
    assert!(stack.seen("POST").await.is_empty());

    // What the order itself leaves out is not missed.
    let answer = given("A-2", 1000, json!(["QR", "QR"])).await;
    let choice = page(&answer).look().await;
    assert!(offers(&choice.html, "QR") && !offers(&choice.html, "INSTALLMENT"));
    assert!(!choice.says("you can"), "{}", choice.html);
    assert_eq!(given("A-2", 1000, json!(["QR"])).await.text, answer.text);
    assert_eq!(
        given("A-2", 1000, Value::Null).await.problem(),
        "order-changed"
    );

    // Nothing is left.
    let choice = page(&given("A-3", 62_000, json!(["QR"])).await)
        .look()
        .await;
    assert_eq!(choice.heading(), "You cannot pay this order here");
    assert!(
        choice.says("you can pay up to") && !choice.html.contains("<form"),
        "{}",
        choice.html
    );
    for none in [json!([]), json!(["INSTALLMENTS", "CARD"])] {
        let wrong = given("A-4", 1000, none).await;
        assert_eq!(wrong.json()["field"], "methods", "{}", wrong.text);
    }

    // The methods are on disk.
    stack.restart().await;
    let order = json!({"order_id": "A-2", "amount": 1000, "currency": "PEN", "methods": ["QR"]});
    let kept = program
        .send(Method::POST, "/orders", &[], &order.to_string())
        .await;
    assert_eq!(kept.status, 200, "{}", kept.text);
}
