//! `GET /api/shop/orders/{order_id}`: the truth about an order, for a program of the shop.

use crate::support::database::tamper;
use crate::support::fault::Fault;
use crate::support::sales::{paid_by_qr, waiting_qr};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::wait::until;
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_unpaid_then_waiting_then_paid() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let payer = stack.payer().await;
    let order = program.order(&payer.order_id).await;
    assert_eq!(order["outcome"], "unpaid");
    assert_eq!(order["payment_may_come"], false);
    assert_eq!(order["operations"].as_array().unwrap().len(), 0);

    let number = payer.pay_by_qr("k").await.number();
    let order = program.order(&payer.order_id).await;
    assert_eq!(order["outcome"], "waiting");
    assert_eq!(order["payment_may_come"], true);
    let operation = &order["operations"][0];
    assert_eq!(operation["merchant_operation_number"], number);
    assert_eq!(operation["live"], true);
    assert!(operation["expires_at"].as_str().unwrap().ends_with('Z'));

    stack.drive(&number, "pay").await;
    until("paid", async || {
        program.order(&payer.order_id).await["outcome"] == "paid"
    })
    .await;
    let order = program.order(&payer.order_id).await;
    assert_eq!(order["payment_may_come"], false);
    assert_eq!(order["operations"][0]["outcome"], "paid");
    assert!(!order.to_string().contains("anary"), "{order}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_authorization_has_no_answer_is_unconfirmed() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let payer = stack.payer().await;
    stack
        .with_faults([
            Fault::drop().on("POST", "/charges").after().always(),
            Fault::drop().on("DELETE", "/charges").always(),
        ])
        .await;
    assert_eq!(payer.pay_by_qr("k").await.status, 503);
    let order = program.order(&payer.order_id).await;
    assert_eq!(order["outcome"], "unconfirmed");
    assert_eq!(order["payment_may_come"], true);
    assert_eq!(order["operations"][0]["unconfirmed"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_answer_was_asked_of_the_service_and_is_refused_if_that_fails() {
    let stack = Stack::start_with(|config| config.queries_per_second = 20).await;
    let program = ShopProgram::of(&stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    stack.drive(&number, "pay").await;
    let fresh = format!("/orders/{}?fresh", payer.order_id);
    let answer = program.get(&fresh).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.json()["outcome"], "paid");

    stack
        .with_fault(Fault::drop().on("GET", "/charges").always())
        .await;
    let answer = program.get(&fresh).await;
    assert_eq!(answer.status, 503, "{}", answer.text);
    assert_eq!(answer.problem(), "payment-service-unavailable");
    assert_ne!(answer.header("retry-after"), "");
    assert_eq!(program.order(&payer.order_id).await["outcome"], "paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_is_not_known_and_an_order_that_does_not_exist_are_refused() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let sale = paid_by_qr(&stack).await;
    let path = format!("/orders/{}", sale.payer.order_id);
    for query in ["fresh=1", "old", "fresh&fresh"] {
        let answer = program.get(&format!("{path}?{query}")).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (400, "bad-request")
        );
    }
    let answer = program.get("/orders/nothing").await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (404, "not-found")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_reads_each_order_once_and_as_it_is_now() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let read = async |after: &str| {
        let answer = program.get(&format!("/orders{after}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let list = answer.json();
        let orders = list["orders"].as_array().unwrap();
        let orders = orders.iter().map(|order| {
            let text = |name: &str| order[name].as_str().unwrap().to_owned();
            (text("order_id"), text("outcome"))
        });
        let next = list["next"].as_str().unwrap().to_owned();
        (orders.collect::<Vec<_>>(), next)
    };
    // Nobody has tried to pay this one.
    stack.payer().await;
    assert_eq!(read("").await, (Vec::new(), "0".to_owned()));
    let (payer, number) = waiting_qr(&stack).await;
    let (orders, cursor) = read("").await;
    assert_eq!(orders, [(payer.order_id.clone(), "waiting".to_owned())]);
    let paid = paid_by_qr(&stack).await;
    let (orders, next) = read(&format!("?after={cursor}")).await;
    assert_eq!(orders, [(paid.payer.order_id.clone(), "paid".to_owned())]);
    assert_eq!(read(&format!("?after={next}")).await.0, []);
    stack.drive(&number, "pay").await;
    payer.until_paid().await;
    let (orders, _) = read("").await;
    assert_eq!(orders[0], (payer.order_id, "paid".to_owned()));
    let answer = program.get("/orders?after=x").await;
    assert_eq!(answer.problem(), "bad-request");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_lost_its_records_finds_and_ends_the_orders_that_nobody_tried_to_pay() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let give = async |id: &str| {
        let end = "2099-11-30T05:00:00Z";
        let order = json!({"order_id": id, "amount": 500, "currency": "PEN", "pay_until": end});
        let order = order.to_string();
        let given = program.send(Method::POST, "/orders", &[], &order).await;
        assert_eq!(given.status, 200, "{}", given.text);
    };
    let read = async |query: &str| {
        let answer = program.get(&format!("/orders?untried{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let list = answer.json();
        let orders = list["orders"].as_array().unwrap().iter();
        let ids = orders.map(|order| order["order_id"].as_str().unwrap().to_owned());
        let next = list["next"].as_str().unwrap().to_owned();
        (ids.collect::<Vec<_>>(), next, list["more"] == true)
    };
    let (none, start, _) = read("").await;
    assert!(none.is_empty());
    for at in 0..51 {
        give(&format!("A-{at:02}")).await;
    }
    // One that is stored at this moment may come before one that was listed.
    assert!(read("").await.0.is_empty());
    let older = "UPDATE orders SET created_at = created_at - 60001";
    waiting_qr(&stack).await;
    tamper(&stack, older).await;

    let (first, next, more) = read(&format!("&after={start}")).await;
    assert_eq!((first.len(), first[0].as_str(), more), (50, "A-00", true));
    let (last, next, more) = read(&format!("&after={next}")).await;
    assert_eq!((last, more), (vec!["A-50".to_owned()], false));
    assert!(read(&format!("&after={next}")).await.0.is_empty());

    let list = program.get("/orders?untried").await.json();
    let order = &list["orders"][0];
    assert_eq!(order["pay_until"], "2099-11-30T05:00:00Z");
    assert_eq!(
        (&order["closed"], &order["outcome"]),
        (&json!(false), &json!("unpaid"))
    );
    let ended = program
        .send(Method::POST, "/orders/A-00/cancel", &[], "")
        .await;
    assert_eq!(ended.json()["result"], "closed", "{}", ended.text);
    let list = program.get("/orders?untried").await.json();
    assert_eq!(list["orders"][0]["closed"], true);
    for wrong in ["=1", "&after=7", "&after=x.A", "&after=1.A/B"] {
        let answer = program.get(&format!("/orders?untried{wrong}")).await;
        assert_eq!(answer.problem(), "bad-request", "{wrong}");
    }
}
