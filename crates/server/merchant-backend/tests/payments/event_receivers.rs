//! Several receivers of events, each with an address, a secret, types and a queue of its own.

use crate::metrics::{figures, value};
use crate::support::database::is_server;
use crate::support::event_receiver::{Receiver, Reply};
use crate::support::roles::refunder;
use crate::support::sales::{PaidByQr, paid_by_qr};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::until;
use reqwest::Method;

const ERP_SECRET: &str = "canary-erp-0123456789abcdef01234567";
const STOCK_SECRET: &str = "canary-stock-0123456789abcdef012345";

/// A receiver in the file of receivers.
pub(crate) fn entry(name: &str, receiver: &Receiver, secret: &str, more: &str) -> String {
    let url = receiver.url();
    format!("[[receiver]]\nname = \"{name}\"\nurl = \"{url}\"\nsecret = \"{secret}\"\n{more}\n")
}

async fn types(receiver: &Receiver, expected: &[&str]) {
    until(&format!("{expected:?}"), async || {
        receiver.types().len() >= expected.len()
    })
    .await;
    assert_eq!(receiver.types(), expected);
}

async fn reverse(stack: &Stack, sale: &PaidByQr) {
    stack.drive(&sale.number, "reverse").await;
    let look = format!("/charges/{MERCHANT}/{}/-", sale.number);
    refunder(stack).await.get(&look).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_receiver_gets_the_types_that_it_wants_signed_with_its_own_secret() {
    let shop = Receiver::start().await;
    let erp = Receiver::with_secret(ERP_SECRET).await;
    let stock = Receiver::with_secret(STOCK_SECRET).await;
    let only = "types = [\"order.reversed\", \"refund.resolved\"]";
    let file = entry("erp", &erp, ERP_SECRET, "") + &entry("stock", &stock, STOCK_SECRET, only);
    let stack = Stack::start_telling_all(Some(&shop.url()), Some(&file)).await;
    let sale = paid_by_qr(&stack).await;
    reverse(&stack, &sale).await;
    for receiver in [&shop, &erp] {
        types(receiver, &["order.paid", "order.reversed"]).await;
    }
    types(&stock, &["order.reversed"]).await;
    // One event is the same for all.
    assert_eq!(shop.deliveries()[1].id, stock.deliveries()[0].id);
    assert_eq!(shop.deliveries()[1].body, stock.deliveries()[0].body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_slow_or_dead_delays_no_other() {
    let mut dead = Receiver::start().await;
    let slow = Receiver::with_secret(STOCK_SECRET).await;
    let good = Receiver::with_secret(ERP_SECRET).await;
    dead.down().await;
    slow.reply(&[Reply::Silence; 100]);
    let file = entry("slow", &slow, STOCK_SECRET, "") + &entry("good", &good, ERP_SECRET, "");
    let stack = Stack::start_telling_all(Some(&dead.url()), Some(&file)).await;
    // More orders than one receiver may have deliveries at once.
    for _ in 0..10 {
        paid_by_qr(&stack).await;
    }
    types(&good, &["order.paid"; 10]).await;
    assert_eq!(good.deliveries().len(), 10);
    assert!(slow.types().is_empty());
    let waiting = async |name: &str| {
        let figure = format!("payments_events_waiting{{receiver=\"{name}\"}}");
        value(&figures(&stack).await, &figure)
    };
    // The receiver has the last event before the server knows.
    until("the good receiver's queue is empty", async || {
        waiting("good").await == 0.0
    })
    .await;
    assert_eq!(
        (waiting("default").await, waiting("slow").await),
        (10.0, 10.0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_added_gets_what_happens_from_then_on_and_the_rest_on_request() {
    let shop = Receiver::start().await;
    let erp = Receiver::with_secret(ERP_SECRET).await;
    let mut stack = Stack::start_telling(&shop.url()).await;
    let first = paid_by_qr(&stack).await;
    types(&shop, &["order.paid"]).await;
    stack.receivers = Some(entry("erp", &erp, ERP_SECRET, ""));
    stack.restart().await;
    reverse(&stack, &first).await;
    types(&erp, &["order.reversed"]).await;
    types(&shop, &["order.paid", "order.reversed"]).await;
    let program = ShopProgram::of(&stack).await;
    let id = shop.deliveries()[0].id.clone();
    let resend = async |query: &str| {
        let path = format!("/events/{id}/resend{query}");
        let answer = program.send(Method::POST, &path, &[], "").await;
        answer.status
    };
    assert_eq!(resend("?receiver=erp").await, 202);
    types(&erp, &["order.reversed", "order.paid"]).await;
    assert_eq!(shop.deliveries().len(), 2);
    assert_eq!(resend("?receiver=nobody").await, 404);
    assert_eq!(resend("?name=erp").await, 400);
    assert_eq!(resend("").await, 202);
    types(&shop, &["order.paid", "order.reversed", "order.paid"]).await;
    // Once a minute to each of them.
    assert_eq!(resend("?receiver=erp").await, 429);
    assert_eq!(resend("").await, 429);
    types(&erp, &["order.reversed", "order.paid"]).await;
    assert_eq!(told(&program).await, [["default", "erp"]]);
    // Each of them is taken away, and the events stay in the list.
    stack.receivers = None;
    stack.events_url = None;
    stack.restart().await;
    paid_by_qr(&stack).await;
    let told = told(&program).await;
    assert_eq!(told.len(), 2);
    // Of a database that servers share another server may have them for a day.
    if !is_server() {
        assert!(told[1].is_empty(), "{told:?}");
    }
}

/// The receivers of each event of a payment, by the list that programs read.
async fn told(program: &ShopProgram) -> Vec<Vec<String>> {
    let list = program.get("/events").await.json();
    let events = list["events"].as_array().unwrap().iter();
    let paid = events.filter(|event| event["event"]["type"] == "order.paid");
    let receivers = paid.map(|event| {
        let deliveries = event["deliveries"].as_array().unwrap().iter();
        let names = deliveries.map(|delivery| delivery["receiver"].as_str().unwrap().to_owned());
        names.collect()
    });
    receivers.collect()
}
