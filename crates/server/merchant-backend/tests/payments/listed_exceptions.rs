//! No exception is hidden: not by many others, not by a closed store, and not by an earlier one.

use crate::metrics::{figures, value};
use crate::support::database::{age, change_payments, documents, tamper};
use crate::support::event_receiver::{Receiver, Reply};
use crate::support::fault::Fault;
use crate::support::payer::qr;
use crate::support::roles::{limited_refunder, refunder, second_refunder, usd_store};
use crate::support::sales::{PaidByQr, paid_by_qr, settled_installments, waiting_qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{StaffClient, attempt, part};
use crate::support::wait::until;
use merchant_backend::{Config, MerchantStores};
use reqwest::Method;
use serde_json::{Value, json};
use staff_model::ExceptionKind;
use std::time::Duration;

async fn kinds(staff: &StaffClient) -> Vec<String> {
    let list = staff.exceptions().await;
    list.into_iter().map(|(kind, _)| kind).collect()
}

/// Writes paid operations that were not settled for years.
async fn never_settled(stack: &Stack, count: u32) {
    let (number, document) = documents(stack).await.remove(0);
    let row = |at: u32| {
        let mut document = document.clone();
        let operation = &mut document["operation"];
        operation["key"]["merchant_operation_number"] = json!(format!("old-{at}"));
        operation["callback_hash"] = json!(format!("hash-{at}"));
        operation["live"] = json!(false);
        // With the answer of the service each copy would count as another payment of the order.
        operation["operation"] = Value::Null;
        format!("({at}, '{document}')")
    };
    let rows: Vec<String> = (1..=count).map(row).collect();
    let sql = format!(
        "INSERT INTO operations (merchant_code, merchant_operation_number, order_id, phase, live,
             method_name, amount, currency, callback_hash, created_at, changed_at, failures, state,
             outcome, document)
         SELECT o.merchant_code, 'old-' || column1, o.order_id, 'known', 0, o.method_name, o.amount,
             o.currency, 'hash-' || column1, column1, column1, 0, 'AUTORIZADO', 'paid', column2
         FROM operations o CROSS JOIN (VALUES {}) AS rows
         WHERE o.merchant_operation_number = '{number}'",
        rows.join(", ")
    );
    tamper(stack, &sql).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_exceptions_of_one_kind_hide_no_other_kind_and_all_are_counted() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let PaidByQr { number, .. } = paid_by_qr(&stack).await;
    never_settled(&stack, 600).await;
    assert_eq!(refunder.gave_back("1", &number, 1).await.status, 201);
    let answer = refunder.get("/exceptions").await.json();
    let list = answer["exceptions"].as_array().unwrap();
    // What may cost money comes first.
    assert_eq!(list[0]["kind"], "return_unreserved");
    assert_eq!(list.len(), 101);
    assert_eq!(
        answer["counts"],
        json!([{"kind": "return_unreserved", "count": 1}, {"kind": "not_settled", "count": 600}])
    );
    let text = figures(&stack).await;
    let counted = |kind: &str| value(&text, &format!("payments_exceptions{{kind=\"{kind}\"}}"));
    assert_eq!(counted("not_settled"), 600.0);
    assert_eq!(counted("return_unreserved"), 1.0);
}

fn two(config: &mut Config) {
    config.stores = MerchantStores::parse(include_str!("stores.toml")).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_money_of_a_closed_store_stays_in_sight_and_in_reach() {
    let mut stack = Stack::start_with(two).await;
    let mut payer = stack.payer().await;
    let body = json!({"items": [{"sku": "cafe-250", "quantity": 2}], "store": "dollars"});
    let order = payer
        .send(Method::POST, "/orders", &[], &body.to_string())
        .await;
    payer.order_id = order.json()["order_id"].as_str().unwrap().to_owned();
    let number = payer.authorize("k", &qr(&payer.order_id)).await.number();
    let path = format!("/charges/shop-usd/{number}");
    payer.send(Method::DELETE, &path, &[], "").await;
    stack.pay_late(&number).await;
    stack.change_to(|_| {}).await;
    let refunder = refunder(&stack).await;
    assert_eq!(
        refunder.get("/session").await.json()["merchant_codes"],
        json!([MERCHANT, "shop-usd"])
    );
    assert_eq!(refunder.get(&format!("{path}/-")).await.status, 200);
    let late = [("paid_late".to_owned(), number.clone())];
    let usd_store = usd_store(&stack).await;
    for staff in [&refunder, &usd_store] {
        assert_eq!(staff.exceptions().await, late);
        assert_eq!(staff.search("").await, std::slice::from_ref(&number));
    }
    let text = figures(&stack).await;
    assert_eq!(value(&text, "payments_exceptions{kind=\"paid_late\"}"), 1.0);
    let reversed = format!("{path}?intent=reverse");
    let reversed = usd_store.send(Method::DELETE, &reversed, None, None).await;
    assert_eq!(reversed.status, 200, "{}", reversed.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn returns_that_stay_open_are_listed_and_end_by_what_became_of_them() {
    let mut stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    let PaidByQr { number, .. } = paid_by_qr(&stack).await;
    let open = refunder.give_back("1", &number, 100).await.json();
    assert!(refunder.exceptions().await.is_empty());
    change_payments(&mut stack, |_, document| {
        age(document, "/returns/0/at", Duration::from_hours(24));
    })
    .await;
    assert_eq!(
        refunder.exceptions().await,
        [("return_open".to_owned(), number.clone())]
    );
    let detail = refunder
        .detail_of(ExceptionKind::ReturnOpen, &number)
        .await
        .unwrap();
    assert!(detail.contains("100 cents"), "{detail}");
    assert_eq!(
        refunder.resolve("return_open", &number).await.problem(),
        "not-resolvable"
    );
    let id = open["return_id"].as_str().unwrap();
    assert_eq!(refunder.end_return(id, "done").await.status, 200);
    assert!(refunder.exceptions().await.is_empty());
    // What waits for a second person is listed at once.
    let limited_refunder = limited_refunder(&stack).await;
    let over = limited_refunder.gave_back("2", &number, 1001).await.json();
    assert!(kinds(&refunder).await.contains(&"return_open".to_owned()));
    let id = over["return_id"].as_str().unwrap();
    assert_eq!(second_refunder.end_return(id, "done").await.status, 200);
    assert!(!kinds(&refunder).await.contains(&"return_open".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn refunds_that_were_rejected_or_never_end_are_listed() {
    let mut stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    let refund = attempt(&refunder.refund("1", &[part(&sale.number, 100)]).await);
    assert!(refunder.exceptions().await.is_empty());
    change_payments(&mut stack, |_, document| {
        age(
            document,
            "/refunds/0/changed_at",
            Duration::from_hours(15 * 24),
        );
    })
    .await;
    let stuck = [("refund_stuck".to_owned(), sale.number.clone())];
    assert_eq!(refunder.exceptions().await, stuck);
    assert_eq!(
        refunder.resolve("refund_stuck", &sale.number).await.status,
        204
    );
    assert!(refunder.exceptions().await.is_empty());
    let id = refund.refund_id.unwrap();
    let path = format!("/sandbox/refunds/{id}/reject");
    stack.control(Method::POST, &path, None).await;
    until("rejected", async || {
        refunder.refunds(&sale.number).await;
        refunder.exceptions().await == stuck
    })
    .await;
    let detail = refunder
        .detail_of(ExceptionKind::RefundStuck, &sale.number)
        .await
        .unwrap();
    assert!(detail.contains("REJECTED"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_the_shop_refuses_is_listed_until_it_takes_it() {
    let receiver = Receiver::start().await;
    receiver.reply(&[Reply::Status(422); 12]);
    let stack = Stack::start_telling(&receiver.url()).await;
    let refunder = refunder(&stack).await;
    let PaidByQr { number, .. } = paid_by_qr(&stack).await;
    let refused = [("event_refused".to_owned(), number.clone())];
    until("the event to be refused", async || {
        tamper(
            &stack,
            "UPDATE deliveries SET failures = 10 WHERE delivered_at IS NULL AND failures > 0",
        )
        .await;
        refunder.exceptions().await == refused
    })
    .await;
    let detail = refunder
        .detail_of(ExceptionKind::EventRefused, &number)
        .await
        .unwrap();
    assert!(
        detail.contains("order.paid was sent to the receiver default"),
        "{detail}"
    );
    assert_eq!(
        refunder.resolve("event_refused", &number).await.problem(),
        "not-resolvable"
    );
    tamper(
        &stack,
        "UPDATE deliveries SET delivered_at = 1, due_at = NULL, planned_at = NULL,
             leased_until = NULL",
    )
    .await;
    assert!(refunder.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_difference_after_the_first_was_resolved_is_listed_again() {
    let stack = Stack::start_with(|config| config.timing.query_interval = Duration::ZERO).await;
    let refunder = refunder(&stack).await;
    let (_, number) = waiting_qr(&stack).await;
    let look_up = format!("/charges/{MERCHANT}/{number}/-");
    let lie = async |amount: &str| {
        stack
            .with_fault(
                Fault::replace("/operation/transactions/0/amount", amount)
                    .on("GET", "*")
                    .always(),
            )
            .await;
        refunder.get(&look_up).await;
    };
    let listed: [(String, String); 1] = [("mismatch".to_owned(), number.clone())];
    lie("1").await;
    assert_eq!(refunder.exceptions().await, listed);
    assert_eq!(refunder.resolve("mismatch", &number).await.status, 204);
    lie("1").await;
    assert_eq!(refunder.exceptions().await, []);
    lie("2").await;
    assert_eq!(refunder.exceptions().await, listed);
}
