//! Traces by the header `traceparent`: whose are continued, and where their ids stand.

use crate::event_receivers::entry;
use crate::support::event_receiver::{Delivery, Receiver, Reply};
use crate::support::fault::Fault;
use crate::support::payer::{Payer, qr};
use crate::support::program::{Program, free_port, merchant_backend};
use crate::support::stack::{Change, EVENTS_SECRET, ORDERS_SECRET, Stack};
use crate::support::wait::{until, until_some};
use crate::support::wire::Wire;
use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::get;
use reqwest::Method;
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;

const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const HEADER: (&str, &str) = ("traceparent", TRACEPARENT);

/// The ids of the trace and of the sender in a header.
fn ids(traceparent: &str) -> (&str, &str) {
    let parts: Vec<_> = traceparent.split('-').collect();
    let ["00", trace, parent, "01"] = parts[..] else {
        panic!("{traceparent}");
    };
    let is_id =
        |id: &str, length| id.len() == length && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_id(trace, 32) && is_id(parent, 16), "{traceparent}");
    (trace, parent)
}

/// The id of the trace in the problem that answers a request with these headers.
async fn trace_of_a_refusal(stack: &Stack, headers: &[(&str, &str)]) -> String {
    let path = "/charges/shop-1/1/-";
    let answer = stack.browser().send(Method::GET, path, headers, "").await;
    assert_eq!(answer.problem(), "not-found");
    answer.json()["trace_id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_is_continued_only_from_callers_that_the_settings_trust() {
    let mut stack = Stack::start().await;
    let own = trace_of_a_refusal(&stack, &[HEADER]).await;
    assert_eq!(own.len(), 32);
    assert_ne!(own, ID);
    assert_ne!(trace_of_a_refusal(&stack, &[HEADER]).await, own);

    stack
        .change_to(|config| config.trace_trusted = vec!["127.0.0.1/32".parse().unwrap()])
        .await;
    assert_eq!(trace_of_a_refusal(&stack, &[HEADER]).await, ID);
    assert_ne!(trace_of_a_refusal(&stack, &[HEADER, HEADER]).await, ID);
    let upper = TRACEPARENT.to_uppercase();
    let odd = trace_of_a_refusal(&stack, &[("traceparent", &upper)]).await;
    assert!(odd.len() == 32 && odd != ID.to_uppercase(), "{odd}");

    // Behind a proxy the caller is the client, with its whole address.
    stack
        .change_to(|config| {
            config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
            let trusted = ["203.0.113.9/32", "2001:db8::9/128"];
            config.trace_trusted = trusted.map(|network| network.parse().unwrap()).into();
        })
        .await;
    assert_ne!(trace_of_a_refusal(&stack, &[HEADER]).await, ID);
    for (client, is_trusted) in [
        ("203.0.113.9", true),
        ("203.0.113.8", false),
        ("2001:db8::9", true),
        ("2001:db8::8", false),
    ] {
        let forwarded = ("x-forwarded-for", client);
        let trace = trace_of_a_refusal(&stack, &[HEADER, forwarded]).await;
        assert_eq!(trace == ID, is_trusted, "{client}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_the_trace_of_a_problem_in_the_lines_of_every_task_and_level() {
    let mut stack = Stack::start().await;
    let mut payer = stack.payer().await;
    stack.stop().await;
    let path = stack.directory.path().join("log");
    let mut command = merchant_backend();
    command
        .env("TRACE_TRUSTED", "127.0.0.1")
        .env("RUST_LOG", "warn")
        .stdout(Stdio::from(std::fs::File::create(&path).unwrap()));
    let program = Program::start_by(&stack, free_port(), command).await;
    payer.base.clone_from(&program.base);
    stack.with_fault(Fault::drop().always()).await;
    let answer = payer.pay_by_qr("k").await;
    assert_eq!(answer.status, 503, "{}", answer.text);
    let problem = answer.json();
    let request_id = answer.header("x-request-id");

    let lines = || {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        lines.collect::<Vec<Value>>()
    };
    let failed = |name: &str| {
        let mut lines = lines().into_iter().filter(|line| {
            let message = "the payment service gave no usable answer";
            line["span"]["name"] == name && line["fields"]["message"] == message
        });
        lines.next().map(|line| line["span"].clone())
    };
    let request = until_some("the failure of the request", async || failed("request")).await;
    assert_eq!(request["id"], request_id);
    assert_eq!(request["trace_id"], problem["trace_id"]);
    let background = until_some("one of the background", async || failed("background")).await;
    assert_eq!(background["trace_id"].as_str().unwrap().len(), 32);
    assert_ne!(background["trace_id"], request["trace_id"]);

    let path = "/charges/shop-1/1/-";
    let answer = payer.send(Method::GET, path, &[HEADER], "").await;
    assert_eq!(answer.json()["trace_id"], ID);
}

/// A shop that is asked about its order, and notes the headers of each request.
async fn shop() -> (String, Arc<Mutex<Vec<HeaderMap>>>) {
    let asked = Arc::<Mutex<Vec<HeaderMap>>>::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/{{order_id}}", listener.local_addr().unwrap());
    let tell = async |State(asked): State<Arc<Mutex<Vec<HeaderMap>>>>, headers: HeaderMap| {
        asked.lock().unwrap().push(headers);
        let order = json!({"order_id": "A-1", "order_key": "canary-key-of-A-1", "amount": 500, "currency": "PEN"});
        order.to_string()
    };
    let router = Router::new()
        .route("/A-1", get(tell))
        .with_state(Arc::clone(&asked));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, asked)
}

async fn pays(payer: &Payer, headers: &[(&str, &str)]) {
    let body = json!({"order_id": "A-1", "order_key": "canary-key-of-A-1",
        "payment_method": {"method_name": "QR", "method_details": {}}})
    .to_string();
    let headers = [headers, &[("idempotency-key", "\"k\"")]].concat();
    let answer = payer.send(Method::POST, "/charges", &headers, &body);
    answer.await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shop_is_told_the_trace_when_it_is_asked_and_in_each_delivery_of_an_event() {
    let (url, asked) = shop().await;
    let receiver = Receiver::start().await;
    receiver.reply(&[Reply::Status(500)]);
    let wants = "types = [\"order.waiting\", \"order.paid\"]";
    let file = entry("shop", &receiver, EVENTS_SECRET, wants);
    let mut stack = Stack::start_telling_all(None, Some(&file)).await;
    stack.orders_url = Some(url);
    stack.orders_secret = Some(ORDERS_SECRET.to_owned());
    stack
        .change_to(|config| {
            config.trace_trusted = vec!["127.0.0.1/32".parse().unwrap()];
            config.timing.event_pause = Duration::from_millis(100);
        })
        .await;
    pays(&stack.browser(), &[HEADER, ("tracestate", "a=1")]).await;

    let of_shop = asked.lock().unwrap()[0].clone();
    let (trace, parent) = ids(of_shop["traceparent"].to_str().unwrap());
    assert_eq!(
        (trace, &of_shop["tracestate"]),
        (ID, &"a=1".parse().unwrap())
    );
    assert_ne!(parent, ids(TRACEPARENT).1);

    until("the event is taken", async || receiver.types().len() == 1).await;
    let deliveries = receiver.deliveries();
    let [(first, one), (second, other)] = [0, 1].map(|at| ids(&deliveries[at].traceparent));
    assert_eq!((first, second), (ID, ID));
    assert!(one != other && one != parent);

    // What no request of a trusted caller caused has a trace of its own.
    let number = deliveries[0].data()["merchant_operation_number"].clone();
    stack.drive(number.as_str().unwrap(), "pay").await;
    until("the payment is told", async || receiver.types().len() == 2).await;
    let paid = receiver.deliveries().pop();
    let traceparent = paid.map(|paid: Delivery| paid.traceparent);
    assert_ne!(ids(&traceparent.unwrap()).0, ID);
}

/// Both headers of each request to the payment service, after a trusted caller paid and cancelled.
async fn told_to_the_service(change: Change) -> [Vec<String>; 2] {
    let mut stack = Stack::start_with(change).await;
    let wire = Wire::tap(&mut stack).await;
    let payer = stack.payer().await;
    let key = ("idempotency-key", "\"k\"");
    let headers = [HEADER, ("tracestate", "a=1"), key];
    let body = qr(&payer.order_id).to_string();
    let answer = payer.send(Method::POST, "/charges", &headers, &body);
    payer.cancel(&answer.await.number()).await;
    ["traceparent", "tracestate"].map(|name| wire.header(name))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_payment_service_is_told_traces_only_where_a_setting_says_so() {
    let nothing = |told: &[String]| told.len() > 1 && told.iter().all(String::is_empty);
    let [traces, states] = told_to_the_service(|config| {
        config.trace_trusted = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    assert!(nothing(&traces) && nothing(&states), "{traces:?}");

    let [traces, states] = told_to_the_service(|config| {
        config.trace_trusted = vec!["127.0.0.1/32".parse().unwrap()];
        config.trace_to_payment_service = true;
    })
    .await;
    assert_eq!(ids(&traces[0]).0, ID);
    assert!(traces.iter().all(|told| !ids(told).0.is_empty()) && nothing(&states));
}
