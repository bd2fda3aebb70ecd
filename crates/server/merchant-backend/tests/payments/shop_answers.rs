//! Orders that the server asks the shop about.

use crate::support::payer::{Answer, Payer};
use crate::support::stack::{ORDERS_SECRET, Stack};
use crate::support::wait::until;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

const KEY: &str = "canary-key-of-A-1";

/// The shop, which answers as a test wants.
#[derive(Clone)]
struct Shop {
    /// The status and the body of its answers; a body that is null never comes.
    answer: Arc<Mutex<(u16, Value)>>,
    asked: Arc<Mutex<Vec<String>>>,
    /// What the next answer waits for on its way.
    slow: Arc<Mutex<Option<oneshot::Receiver<()>>>>,
    url: String,
}

impl Shop {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let shop = Self {
            answer: Arc::new(Mutex::new((200, order(12_990)))),
            asked: Arc::default(),
            slow: Arc::default(),
            url: format!(
                "http://{}/orders/{{order_id}}",
                listener.local_addr().unwrap()
            ),
        };
        let router = Router::new()
            .route("/orders/{order_id}", get(tell))
            .with_state(shop.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        shop
    }

    fn answers(&self, status: u16, body: Value) {
        *self.answer.lock().unwrap() = (status, body);
    }

    /// The next answer is on its way until the sender is used.
    fn next_is_slow(&self) -> oneshot::Sender<()> {
        let (arrives, slow) = oneshot::channel();
        *self.slow.lock().unwrap() = Some(slow);
        arrives
    }

    fn times_asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

async fn tell(
    State(shop): State<Shop>,
    Path(order_id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let secret = headers["authorization"].to_str().unwrap();
    assert_eq!(secret, format!("Bearer {ORDERS_SECRET}"));
    shop.asked.lock().unwrap().push(order_id);
    let (status, body) = shop.answer.lock().unwrap().clone();
    let slow = shop.slow.lock().unwrap().take();
    if let Some(slow) = slow {
        slow.await.unwrap();
    }
    if body.is_null() {
        return std::future::pending().await;
    }
    (StatusCode::from_u16(status).unwrap(), body.to_string()).into_response()
}

fn order(amount: u64) -> Value {
    json!({"order_id": "A-1", "order_key": KEY, "amount": amount, "currency": "PEN",
        "payer": {"first_name": "Canary"}})
}

async fn pays(payer: &mut Payer, idempotency_key: &str, order_id: &str, key: &str) -> Answer {
    let body = json!({"order_id": order_id, "order_key": key,
        "payment_method": {"method_name": "QR", "method_details": {}}});
    let answer = payer.authorize(idempotency_key, &body).await;
    payer.keep_cookie(&answer);
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shop_says_what_an_order_costs_and_who_may_pay_it() {
    let shop = Shop::start().await;
    let mut stack = Stack::start_for_shop(Some(&shop.url)).await;
    let mut payer = stack.browser();
    let made = pays(&mut payer, "k", "A-1", KEY).await;
    let number = made.number();
    assert_eq!(made.json()["transaction"]["amount"], "12990");
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    // A page that does not know the key gets nothing, not even whether there is such an order.
    for wrong in ["canary-key-of-A-2", "", "x"] {
        let refused = pays(&mut stack.browser(), "k", "A-1", wrong).await;
        assert!(matches!(
            refused.problem().as_str(),
            "not-found" | "bad-request"
        ));
    }
    let asked = shop.times_asked();
    for (no_id, problem) in [("", "bad-request"), ("A/1", "not-found")] {
        let refused = pays(&mut stack.browser(), "k", no_id, KEY).await;
        assert_eq!(refused.problem(), problem);
    }
    assert_eq!(shop.times_asked(), asked);
    let stranger = stack.browser();
    let body = json!({"order_id": "A-1", "payment_method": {"method_name": "QR"}});
    assert_eq!(stranger.authorize("k", &body).await.problem(), "not-found");

    // While the shop is away a payer goes on with the own payment, and nobody begins another.
    shop.answers(500, json!({}));
    stack.restart().await;
    assert_eq!(
        pays(&mut stack.browser(), "k", "A-1", KEY).await.number(),
        number
    );
    let other = pays(&mut stack.browser(), "b", "A-1", KEY).await;
    assert_eq!(other.problem(), "shop-unavailable");
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    // The same for an order that the shop has cancelled, and for one that costs more now.
    for (status, answer, problem) in [
        (404, json!({}), "not-found"),
        (200, order(1), "order-changed"),
    ] {
        shop.answers(status, answer);
        assert_eq!(
            pays(&mut stack.browser(), "c", "A-1", KEY).await.problem(),
            problem
        );
        assert_eq!(
            pays(&mut stack.browser(), "k", "A-1", KEY).await.number(),
            number
        );
    }
    let body = json!({"order_id": "A-1", "payment_method": {"method_name": "QR"}});
    assert_eq!(payer.authorize("d", &body).await.problem(), "not-found");
    shop.answers(200, order(12_990));
    assert_eq!(
        pays(&mut stack.browser(), "e", "A-1", KEY).await.number(),
        number
    );
    stack.drive(&number, "pay").await;
    until("paid", async || {
        payer.status(&number).await.state() == "AUTORIZADO"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_gives_no_usable_answer_is_told_apart() {
    let shop = Shop::start().await;
    let stack = Stack::start_for_shop(Some(&shop.url)).await;
    let changed = |name: &str, value: Value| {
        let mut order = order(500);
        order[name] = value;
        order
    };
    for (status, body, problem) in [
        (404, json!({}), "not-found"),
        (500, json!({}), "shop-unavailable"),
        (429, json!({}), "shop-unavailable"),
        (200, Value::Null, "shop-unavailable"),
        (301, json!({}), "shop-answer"),
        (401, json!({}), "shop-answer"),
        (200, json!([]), "shop-answer"),
        (200, changed("order_id", json!("A-2")), "shop-answer"),
        (200, changed("order_key", json!("short")), "shop-answer"),
        (200, changed("order_key", json!(7)), "shop-answer"),
        (200, changed("amount", json!(5.5)), "shop-answer"),
        (200, changed("currency", json!("USD")), "shop-answer"),
        (200, changed("total", json!(5)), "shop-answer"),
        (
            200,
            changed("products", json!("x".repeat(70_000))),
            "shop-answer",
        ),
        (
            200,
            changed("order_key", json!("canary-key-of-A-2")),
            "not-found",
        ),
    ] {
        shop.answers(status, body.clone());
        let refused = pays(&mut stack.browser(), "k", "A-1", KEY).await;
        assert_eq!(refused.problem(), problem, "{status} {body}");
        assert!(!refused.text.contains("anary"), "{}", refused.text);
        let repeated = problem == "shop-unavailable";
        assert_eq!(refused.header("retry-after") == "5", repeated);
    }
    assert!(stack.seen("POST").await.is_empty());
    shop.answers(200, order(500));
    pays(&mut stack.browser(), "k", "A-1", KEY).await.number();
    // An id that is none never leaves the server.
    let asked = shop.times_asked();
    let refused = pays(&mut stack.browser(), "k", "../admin", KEY).await;
    assert_eq!(
        (refused.problem().as_str(), shop.times_asked()),
        ("not-found", asked)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn invented_ids_do_not_flood_the_shop() {
    let shop = Shop::start().await;
    let mut stack = Stack::start_for_shop(Some(&shop.url)).await;
    shop.answers(404, json!({}));
    stack.change_to(|config| config.orders_per_minute = 3).await;
    let mut refused = Vec::new();
    for at in 0..6 {
        let answer = pays(&mut stack.browser(), "k", &format!("B-{at}"), KEY).await;
        refused.push(answer.status);
    }
    assert_eq!(refused, [404, 404, 404, 429, 429, 429]);
    assert_eq!(shop.times_asked(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_of_the_shop_is_not_replaced_by_an_older_one() {
    let shop = Shop::start().await;
    let stack = Stack::start_for_shop(Some(&shop.url)).await;
    shop.answers(200, order(700));
    let arrives = shop.next_is_slow();
    let first = tokio::spawn({
        let mut payer = stack.browser();
        async move { pays(&mut payer, "a", "A-1", KEY).await }
    });
    until("asked", async || shop.times_asked() == 1).await;
    shop.answers(200, order(500));
    let second = pays(&mut stack.browser(), "b", "A-1", KEY).await;
    assert_eq!(second.json()["transaction"]["amount"], "500");
    // Both were asked at once, and which price is the newer one is not known.
    arrives.send(()).unwrap();
    let unclear = first.await.unwrap();
    assert_eq!(unclear.problem(), "request-running");
    assert_eq!(unclear.header("retry-after"), "1");
    // The shop knows.
    shop.answers(200, order(700));
    let changed = pays(&mut stack.browser(), "a", "A-1", KEY).await;
    assert_eq!(changed.problem(), "order-changed");
    shop.answers(200, order(500));
    let again = pays(&mut stack.browser(), "a", "A-1", KEY).await;
    assert_eq!(again.number(), second.number());
}
