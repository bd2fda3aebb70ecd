//! Impossible dates in the service's answers.

use crate::support::fault::Fault;
use crate::support::stack::Stack;
use crate::support::wait::until;
use payment_model::DateObject;
use serde_json::{Value, json};

fn deadline(transaction: &Value) -> Option<i64> {
    let date = transaction["expiration_date"].clone();
    let date: Option<DateObject> = serde_json::from_value(date).unwrap();
    Some(date?.timestamp()?.as_millis())
}

/// The service writes this date in every answer.
async fn dates_are(stack: &Stack, part: &str, value: &Value) {
    let fault = |method: &str, transaction: &str| {
        let pointer = format!("{transaction}/expiration_date{part}");
        Fault::replace(&pointer, value)
            .on(method, "/charges")
            .always()
    };
    let faults = [
        fault("POST", "/transaction"),
        fault("GET", "/operation/transactions/0"),
    ];
    stack.with_faults(faults).await;
}

async fn queries(stack: &Stack) -> usize {
    stack.seen("GET").await.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_whose_unix_time_cannot_be_is_the_other_one_and_a_retry_gets_the_same_code() {
    let stack = Stack::start().await;
    for impossible in [
        json!(0),
        json!(-1),
        json!(253_402_300_799_i64),
        json!(i64::MAX),
        json!(1e300),
    ] {
        dates_are(&stack, "/unix_time", &impossible).await;
        let payer = stack.payer().await;
        let answer = payer.pay_by_qr("k").await;
        let (number, told) = (answer.number(), deadline(&answer.json()["transaction"]));
        assert!(told.is_some(), "{impossible}");
        assert_eq!(
            payer.pay_by_qr("again").await.number(),
            number,
            "{impossible}"
        );
        let asked = queries(&stack).await;
        until("asked", async || {
            payer.status(&number).await;
            queries(&stack).await > asked
        })
        .await;
        let status = payer.status(&number).await.json();
        assert_eq!(deadline(&status["operation"]["transactions"][0]), told);
        assert_eq!(payer.pay_by_qr("later").await.number(), number);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_possible_date_there_is_no_deadline_and_one_that_was_told_stays() {
    let stack = Stack::start().await;
    for impossible in [
        json!({"unix_time": 0}),
        json!({"unix_time": i64::MIN, "utc_time": "9999-12-31T23:59:59Z"}),
    ] {
        dates_are(&stack, "", &impossible).await;
        let payer = stack.payer().await;
        let answer = payer.pay_by_qr("k").await;
        assert_eq!(deadline(&answer.json()["transaction"]), None);
        assert_eq!(payer.pay_by_qr("again").await.number(), answer.number());
    }
    stack.without_faults().await;
    let payer = stack.payer().await;
    let answer = payer.pay_by_qr("k").await;
    let told = deadline(&answer.json()["transaction"]);
    dates_are(&stack, "", &json!({"unix_time": 0})).await;
    let asked = queries(&stack).await;
    until("asked", async || {
        payer.status(&answer.number()).await;
        queries(&stack).await > asked + 1
    })
    .await;
    let status = payer.status(&answer.number()).await.json();
    let transaction = &status["operation"]["transactions"][0];
    assert_eq!((deadline(transaction), told.is_some()), (told, true));
}
