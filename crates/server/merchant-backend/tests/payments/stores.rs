//! Several merchant codes side by side.

use crate::support::order_token::{claims, sign};
use crate::support::payer::{Payer, qr};
use crate::support::roles::{refunder, usd_store};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::{MERCHANT, ORDERS_SECRET, Stack};
use crate::support::wait::until;
use merchant_backend::{Config, MerchantStores};
use reqwest::Method;
use serde_json::{Value, json};

const DOLLARS: &str = "shop-usd";

fn two(config: &mut Config) {
    config.stores = MerchantStores::parse(include_str!("stores.toml")).unwrap();
}

/// An order at a store, in a session of its own.
async fn order_at(stack: &Stack, store: Option<&str>) -> (Payer, Value) {
    let mut payer = stack.payer().await;
    let mut body = json!({"items": [{"sku": "cafe-250", "quantity": 2}]});
    if let Some(store) = store {
        body["store"] = json!(store);
    }
    let answer = payer
        .send(Method::POST, "/orders", &[], &body.to_string())
        .await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with(&payer.cookie), "the same session");
    let order = answer.json();
    payer.order_id = order["order_id"].as_str().unwrap().to_owned();
    (payer, order)
}

async fn sold_at(stack: &Stack, store: &str) -> String {
    let (payer, _) = order_at(stack, Some(store)).await;
    payer.authorize("k", &qr(&payer.order_id)).await.number()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_store_sells_under_its_own_code_and_in_its_own_currency() {
    let mut stack = Stack::start_with(two).await;
    for (store, code, currency, amount) in [
        (None, MERCHANT, "PEN", "6580"),
        (Some("lima"), MERCHANT, "PEN", "6580"),
        (Some("dollars"), DOLLARS, "840", "1780"),
    ] {
        let (payer, order) = order_at(&stack, store).await;
        assert_eq!(
            (&order["currency"], &order["amount"]),
            (&json!(currency), &json!(amount))
        );
        let answer = payer.authorize("k", &qr(&payer.order_id)).await.json();
        assert_eq!(answer["merchant_code"], code);
        assert_eq!(answer["transaction"]["amount"], amount);
        let number = answer["merchant_operation_number"].as_str().unwrap();
        // The order keeps its store, also after a restart.
        stack.restart().await;
        stack.drive(number, "pay").await;
        let path = format!("/charges/{code}/{number}/-");
        until("paid", async || {
            let status = payer.send(Method::GET, &path, &[], "").await;
            status.state() == "AUTORIZADO"
        })
        .await;
        let other = if code == MERCHANT { DOLLARS } else { MERCHANT };
        let path = format!("/charges/{other}/{number}/-");
        assert_eq!(payer.send(Method::GET, &path, &[], "").await.status, 404);
        assert_eq!(payer.shown().await["state"], "paid");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_store_is_refused_by_name() {
    let stack = Stack::start_with(two).await;
    let payer = stack.payer().await;
    let items = json!([{"sku": "cafe-250", "quantity": 1}]);
    for store in [json!("nowhere"), json!(DOLLARS), json!(""), json!(7)] {
        let body = json!({"store": store, "items": items});
        let refused = payer
            .send(Method::POST, "/orders", &[], &body.to_string())
            .await;
        assert_eq!(refused.problem(), "bad-request", "{store}");
        assert_eq!(refused.json()["field"], "store", "{store}");
    }
    for field in ["currency", "merchant_code"] {
        let body = json!({"items": items, field: "USD"});
        let refused = payer
            .send(Method::POST, "/orders", &[], &body.to_string())
            .await;
        assert_eq!(refused.problem(), "field-not-allowed", "{field}");
    }
    let catalog = async |query: &str| {
        let path = format!("/catalog{query}");
        payer.send(Method::GET, &path, &[], "").await
    };
    let price = |catalog: Value| {
        (
            catalog["currency"].clone(),
            catalog["products"][0]["price"].clone(),
        )
    };
    assert_eq!(price(catalog("").await.json()), (json!("PEN"), json!(3290)));
    assert_eq!(
        price(catalog("?store=dollars").await.json()),
        (json!("840"), json!(890))
    );
    assert_eq!(catalog("?store=nowhere").await.json()["field"], "store");
    assert_eq!(catalog("?shop=lima").await.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_of_a_store_that_is_gone_begins_nothing_and_what_began_goes_on() {
    let mut stack = Stack::start_with(two).await;
    let (begun, _) = order_at(&stack, Some("dollars")).await;
    let number = begun.authorize("k", &qr(&begun.order_id)).await.number();
    let (late, _) = order_at(&stack, Some("dollars")).await;
    stack.change_to(|_| {}).await;
    let refused = late.authorize("k", &qr(&late.order_id)).await;
    assert_eq!(refused.problem(), "method-not-offered");
    assert_eq!(refused.json()["reason"], "setting");
    assert_eq!(refused.json()["methods"], json!([]));
    stack.drive(&number, "pay").await;
    let path = format!("/charges/{DOLLARS}/{number}/-");
    until("paid", async || {
        let status = begun.send(Method::GET, &path, &[], "").await;
        status.state() == "AUTORIZADO"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_see_the_stores_that_their_account_names() {
    let stack = Stack::start_with(two).await;
    let soles = sold_at(&stack, "lima").await;
    let dollars = sold_at(&stack, "dollars").await;
    for number in [&soles, &dollars] {
        stack.drive(number, "pay").await;
    }
    let refunder = refunder(&stack).await;
    let session = refunder.get("/session").await.json();
    assert_eq!(session["merchant_codes"], json!([MERCHANT, DOLLARS]));
    assert_eq!(refunder.search("").await, [dollars.clone(), soles.clone()]);
    assert_eq!(
        refunder.search(&format!("merchant_code={DOLLARS}")).await,
        std::slice::from_ref(&dollars)
    );

    // Nothing that this account can ask for shows the other store's operation.
    let usd_store = usd_store(&stack).await;
    let session = usd_store.get("/session").await.json();
    assert_eq!(session["merchant_codes"], json!([DOLLARS]));
    assert_eq!(usd_store.search("").await, std::slice::from_ref(&dollars));
    assert!(usd_store.search(&format!("q={soles}")).await.is_empty());
    assert!(
        usd_store
            .search(&format!("merchant_code={MERCHANT}"))
            .await
            .is_empty()
    );
    let file = usd_store.get("/operations.csv").await.text;
    assert!(file.contains(&dollars) && !file.contains(&soles), "{file}");
    for path in [
        format!("/operations/{MERCHANT}/{soles}"),
        format!("/charges/{MERCHANT}/{soles}/-"),
        format!("/refund/{MERCHANT}/{soles}"),
    ] {
        assert_eq!(usd_store.get(&path).await.status, 404, "{path}");
    }
    assert_eq!(usd_store.cancel(&soles, "reverse").await.status, 404);
    let returned = usd_store.give_back("k", &soles, 1).await;
    assert_eq!(returned.json()["field"], "merchant_code");
    let own = usd_store
        .get(&format!("/operations/{DOLLARS}/{dollars}"))
        .await;
    assert_eq!(own.status, 200, "{}", own.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn exceptions_are_those_of_the_own_stores() {
    let stack = Stack::start_with(two).await;
    let mut numbers = Vec::new();
    for store in ["lima", "dollars"] {
        let (payer, _) = order_at(&stack, Some(store)).await;
        let first = payer.authorize("k1", &qr(&payer.order_id)).await.json();
        let number = first["merchant_operation_number"].as_str().unwrap();
        let code = first["merchant_code"].as_str().unwrap();
        let path = format!("/charges/{code}/{number}");
        payer.send(Method::DELETE, &path, &[], "").await;
        stack.pay_late(number).await;
        let path = format!("/charges/{code}/{number}/-");
        refunder(&stack).await.get(&path).await;
        numbers.push(("paid_late".to_owned(), number.to_owned()));
    }
    assert_eq!(refunder(&stack).await.exceptions().await, numbers);
    let usd_store = usd_store(&stack).await;
    assert_eq!(usd_store.exceptions().await, numbers[1..]);
    assert_eq!(
        usd_store.resolve("paid_late", &numbers[0].1).await.status,
        404
    );
}

/// An order with the same id at each of two stores: signed by the shop of one, given by a program of the other.
async fn twins(stack: &mut Stack) -> (Payer, ShopProgram, String) {
    stack.orders_secret = Some(ORDERS_SECRET.to_owned());
    stack.restart().await;
    let program = ShopProgram::of_store(stack, MERCHANT).await;
    let order = json!({"order_id": "1001", "amount": 1, "currency": "PEN"}).to_string();
    let given = program.send(Method::POST, "/orders", &[], &order).await;
    assert_eq!(given.status, 200, "{}", given.text);
    let page = given.json()["pay_url"].as_str().unwrap().to_owned();
    let mut claims = claims(&stack.base(), "1001", 5_000);
    claims["merchant_code"] = json!(DOLLARS);
    claims["currency"] = json!("840");
    let mut payer = stack.browser();
    let body = json!({"order": sign(&claims), "payment_method": {"method_name": "QR", "method_details": {}}});
    let begun = payer.authorize("k", &body).await;
    assert_eq!(begun.status, 200, "{}", begun.text);
    assert_eq!(begun.json()["merchant_code"], DOLLARS);
    assert_eq!(begun.json()["transaction"]["amount"], "5000");
    payer.keep_cookie(&begun);
    (payer, program, page)
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_of_two_stores_with_one_id_are_two_orders() {
    let mut stack = Stack::start_with(two).await;
    let (_, lima, page) = twins(&mut stack).await;
    let dollars = ShopProgram::of_store(&stack, DOLLARS).await;
    assert_eq!(lima.order("1001").await["amount"], "1");
    assert_eq!(dollars.order("1001").await["amount"], "5000");
    // The other store neither learns that its id is used, nor fixes or closes the order.
    let free = json!({"order_id": "1001", "amount": 5_000, "currency": "840"}).to_string();
    let given = dollars.send(Method::POST, "/orders", &[], &free).await;
    assert_eq!(given.status, 422, "the facts of its own order count");
    assert_eq!(lima.cancel("1001").await.1, "closed");
    assert_eq!(dollars.order("1001").await["outcome"], "waiting");
    let (_, handle) = page.rsplit_once('/').unwrap();
    let late = stack.browser();
    let late = late.live_of(&json!({"pay_link": handle})).await;
    assert_eq!(late.status, 204, "the code of the other store is not shown");
    let link = json!({"action": "revoke"}).to_string();
    let revoked = dollars
        .send(Method::POST, "/orders/1001/link", &[], &link)
        .await;
    assert_eq!(revoked.status, 200);
    assert_eq!(late_page(&stack, handle).await, 200);
}

async fn late_page(stack: &Stack, handle: &str) -> u16 {
    let url = format!("{}/pay/{handle}", stack.base());
    stack
        .client
        .get(url)
        .send()
        .await
        .unwrap()
        .status()
        .as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_with_the_orders_of_two_stores_is_asked_which_one_it_means() {
    let mut stack = Stack::start_with(two).await;
    let (mut payer, _, page) = twins(&mut stack).await;
    let by_id = json!({"order_id": "1001"});
    assert_eq!(payer.live_of(&by_id).await.status, 200);
    let (_, handle) = page.rsplit_once('/').unwrap();
    let body =
        json!({"pay_link": handle, "payment_method": {"method_name": "QR", "method_details": {}}});
    let begun = payer.authorize("k2", &body).await;
    assert_eq!(begun.json()["transaction"]["amount"], "1");
    payer.keep_cookie(&begun);
    let asked = payer.live_of(&by_id).await;
    assert_eq!(asked.problem(), "bad-request", "{}", asked.text);
    assert_eq!(asked.json()["field"], "store");
    for (store, amount) in [("dollars", "5000"), ("lima", "1")] {
        let named = json!({"order_id": "1001", "store": store});
        let live = payer.live_of(&named).await.json();
        assert_eq!(live["operation"]["transactions"][0]["amount"], amount);
    }
    let unknown = json!({"order_id": "1001", "store": "nowhere"});
    assert_eq!(payer.live_of(&unknown).await.status, 404);
    let both = json!({"order": "x", "store": "lima"});
    assert_eq!(payer.live_of(&both).await.problem(), "field-not-allowed");
}
