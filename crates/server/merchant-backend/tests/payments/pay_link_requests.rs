//! `pay_link` in the requests of the element on the server's own page of an order.

use crate::support::payer::{Answer, Payer, qr};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use reqwest::Method;
use serde_json::{Value, json};

/// Where a registered order and the browser that ordered it have their page.
async fn renewed(program: &ShopProgram, id: &str) -> String {
    let path = format!("/orders/{id}/link");
    let body = json!({"action": "renew"}).to_string();
    let answer = program.send(Method::POST, &path, &[], &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["pay_url"].as_str().unwrap().to_owned()
}

async fn give(program: &ShopProgram, id: &str) -> Answer {
    let products = json!([{"sku": "s", "name": "Tea", "quantity": 1, "unit_price": 12_990}]);
    let order = json!({"order_id": id, "amount": 12_990, "currency": "PEN", "products": products});
    let order = order.to_string();
    program.send(Method::POST, "/orders", &[], &order).await
}

async fn given(program: &ShopProgram, id: &str) -> String {
    let answer = give(program, id).await;
    answer.json()["pay_url"].as_str().unwrap().to_owned()
}

fn named(page: &str) -> Value {
    let (_, handle) = page.rsplit_once('/').unwrap();
    json!({"pay_link": handle})
}

fn by(page: &str, method: &str, redirect_url: Option<&str>) -> Value {
    let mut body = named(page);
    let mut details = json!({});
    if let Some(url) = redirect_url {
        details["redirect_url"] = json!(url);
    }
    body["payment_method"] = json!({"method_name": method, "method_details": details});
    body
}

fn refused(answer: &Answer, status: u16, problem: &str) {
    let came = (answer.status, answer.problem());
    assert_eq!(came, (status, problem.to_owned()), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_handle_of_a_page_pays_reads_and_cancels_whatever_the_source_of_the_order() {
    for signed in [false, true] {
        let stack = match signed {
            true => Stack::start_for_shop(None).await,
            false => Stack::start().await,
        };
        let program = ShopProgram::of(&stack).await;
        let page = given(&program, "A-1").await;
        let mut browser = stack.browser();
        assert_eq!(browser.live_of(&named(&page)).await.status, 204);
        let begun = browser.authorize("k", &by(&page, "QR", None)).await;
        browser.keep_cookie(&begun);
        let number = begun.number();
        assert_eq!(browser.status(&number).await.state(), "PENDIENTE");
        // A second browser at the page is let in by its first look, before it begins anything.
        let mut second = stack.browser();
        assert_eq!(second.status(&number).await.status, 404);
        let live = second.live_of(&named(&page)).await;
        assert_eq!(live.status, 200, "{}", live.text);
        second.keep_cookie(&live);
        // It reads the state and the amount, and not what was ordered.
        let order = second
            .send(Method::GET, "/orders/A-1", &[], "")
            .await
            .json();
        assert_eq!(
            (&order["amount"], &order["items"]),
            (&json!("12990"), &json!([]))
        );
        assert_eq!(second.cancel(&number).await.state(), "CANCELADO");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_handle_of_a_registered_order_gives_its_browser_the_payment_and_no_more() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let payer = stack.payer().await;
    let page = renewed(&program, &payer.order_id).await;
    let mut other = stack.browser();
    let begun = other.authorize("k", &by(&page, "QR", None)).await;
    other.keep_cookie(&begun);
    let number = begun.number();
    assert_eq!(other.status(&number).await.state(), "PENDIENTE");
    // It is the payment of the browser that ordered, too.
    assert_eq!(payer.pay_by_qr("k2").await.number(), number);

    let body = json!({"action": "revoke"}).to_string();
    let path = format!("/orders/{}/link", payer.order_id);
    let revoked = program.send(Method::POST, &path, &[], &body).await;
    assert_eq!(revoked.status, 200);
    refused(&other.live_of(&named(&page)).await, 404, "not-found");
    let again = other.authorize("k3", &by(&page, "QR", None)).await;
    refused(&again, 404, "not-found");
    // What came by the address ends with it, and never included the order itself.
    refused(&other.status(&number).await, 404, "not-found");
    refused(&other.cancel(&number).await, 404, "not-found");
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    let by_id = other.authorize("k4", &qr(&payer.order_id)).await;
    refused(&by_id, 404, "not-found");
    let path = format!("/orders/{}", payer.order_id);
    assert_eq!(other.send(Method::GET, &path, &[], "").await.status, 404);
    assert_eq!(payer.shown().await["state"], "open");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_handle_is_an_unknown_order_and_no_other_name_of_an_order_is_allowed_beside_it() {
    let stack = Stack::start_with(|config| config.timing.repetitions_per_minute = 2).await;
    let program = ShopProgram::of(&stack).await;
    let page = given(&program, "A-1").await;
    let browser: Payer = stack.browser();
    for wrong in ["https://x.example/nowhere", "https://x.example/A-1"] {
        refused(&browser.live_of(&named(wrong)).await, 404, "not-found");
        let begun = browser.authorize("k", &by(wrong, "QR", None)).await;
        refused(&begun, 404, "not-found");
    }
    for field in ["order", "order_id"] {
        let mut two = by(&page, "QR", None);
        two[field] = json!("A-1");
        let two = browser.authorize("k", &two).await;
        refused(&two, 400, "field-not-allowed");
        assert_eq!(two.json()["field"], "pay_link");
    }
    assert!(stack.seen("POST").await.is_empty());
    // The element's requests and the page itself share one limit.
    let mut last = browser.live_of(&named(&page)).await;
    for _ in 0..8 {
        last = browser.live_of(&named(&page)).await;
    }
    refused(&last, 429, "too-many-requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lender_sends_the_payer_back_to_the_page_of_this_order_and_to_no_other() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let (page, other) = (given(&program, "A-1").await, given(&program, "A-2").await);
    let browser = stack.browser();
    for elsewhere in [
        other.as_str(),
        &format!("{page}/cancel"),
        &format!("{page}?x=y"),
        &format!("{page}#x"),
    ] {
        let body = by(&page, "INSTALLMENT", Some(elsewhere));
        let answer = browser.authorize("k", &body).await;
        refused(&answer, 400, "redirect-url-not-allowed");
    }
    // Named by its id, an order has no page of its own to come back to.
    let payer = stack.payer().await;
    let mut by_id = by(&page, "INSTALLMENT", Some(&page));
    by_id.as_object_mut().unwrap().remove("pay_link");
    by_id["order_id"] = json!(payer.order_id);
    let answer = payer.authorize("k", &by_id).await;
    refused(&answer, 400, "redirect-url-not-allowed");
    let body = by(&page, "INSTALLMENT", Some(&page));
    assert_eq!(browser.authorize("k", &body).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_address_ends_what_came_by_the_earlier_one() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let leaked = given(&program, "A-1").await;
    let mut holder = stack.browser();
    let begun = holder.authorize("k", &by(&leaked, "QR", None)).await;
    holder.keep_cookie(&begun);
    let page = renewed(&program, "A-1").await;
    let mut customer = stack.browser();
    let live = customer.live_of(&named(&page)).await;
    customer.keep_cookie(&live);
    let number = begun.number();
    assert_eq!(customer.status(&number).await.state(), "PENDIENTE");
    refused(&holder.status(&number).await, 404, "not-found");
    refused(&holder.cancel(&number).await, 404, "not-found");
    let by_id = holder.live_of(&json!({"order_id": "A-1"})).await;
    refused(&by_id, 404, "not-found");
    assert_eq!(customer.cancel(&number).await.state(), "CANCELADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_strangers_at_an_address_do_not_keep_its_customer_out() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let page = given(&program, "A-1").await;
    let number = stack
        .browser()
        .authorize("k", &by(&page, "QR", None))
        .await
        .number();
    for _ in 0..50 {
        assert_eq!(stack.browser().live_of(&named(&page)).await.status, 200);
    }
    let mut customer = stack.browser();
    let live = customer.live_of(&named(&page)).await;
    customer.keep_cookie(&live);
    assert_eq!(customer.status(&number).await.state(), "PENDIENTE");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_in_the_past_is_refused_and_a_closed_order_says_so() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    given(&program, "A-1").await;
    let link = async |body: Value| {
        let path = "/orders/A-1/link";
        program
            .send(Method::POST, path, &[], &body.to_string())
            .await
    };
    let past = link(json!({"action": "renew", "pay_until": "2001-01-01T00:00:00Z"})).await;
    refused(&past, 400, "bad-request");
    assert_eq!(past.json()["field"], "pay_until");
    assert_eq!(
        link(json!({"action": "renew"})).await.json()["closed"],
        false
    );
    assert_eq!(program.cancel("A-1").await, (200, "closed".to_owned()));
    assert_eq!(
        link(json!({"action": "renew"})).await.json()["closed"],
        true
    );
    let again = give(&program, "A-1").await;
    assert_eq!(again.json()["closed"], true, "{}", again.text);
}
