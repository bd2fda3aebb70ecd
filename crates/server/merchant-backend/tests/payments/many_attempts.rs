//! How many attempts an order may have: what the payment service never had costs it none.

use crate::support::fault::Fault;
use crate::support::page_visitor::PageVisitor;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_access_token_costs_an_order_nothing_however_often_its_payer_tries() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    stack
        .with_fault(Fault::status(401).on("POST", "/charges").always())
        .await;
    for press in 0..6 {
        for _ in 0..5 {
            let refused = payer.pay_by_qr(&format!("press-{press}")).await;
            assert_eq!(
                refused.problem(),
                "payment-service-unavailable",
                "{}",
                refused.text
            );
        }
    }
    stack.without_faults().await;
    payer.pay_by_qr("after").await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_that_the_service_refused_do_not_use_up_an_order() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    stack
        .with_fault(Fault::status(400).on("POST", "/charges").always())
        .await;
    for attempt in 0..21 {
        let refused = payer.pay_by_qr(&format!("{attempt}")).await;
        assert_eq!(refused.problem(), "authorization-refused");
    }
    stack.without_faults().await;
    payer.pay_by_qr("after").await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_an_order_without_another_attempt_says_so_in_place_of_the_choice() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let order = json!({"order_id": "A-1", "amount": 38_700, "currency": "PEN"}).to_string();
    let given = program.send(Method::POST, "/orders", &[], &order).await;
    let page = PageVisitor::at(given.json()["pay_url"].as_str().unwrap());
    for _ in 0..20 {
        let choice = page.look().await;
        assert_eq!(choice.heading(), "How would you like to pay?");
        let invalid = json!({"invalidate_next": 1});
        stack
            .control(Method::PUT, "/sandbox/settings", Some(invalid))
            .await;
        page.choose(&choice, "QR").await;
    }
    let full = page.look().await;
    assert!(
        full.says("There were too many attempts to pay this order."),
        "{}",
        full.html
    );
    assert!(full.hidden().is_empty(), "{}", full.html);
    // No total to pay.
    assert!(full.says("<dt>Amount</dt>"), "{}", full.html);
    // A form from before is answered with the same page.
    let late = [("key", "another-tab"), ("method", "QR")];
    let late = page.followed(page.send("", &late).await).await;
    assert!(
        late.says("There were too many attempts to pay this order."),
        "{}",
        late.html
    );
}
