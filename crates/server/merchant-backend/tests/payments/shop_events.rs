//! `GET /api/shop/events`: a program of the shop reads the events that it missed.

use crate::support::database::{connect, is_server, tamper};
use crate::support::event_receiver::Receiver;
use crate::support::sales::paid_by_qr;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _};

/// The events of payments after a cursor, and the next cursor. The list has those of an order's course too.
async fn read(program: &ShopProgram, after: Option<&str>) -> (Vec<Value>, String) {
    let query = after.map_or_else(String::new, |after| format!("?after={after}"));
    let answer = program.get(&format!("/events{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let list = answer.json();
    let events = list["events"].as_array().unwrap().iter();
    let paid = events.filter(|event| event["event"]["type"] != "order.waiting");
    let paid = paid.cloned().collect();
    (paid, list["next"].as_str().unwrap().to_owned())
}

fn orders(events: &[Value]) -> Vec<&str> {
    let order = |event| {
        let event: &Value = event;
        event["event"]["data"]["order_id"].as_str().unwrap()
    };
    events.iter().map(order).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_reads_each_event_once_from_its_cursor_on() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    assert_eq!(read(&program, None).await, (Vec::new(), "0-0".to_owned()));
    let first = paid_by_qr(&stack).await;
    let (events, cursor) = read(&program, Some("0-0")).await;
    assert_eq!(orders(&events), [first.payer.order_id.as_str()]);
    assert_eq!(events[0]["event"]["type"], "order.paid");
    // There is no receiver.
    assert_eq!(events[0]["deliveries"], json!([]));
    let second = paid_by_qr(&stack).await;
    let (events, next) = read(&program, Some(&cursor)).await;
    assert_eq!(orders(&events), [second.payer.order_id.as_str()]);
    assert_eq!(read(&program, Some(&next)).await, (Vec::new(), next));
    assert_eq!(read(&program, None).await.0.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_commits_later_comes_later_whatever_its_number() {
    // A file has one writer at a time, so that numbers are in the order of commits.
    if !is_server() {
        return;
    }
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let sale = paid_by_qr(&stack).await;
    let order_id = &sale.payer.order_id;
    let add = |id: &str| {
        AssertSqlSafe(format!(
            "INSERT INTO events (event_id, type, merchant_code, order_id, created_at, body)
             SELECT '{id}', 'order.paid', merchant_code, '{order_id}', 1, '{{\"type\": \"t\",
                 \"timestamp\": \"2024-02-07T17:18:50Z\", \"data\": {{\"id\": \"{id}\",
                 \"created_at\": \"2024-02-07T17:18:50Z\", \"order_id\": \"{order_id}\"}}}}'
             FROM orders WHERE order_id = '{order_id}'"
        ))
    };
    let (_, cursor) = read(&program, None).await;
    let (mut slow, mut quick) = (connect(&stack).await, connect(&stack).await);
    let mut open = slow.begin().await.unwrap();
    sqlx::query(add("slow")).execute(&mut *open).await.unwrap();
    sqlx::query(add("quick")).execute(&mut quick).await.unwrap();
    let (events, cursor) = read(&program, Some(&cursor)).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["event"]["data"]["id"], "quick");
    open.commit().await.unwrap();
    let (events, _) = read(&program, Some(&cursor)).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["event"]["data"]["id"], "slow");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_whose_next_events_were_removed_is_refused() {
    let mut stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    paid_by_qr(&stack).await;
    let (_, cursor) = read(&program, None).await;
    let removed = paid_by_qr(&stack).await;
    let order_id = &removed.payer.order_id;
    // Nobody has read it, and it is older than the events that are kept.
    tamper(
        &stack,
        &format!("UPDATE events SET created_at = 1 WHERE order_id = '{order_id}'"),
    )
    .await;
    stack.restart().await;
    let answer = until_some("the event is removed", async || {
        let answer = program.get(&format!("/events?after={cursor}")).await;
        (answer.status == 410).then_some(answer)
    })
    .await;
    assert_eq!(answer.problem(), "cursor-too-old");
    // A cursor behind the last event or order would miss the next ones.
    for future in [
        "/events?after=9223372036854775807-0",
        "/orders?after=9223372036854775807",
    ] {
        let answer = program.get(future).await;
        assert_eq!(answer.problem(), "cursor-too-old", "{future}");
    }
    let (events, next) = read(&program, None).await;
    assert_eq!(events.len(), 1);
    let kept = paid_by_qr(&stack).await;
    let (events, _) = read(&program, Some(&next)).await;
    assert_eq!(orders(&events), [kept.payer.order_id.as_str()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_sent_again_with_the_same_id() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let program = ShopProgram::of(&stack).await;
    paid_by_qr(&stack).await;
    let event = until_some("delivered", async || {
        let (events, _) = read(&program, None).await;
        let event = events.first()?.clone();
        let delivery = &event["deliveries"][0];
        assert_eq!(delivery["receiver"], "default");
        (!delivery["delivered_at"].is_null()).then_some(event)
    })
    .await;
    let id = event["event"]["data"]["id"].as_str().unwrap();
    let resend = format!("/events/{id}/resend");
    let reader = ShopProgram::with_key(&stack, "reader", &["--may", "read"]).await;
    let answer = reader.send(Method::POST, &resend, &[], "").await;
    assert_eq!(answer.problem(), "api-key-permission");
    let answer = program.send(Method::POST, &resend, &[], "").await;
    assert_eq!(answer.status, 202, "{}", answer.text);
    until("sent again", async || receiver.deliveries().len() == 2).await;
    let answer = program.send(Method::POST, &resend, &[], "").await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (429, "too-many-requests")
    );
    assert_ne!(answer.header("retry-after"), "");
    let answer = program
        .send(Method::POST, "/events/evt_nothing/resend", &[], "")
        .await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (404, "not-found")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_cursor_is_said() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    for query in [
        "after=",
        "after=1",
        "after=-1",
        "after=x-0",
        "since=1",
        "after=1-99999999999999999999",
    ] {
        let answer = program.get(&format!("/events?{query}")).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (400, "bad-request"),
            "{query}"
        );
    }
}
