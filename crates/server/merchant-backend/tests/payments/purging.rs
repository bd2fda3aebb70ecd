//! The real program forgets the payers of old orders beside the running server.

use crate::support::database::{change_payments, edit, holds, is_server, tamper, values};
use crate::support::event_receiver::Receiver;
use crate::support::payer::Payer;
use crate::support::roles::refunder;
use crate::support::sales::settled_installments;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{attempt, part};
use crate::support::wait::until;
use payment_rules::forget_payer::is_kept;
use reqwest::Method;
use serde_json::{Value, json};
use staff_model::AuditAction;
use std::process::{Command, Output};

const PERSON: &str = "Zenobia Quispe Mamani";
const ACCOUNT: &str = "*******90210";

fn purge(stack: &Stack, days: &str) -> String {
    let output = run(&stack.database, days);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text} {:?}", output.stderr);
    text
}

fn told(days: u32, orders: u64, left: u64) -> String {
    format!(
        "orders older than {days} days whose payers were forgotten: {orders}; left, since something about them is unfinished: {left}\n"
    )
}

fn run(database: &str, days: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_merchant-backend"))
        .args(["purge", "--older-than", days])
        .env("DATABASE", database)
        .output()
        .unwrap()
}

/// Counts the files of the database that hold a text. Another process reads them: closing such a
/// file here would end this process's locks on it. Of a server it looks into the tables.
async fn files_with(stack: &Stack, text: &str) -> usize {
    if is_server() {
        return usize::from(holds(stack, text).await);
    }
    let database = stack.file().display().to_string();
    let files = ["", "-wal", "-shm"].map(|end| format!("{database}{end}"));
    let has = |file: &&String| {
        let grep = Command::new("grep").args(["-qaF", text, file]).status();
        grep.unwrap().success()
    };
    files.iter().filter(has).count()
}

async fn order(stack: &Stack) -> Payer {
    let mut payer = stack.payer().await;
    let body = json!({
        "items": [{"sku": "cafe-250", "quantity": 1}],
        "customer": {"first_name": PERSON, "location": {"line_1": PERSON.repeat(5)}},
    });
    let body = body.to_string();
    let answer = payer.send(Method::POST, "/orders", &[], &body).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    payer.order_id = answer.json()["order_id"].as_str().unwrap().to_owned();
    payer
}

#[tokio::test(flavor = "multi_thread")]
async fn purge_leaves_no_payer_of_old_and_finished_orders_on_disk() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let refunder = refunder(&stack).await;
    let payer = order(&stack).await;
    let number = payer.pay_by_qr("k").await.number();
    stack.drive(&number, "pay").await;
    until("told", async || !receiver.types().is_empty()).await;
    edit(&stack, |_, document| {
        let transaction = &mut document["operation"]["operation"]["transactions"][0];
        transaction["processor_response"]["origin_account"] = json!(ACCOUNT);
    })
    .await;
    tamper(&stack, "UPDATE orders SET created_at = 0").await;
    assert!(files_with(&stack, PERSON).await > 0 && files_with(&stack, ACCOUNT).await > 0);

    // An order with an undelivered event waits.
    tamper(&stack, "UPDATE deliveries SET delivered_at = NULL").await;
    assert_eq!(purge(&stack, "30"), told(30, 1, 1));
    assert!(files_with(&stack, PERSON).await > 0);
    tamper(&stack, "UPDATE deliveries SET delivered_at = 1").await;
    assert_eq!(purge(&stack, "30"), told(30, 1, 0));
    assert_eq!(
        (
            files_with(&stack, PERSON).await,
            files_with(&stack, ACCOUNT).await
        ),
        (0, 0)
    );
    assert_eq!(purge(&stack, "30"), told(30, 0, 0));

    // It still answers, and no later answer of the service brings the payer back.
    let shown = payer.status(&number).await;
    assert_eq!(shown.state(), "AUTORIZADO");
    refunder
        .get(&format!("/charges/{MERCHANT}/{number}/-"))
        .await;
    let details = refunder.details(&number).await;
    assert_eq!(details.row.merchant_operation_number, number);
    let mut audit = details.audit.iter();
    assert!(audit.any(|entry| entry.action == AuditAction::Purge));
    assert!(refunder.search("state=AUTORIZADO").await.contains(&number));
    stack.drive(&number, "settle").await;
    until("settled", async || {
        payer.status(&number).await.state() == "LIQUIDADO"
    })
    .await;
    let operation = serde_json::to_string(&details.operation).unwrap();
    assert!(!operation.contains("method_details"), "{operation}");
}

/// Writes a mark into every text that may be the payer's, and into members that no version knows.
fn mark(value: &mut Value, name: &str) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| mark(value, name)),
        Value::Object(members) => {
            for (name, value) in &mut *members {
                mark(value, name);
            }
            members.insert(
                "later".to_owned(),
                json!({"text": ACCOUNT, "list": [ACCOUNT]}),
            );
        }
        // The name is that of a method.
        Value::String(text) if !is_kept(name) && name != "name" => ACCOUNT.clone_into(text),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn purge_empties_every_text_of_a_payment_and_what_no_version_knows() {
    let mut stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    let made = attempt(&refunder.refund("k", &[part(&sale.number, 100)]).await);
    let path = format!("/sandbox/refunds/{}/resolve", made.refund_id.unwrap());
    stack.control(Method::POST, &path, None).await;
    until("resolved", async || {
        let list = refunder.refunds(&sale.number).await;
        list.json()["operations"][0]["state"] == "RESOLVED"
    })
    .await;
    let made = refunder.gave_back("m", &sale.number, 100).await;
    assert_eq!(made.status, 201, "{}", made.text);
    change_payments(&mut stack, |_, document| {
        mark(document, "");
        document["operation"]["answer_mismatch"] = json!({"at": 1, "detail": ACCOUNT});
    })
    .await;
    let listed = "SELECT count(*) FROM exceptions WHERE kind = 'mismatch'";
    assert_eq!(values::<i64>(&stack, listed).await, [1]);
    assert!(holds(&stack, ACCOUNT).await);
    let begun = "order_id IN (SELECT order_id FROM operations)";
    tamper(
        &stack,
        &format!("UPDATE orders SET created_at = 0 WHERE {begun}"),
    )
    .await;
    assert_eq!(purge(&stack, "1"), told(1, 1, 0));
    assert!(!holds(&stack, ACCOUNT).await);
    // What the bookkeeping needs is there, and the first key has its answer.
    let details = refunder.details(&sale.number).await;
    assert_eq!(details.refundable.get(), sale.amount - 200);
    let again = refunder.refund("k", &[part(&sale.number, 100)]).await;
    assert_eq!(again.status, 200, "{}", again.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn purge_leaves_unfinished_and_young_orders() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let refunder = refunder(&stack).await;
    order(&stack).await.pay_by_qr("k").await;
    let sale = settled_installments(&stack).await;
    let made = attempt(&refunder.refund("k", &[part(&sale.number, 100)]).await);
    until("told", async || !receiver.types().is_empty()).await;
    // Each payer's first order has no attempt.
    let begun = "order_id IN (SELECT order_id FROM operations)";
    tamper(
        &stack,
        &format!("UPDATE orders SET created_at = 0 WHERE {begun}"),
    )
    .await;
    assert_eq!(purge(&stack, "1"), told(1, 0, 2));
    assert!(files_with(&stack, PERSON).await > 0);

    let refund_id = made.refund_id.unwrap();
    let path = format!("/sandbox/refunds/{refund_id}/resolve");
    stack.control(Method::POST, &path, None).await;
    until("told of the refund", async || {
        refunder.refunds(&sale.number).await;
        receiver.types().len() == 2
    })
    .await;
    until("purged", async || purge(&stack, "1") == told(1, 1, 1)).await;
    // Its own id still identifies the refund.
    let refunds = refunder.refunds(&sale.number).await;
    assert!(refunds.text.contains(&made.attempt_id), "{}", refunds.text);
}

#[test]
fn a_purge_of_no_file_says_what_to_do() {
    for (database, wanted) in [
        ("", "DATABASE is empty"),
        ("/nowhere/merchant.db", "DATABASE: "),
    ] {
        let output = run(database, "30");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && text.starts_with(wanted),
            "{text}"
        );
    }
    assert!(!run("x.db", "0").status.success());
}
