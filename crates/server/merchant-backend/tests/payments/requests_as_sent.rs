//! The server's requests to the payment service, byte by byte.

use crate::support::order_token::{claims, sign};
use crate::support::roles::refunder;
use crate::support::sales::{settled_installments, waiting_qr};
use crate::support::stack::{MERCHANT, Stack, TOKEN};
use crate::support::staff_client::{attempt, part};
use crate::support::wire::Wire;
use serde_json::{Value, json};
use staff_model::AttemptState;

#[tokio::test(flavor = "multi_thread")]
async fn an_authorization_tells_the_three_persons_and_the_products_of_the_order() {
    let mut stack = Stack::start_for_shop(None).await;
    let wire = Wire::tap(&mut stack).await;
    let person = json!({
        "first_name": "Canary", "last_name": "Quispe", "email": "canary@example.com",
        "phone": {"country_code": "51", "subscriber": "999888777"},
        "location": {"line_1": "Calle 1", "line_2": "Piso 2", "city": "Lima", "state": "LIM", "country": "PE"},
    });
    let mut order = claims(&stack.base(), "A-1", 12_990);
    order["payer"] = person.clone();
    order["products"] = json!([
        {"sku": "c", "name": "Coffee", "quantity": 2, "unit_price": 6_000},
        {"sku": "t", "name": "Tea", "quantity": 1, "unit_price": 990},
    ]);
    let body = json!({"order": sign(&order),
        "payment_method": {"method_name": "QR", "method_details": {}}});
    let number = stack.browser().authorize("k", &body).await.number();
    let [(parts, sent)] = wire.requests("POST", "/charges").try_into().unwrap();
    assert_eq!(parts.uri, "/charges");
    assert_eq!(parts.headers["content-type"], "application/json");
    let mut sent: Value = serde_json::from_slice(&sent).unwrap();
    let callback = sent["payment_method"]["method_details"]["callback_url"].take();
    let address = format!("{}/notifications/", stack.base());
    assert!(callback.as_str().unwrap().starts_with(&address));
    assert_eq!(
        sent,
        json!({
            "action": "authorize",
            "channel": "ecommerce",
            "merchant_code": MERCHANT,
            "merchant_operation_number": number,
            "payment_method": {"method_name": "QR", "method_details": {"callback_url": null}},
            "payment_details": {
                "amount": "12990",
                "currency": "PEN",
                "billing": person,
                "shipping": person,
                "customer": person,
                "product_details": [
                    {"sku": "c", "name": "Coffee", "quantity": "2", "unit_price": "6000"},
                    {"sku": "t", "name": "Tea", "quantity": "1", "unit_price": "990"},
                ],
            },
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_has_the_token_and_the_version_and_only_posts_have_a_body() {
    let mut stack = Stack::start().await;
    let wire = Wire::tap(&mut stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    payer.cancel(&number).await;
    let sale = settled_installments(&stack).await;
    let refunder = refunder(&stack).await;
    let answer = refunder.refund("k", &[part(&sale.number, 100)]).await;
    assert_eq!(
        attempt(&answer).state,
        AttemptState::Registered,
        "{}",
        answer.text
    );

    let versions = wire.header("alg-api-version");
    assert!(versions.iter().all(|version| version == "1709847567"));
    let bearer = format!("Bearer {TOKEN}");
    assert!(wire.header("authorization").iter().all(|it| *it == bearer));

    let [(_, refund)] = wire.requests("POST", "/refund").try_into().unwrap();
    let refund: Value = serde_json::from_slice(&refund).unwrap();
    assert_eq!(refund["merchant_code"], MERCHANT);
    assert_eq!(refund["operations"][0]["refund_amount"], "100");
    for (method, path) in [
        ("GET", "/charges/"),
        ("DELETE", "/charges/"),
        ("GET", "/refund/"),
    ] {
        let requests = wire.requests(method, path);
        assert!(!requests.is_empty(), "{method} {path}");
        for (parts, body) in requests {
            assert!(body.is_empty(), "{method} {}", parts.uri);
            assert!(!parts.headers.contains_key("content-type"));
        }
    }
}
