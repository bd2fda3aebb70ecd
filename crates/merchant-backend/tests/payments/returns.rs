use crate::clerk::{Clerk, item, paid, refusals, settled};
use crate::stack::Stack;

#[tokio::test(flavor = "multi_thread")]
async fn what_the_service_cannot_refund_is_recorded_by_hand() {
    let mut stack = Stack::start().await;
    let payer = stack.payer().await;
    let number = payer.pay_by_qr("k").await.number();
    let ana = Clerk::sign_in(&stack, "ana").await;
    let early = ana.give_back("0", &number, 1).await;
    assert_eq!(
        (early.status, early.problem().as_str()),
        (400, "return-refused")
    );
    assert_eq!(early.json()["reason"], "not_paid");
    stack.drive(&number, "pay").await;
    crate::waiting::until("paid", async || {
        (payer.shown().await["state"] == "paid").then_some(())
    })
    .await;
    let shown = payer.shown().await;
    let amount: u64 = shown["amount"].as_str().unwrap().parse().unwrap();
    let recorded = ana.give_back("1", &number, 300).await;
    assert_eq!(recorded.status, 201, "{}", recorded.text);
    assert_eq!(
        (&recorded.json()["amount"], &recorded.json()["staff"]),
        (&300.into(), &"ana".into())
    );
    stack.restart().await;
    assert_eq!(ana.give_back("1", &number, 300).await.text, recorded.text);
    let reused = ana.give_back("1", &number, 301).await;
    assert_eq!(reused.problem(), "idempotency-key-reused");
    let more = ana.give_back("2", &number, amount - 299).await.json();
    assert_eq!(
        (&more["reason"], &more["left"]),
        (&"more_than_is_left".into(), &(amount - 300).into())
    );
    let leo = Clerk::sign_in(&stack, "leo").await;
    let capped = leo.give_back("3", &number, 1001).await;
    assert_eq!(capped.json()["reason"], "over_limit");
    assert_eq!(ana.give_back("4", &number, amount - 300).await.status, 201);
    let unknown = ana.give_back("5", "unknown", 1).await;
    assert_eq!(unknown.status, 404);
    let details = ana.details(&number).await;
    assert_eq!(details["refundable"], 0);
    assert_eq!(details["returns"].as_array().unwrap().len(), 2);
    assert_eq!(details["audit"][0]["action"], "return");
    let whole = item("TOTAL", &number, &amount.to_string());
    let refused = ana.refund("6", &[whole]).await;
    assert_eq!(refusals(&refused)[0].1, "method_not_refundable");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_service_refunds_is_not_returned_by_hand() {
    let stack = Stack::start().await;
    let ana = Clerk::sign_in(&stack, "ana").await;
    for sale in [paid(&stack).await, settled(&stack).await] {
        let key = format!("k{}", sale.number);
        let refused = crate::waiting::until("known as paid", async || {
            let refused = ana.give_back(&key, &sale.number, 1).await.json();
            (refused["reason"] != "not_paid").then_some(refused)
        })
        .await;
        assert_eq!(refused["reason"], "refundable");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_returns_at_once_never_exceed_what_was_paid() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let number = payer.pay_by_qr("k").await.number();
    stack.drive(&number, "pay").await;
    crate::waiting::until("paid", async || {
        (payer.shown().await["state"] == "paid").then_some(())
    })
    .await;
    let amount: u64 = payer.shown().await["amount"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let ana = Clerk::sign_in(&stack, "ana").await;
    let mut tasks = Vec::new();
    for at in 0..12 {
        let (ana, number) = (ana.clone(), number.clone());
        tasks.push(tokio::spawn(async move {
            ana.give_back(&format!("k{at}"), &number, amount / 4 + 1)
                .await
                .status
        }));
    }
    let mut recorded = 0;
    for task in tasks {
        recorded += u32::from(task.await.unwrap() == 201);
    }
    assert_eq!(recorded, 3);
}
