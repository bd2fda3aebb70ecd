//! A database that is older than the payment service's: restored from a backup.

use crate::support::database::{copied, edit, tamper, values};
use crate::support::fault::Fault;
use crate::support::page_visitor::PageVisitor;
use crate::support::program::merchant_backend;
use crate::support::roles::{self, canceler, refunder, viewer};
use crate::support::sales::{paid_by_qr, settled_installments};
use crate::support::shop_program::{ShopProgram, key_command};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{StaffClient, part, refusal};
use crate::support::wait::until;
use reqwest::Method;
use serde_json::{Value, json};
use staff_model::{ExceptionKind, RefundRefusalReason};

/// Runs a command on the database of a stack that was stopped.
async fn command(stack: &Stack, words: &[&str]) -> String {
    let mut command = merchant_backend();
    command.args(words).env("DATABASE", &stack.database);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap());
    let output = output.await.unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Takes a backup of a running stack; returns its place.
async fn backup(stack: &mut Stack) -> String {
    stack.stop().await;
    let place = copied(stack).await;
    stack.run().await;
    place
}

/// Puts the backup in the place of the database, and says so.
async fn restore(stack: &mut Stack, backup: String) {
    stack.stop().await;
    stack.database = backup;
    let told = command(stack, &["restored"]).await;
    assert!(told.contains(" waits for staff. "), "{told}");
    stack.run().await;
}

/// The operation as a backup has it that was made before the answer came.
async fn forget_the_answer(stack: &Stack, number: &str) {
    edit(stack, |edited, document| {
        if edited == number {
            let operation = &mut document["operation"];
            operation["phase"] = json!("in_doubt");
            operation["live"] = json!(false);
            operation["operation"] = Value::Null;
            operation["answer"] = Value::Null;
        }
    })
    .await;
    let sql = format!(
        "UPDATE operations SET phase = 'in_doubt', live = 0, transaction_id = NULL, state = NULL,
             due_at = 1, planned_at = 1, exceptions_version = 0
         WHERE merchant_operation_number = '{number}'"
    );
    tamper(stack, &sql).await;
}

async fn exceptions_of(refunder: &StaffClient, number: &str) -> Vec<ExceptionKind> {
    refunder.details(number).await.row.exceptions
}

fn was_cancelled(seen: &[Value], number: &str) -> bool {
    let mut seen = seen.iter();
    seen.any(|one| one["merchant_operation_number"] == number)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_since_the_backup_is_never_given_back() {
    let mut stack = Stack::start().await;
    let (waiting, doubtful) = (stack.payer().await, stack.payer().await);
    let known = waiting.pay_by_qr("k").await.number();
    let doubt = doubtful.pay_by_qr("k").await.number();
    let older = backup(&mut stack).await;
    stack.drive(&known, "pay").await;
    stack.drive(&doubt, "pay").await;
    stack.stop().await;
    stack.database = older;
    forget_the_answer(&stack, &doubt).await;
    command(&stack, &["restored"]).await;
    stack.run().await;

    // A query tells the truth about what is known, and changes nothing at the service.
    until("paid", async || {
        waiting.status(&known).await.state() == "AUTORIZADO"
    })
    .await;
    // An operation in doubt cannot be queried, and its cancellation would give the payment back.
    until("left to staff", async || {
        let plans = "SELECT count(*) FROM operations WHERE phase = 'in_doubt' AND due_at IS NULL";
        values::<i64>(&stack, plans).await == [1]
    })
    .await;
    let canceler = canceler(&stack).await;
    let mut listed = canceler.exceptions().await;
    listed.sort();
    let found = |kind: &str| (kind.to_owned(), doubt.clone());
    assert_eq!(listed, [found("in_doubt"), found("restored")]);
    let refused = canceler.cancel(&doubt, "cancel").await;
    assert_eq!(refused.problem(), "cannot-cancel-now");
    let refused = canceler.cancel(&known, "reverse").await;
    assert_eq!(refused.problem(), "cannot-cancel-now");
    assert!(stack.seen("DELETE").await.is_empty());

    // Also when staff have confirmed it, the server cancels nothing by itself.
    assert_eq!(canceler.resolve("restored", &doubt).await.status, 204);
    stack.restart().await;
    assert_eq!(canceler.resolve("restored", &known).await.status, 204);
    assert_eq!(canceler.cancel(&known, "reverse").await.status, 200);
    assert!(!was_cancelled(&stack.seen("DELETE").await, &doubt));
    assert_eq!(stack.state_of(&doubt).await, "AUTORIZADO");

    // Neither does a look of staff, nor a plan that a backup brought.
    let viewer = viewer(&stack).await;
    for staff in [&viewer, &canceler] {
        let looked = staff.get(&format!("/charges/{MERCHANT}/{doubt}/-")).await;
        assert_eq!(looked.problem(), "no-transaction", "{}", looked.text);
    }
    stack.stop().await;
    let due = format!(
        "UPDATE operations SET due_at = 1, planned_at = 1 WHERE merchant_operation_number = '{doubt}'"
    );
    tamper(&stack, &due).await;
    stack.run().await;
    until("looked at", async || {
        let plans = "SELECT count(*) FROM operations WHERE phase = 'in_doubt' AND due_at IS NULL";
        values::<i64>(&stack, plans).await == [1]
    })
    .await;
    assert!(!was_cancelled(&stack.seen("DELETE").await, &doubt));
    assert_eq!(stack.state_of(&doubt).await, "AUTORIZADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn money_given_back_since_the_backup_is_not_given_back_again() {
    let mut stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    let (by_hand, unsettled) = (paid_by_qr(&stack).await, paid_by_qr(&stack).await);
    let refunder = refunder(&stack).await;
    // The database knows of the settlement.
    refunder.refunds(&sale.number).await;
    let older = backup(&mut stack).await;
    let all = part(&sale.number, sale.amount);
    assert_eq!(
        refunder
            .refund("k", std::slice::from_ref(&all))
            .await
            .status,
        200
    );
    let given = refunder
        .give_back("r", &by_hand.number, by_hand.amount)
        .await;
    let id = given.json()["return_id"].as_str().unwrap().to_owned();
    assert_eq!(refunder.end_return(&id, "done").await.status, 200);
    restore(&mut stack, older).await;

    // Earlier sign-ins have ended.
    assert_eq!(refunder.get("/exceptions").await.status, 401);
    let refunder = roles::refunder(&stack).await;
    let program = ShopProgram::of(&stack).await;
    let again = json!({"order_id": sale.order_id, "amount": 1});
    let refused = program.refund("l", &again).await;
    assert_eq!(refusal(&refused), (RefundRefusalReason::Restored, None));
    let refused = refunder.refund("l", std::slice::from_ref(&all)).await;
    assert_eq!(refusal(&refused), (RefundRefusalReason::Restored, None));
    let refused = refunder
        .give_back("s", &by_hand.number, by_hand.amount)
        .await;
    assert_eq!(refused.json()["reason"], "restored");
    let whole = json!({"order_id": unsettled.payer.order_id, "amount": "all"});
    let refused = program.refund("m", &whole).await;
    assert_eq!(refused.problem(), "cannot-cancel-now", "{}", refused.text);
    for number in [&sale.number, &by_hand.number] {
        assert_eq!(
            exceptions_of(&refunder, number).await,
            [ExceptionKind::Restored]
        );
        assert_eq!(refunder.resolve("restored", number).await.status, 204);
        assert_eq!(exceptions_of(&refunder, number).await, []);
    }
    // The service's own list has the refund; only staff know of the return by hand.
    let refused = refunder.refund("m", std::slice::from_ref(&all)).await;
    assert_eq!(refusal(&refused).0, RefundRefusalReason::MoreThanIsLeft);
    let made = refunder
        .gave_back("t", &by_hand.number, by_hand.amount)
        .await;
    assert_eq!(made.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_the_backup_lacks_takes_no_payment_when_it_is_given_again() {
    let mut stack = Stack::start().await;
    let older = backup(&mut stack).await;
    // The order with its page, whether the page begins a payment, and what the program reads.
    let give = async |program: &ShopProgram, order_id: &str, made_at: Option<&str>| {
        let mut order = json!({"order_id": order_id, "amount": 38_700, "currency": "PEN"});
        if let Some(made_at) = made_at {
            order["made_at"] = json!(made_at);
        }
        let order = order.to_string();
        let given = program.send(Method::POST, "/orders", &[], &order).await;
        let url = given.json()["pay_url"].as_str().unwrap().to_owned();
        let begin = [("key", order_id), ("method", "QR")];
        let begun = PageVisitor::at(&url).send("", &begin).await.status;
        let outcome = program.order(order_id).await["outcome"].clone();
        (begun, outcome.as_str().unwrap().to_owned())
    };
    let waits = (303, "waiting".to_owned());
    assert_eq!(
        give(&ShopProgram::of(&stack).await, "A-1", None).await,
        waits
    );
    restore(&mut stack, older).await;

    let program = &ShopProgram::of(&stack).await;
    let may_be_paid = (409, "unconfirmed".to_owned());
    assert_eq!(give(program, "A-1", None).await, may_be_paid);
    // Neither an instant before the restore nor one that is yet to come proves anything.
    for (order_id, made_at) in [
        ("A-2", "2026-01-01T00:00:00Z"),
        ("A-3", "2099-01-01T00:00:00Z"),
    ] {
        assert_eq!(give(program, order_id, Some(made_at)).await, may_be_paid);
    }
    let now = jiff::Timestamp::now().to_string();
    assert_eq!(give(program, "A-4", Some(&now)).await, waits);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fence_that_comes_while_the_service_is_asked_stops_what_was_checked_before_it() {
    let stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    let (by_hand, unsettled) = (paid_by_qr(&stack).await, paid_by_qr(&stack).await);
    let (refunder, canceler) = (refunder(&stack).await, canceler(&stack).await);
    let late = async |path: &str| {
        stack
            .with_fault(Fault::delay(1_000).after().on("GET", path).always())
            .await;
    };
    // As the command sets it beside a server that was not stopped.
    let fence = async |asked_at: &str, asked_before: usize| {
        until("asked", async || {
            stack.seen_at("GET", asked_at).await.len() > asked_before
        })
        .await;
        tamper(
            &stack,
            "INSERT INTO fence (one, at) SELECT 1, max(created_at) + 1 FROM operations",
        )
        .await;
    };
    let no_fence = async || tamper(&stack, "DELETE FROM fence").await;

    late("/refund").await;
    let before = stack.seen_at("GET", "/refund").await.len();
    let all = [part(&sale.number, sale.amount)];
    let (refused, ()) = tokio::join!(refunder.refund("k", &all), fence("/refund", before));
    assert_eq!(refusal(&refused), (RefundRefusalReason::Restored, None));
    no_fence().await;

    late("/charges").await;
    let before = stack.seen("GET").await.len();
    let returned = refunder.give_back("r", &by_hand.number, by_hand.amount);
    let (refused, ()) = tokio::join!(returned, fence("/charges", before));
    assert_eq!(refused.json()["reason"], "restored", "{}", refused.text);
    no_fence().await;

    let before = stack.seen("GET").await.len();
    let reversed = canceler.cancel(&unsettled.number, "reverse");
    let (refused, ()) = tokio::join!(reversed, fence("/charges", before));
    assert_eq!(refused.problem(), "cannot-cancel-now", "{}", refused.text);

    assert!(stack.seen_at("POST", "/refund").await.is_empty());
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_order_is_neither_paid_anew_nor_removed_before_all_is_compared() {
    let mut stack = Stack::start().await;
    let (unpaid, waits) = (stack.payer().await, stack.payer().await);
    let code = waits.pay_by_qr("k").await.number();
    let older = backup(&mut stack).await;
    // It is paid by an operation that the backup lacks.
    let lost = unpaid.pay_by_qr("k").await.number();
    stack.drive(&lost, "pay").await;
    restore(&mut stack, older).await;
    tamper(
        &stack,
        "UPDATE orders SET created_at = created_at - 86460000",
    )
    .await;

    let refused = unpaid.pay_by_qr("l").await;
    let problem = (refused.status, refused.problem());
    assert_eq!(problem, (409, "order-may-be-paid".to_owned()));
    assert_eq!(refused.json()["money"], "may_be_paid");
    assert_eq!(refused.header("retry-after"), "");
    // The code that a payer has can be paid, or given up.
    assert_eq!(waits.pay_by_qr("k").await.number(), code);
    assert_eq!(waits.cancel(&code).await.status, 200);
    assert_eq!(waits.pay_by_qr("m").await.status, 409);
    let newer = stack.payer().await;
    newer.pay_by_qr("k").await.number();
    let old = async |stack: &Stack| {
        let old = "SELECT count(*) FROM orders WHERE begun = 0";
        values::<i64>(stack, old).await[0]
    };
    assert_eq!(old(&stack).await, 1);
    stack.stop().await;
    let told = command(&stack, &["purge", "--older-than", "1"]).await;
    assert!(told.contains("forgotten: 0; left"), "{told}");

    let told = command(&stack, &["restored", "--compared"]).await;
    assert!(told.contains("like everything else again"), "{told}");
    let told = command(&stack, &["restored", "--compared"]).await;
    assert!(told.contains("nothing was changed"), "{told}");
    stack.run().await;
    until("removed", async || old(&stack).await == 0).await;
    assert_eq!(waits.pay_by_qr("n").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_reads_that_an_older_order_may_be_paid_until_all_is_compared() {
    let mut stack = Stack::start().await;
    let unpaid = stack.payer().await;
    let older = backup(&mut stack).await;
    let lost = unpaid.pay_by_qr("k").await.number();
    stack.drive(&lost, "pay").await;
    restore(&mut stack, older).await;

    let program = ShopProgram::of(&stack).await;
    let seen = async |program: &ShopProgram| {
        let order = program.order(&unpaid.order_id).await;
        let outcome = order["outcome"].as_str().unwrap().to_owned();
        (outcome, order["payment_may_come"].as_bool().unwrap())
    };
    assert_eq!(seen(&program).await, ("unconfirmed".to_owned(), true));
    for order in [unpaid.order_id.as_str(), "not-in-the-backup"] {
        let closing = program.cancel(order).await;
        assert_eq!(closing, (202, "closing".to_owned()), "{order}");
    }
    stack.stop().await;
    command(&stack, &["restored", "--compared"]).await;
    stack.run().await;
    let program = ShopProgram::with_key(&stack, "new", &["--may", "read,cancel"]).await;
    assert_eq!(seen(&program).await, ("unpaid".to_owned(), false));
    for order in [unpaid.order_id.as_str(), "not-in-the-backup"] {
        let closed = program.cancel(order).await;
        assert_eq!(closed, (200, "closed".to_owned()), "{order}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_that_a_backup_brings_is_in_force() {
    let mut stack = Stack::start().await;
    let payer = stack.payer().await;
    let path = format!("/orders/{}", payer.order_id);
    let leaked = ShopProgram::with_key(&stack, "leaked", &["--may", "read"]).await;
    let ended = ShopProgram::with_key(&stack, "ended", &["--may", "read"]).await;
    key_command(&stack, &["end", "--name", "ended"]).await;
    let older = backup(&mut stack).await;
    key_command(&stack, &["end", "--name", "leaked"]).await;
    stack.stop().await;
    stack.database = older;
    let told = command(&stack, &["restored"]).await;
    assert!(told.contains("have ended: leaked. Make"), "{told}");
    // A second run says the same of nothing.
    let told = command(&stack, &["restored"]).await;
    assert!(!told.contains("ended"), "{told}");
    stack.run().await;
    for program in [&leaked, &ended] {
        assert_eq!(program.get(&path).await.status, 401);
    }
    let new = ShopProgram::with_key(&stack, "new", &["--may", "read"]).await;
    assert_eq!(new.get(&path).await.status, 200);
    let sql = "SELECT staff || ': ' || detail FROM audit WHERE action = 'end-key' ORDER BY id";
    let records: Vec<String> = values(&stack, sql).await;
    assert_eq!(
        records,
        ["key (command): ended", "restored (command): leaked"]
    );
}
