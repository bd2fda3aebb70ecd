//! `POST /api/shop/refunds`: a program of the shop gives money back.

use crate::methods::{asked, configured};
use crate::support::fault::Fault;
use crate::support::payer::Answer;
use crate::support::roles::{canceler, refunder};
use crate::support::sales::{paid_by_qr, paid_installments, settled_installments, waiting_qr};
use crate::support::shop_program::{ShopProgram, key_command};
use crate::support::stack::{MERCHANT, Stack};
use merchant_backend::MerchantStores;
use serde_json::{Value, json};
use std::time::Duration;

/// The refund of an answer.
fn refund(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

fn is_refused(answer: &Answer, status: u16, problem: &str) {
    let came = (answer.status, answer.problem());
    assert_eq!(came, (status, problem.to_owned()), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_settled_payment_is_refunded_in_parts_up_to_its_rest() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let sale = settled_installments(&stack).await;
    let part = json!({"order_id": sale.order_id, "amount": "1000"});
    let first = refund(&program.refund("1", &part).await);
    assert_eq!(
        (&first["way"], &first["amount"]),
        (&json!("refund"), &json!("1000"))
    );
    assert_eq!(first["state"], "pending");
    let rest = json!({"order_id": sale.order_id, "amount": "all"});
    let second = refund(&program.refund("2", &rest).await);
    assert_eq!(second["amount"], (sale.amount - 1000).to_string());
    let nothing = program.refund("3", &rest).await;
    is_refused(&nothing, 409, "more-than-is-left");
    assert_eq!(nothing.json()["left"], 0);

    let path = format!("/refunds/{}", first["refund_id"].as_str().unwrap());
    assert_eq!(refund(&program.get(&path).await), first);
    let given_back = program.order(&sale.order_id).await["given_back"].clone();
    assert_eq!(given_back["pending"], sale.amount.to_string());
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unsettled_payment_is_reversed_as_a_whole_and_only_once() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let sale = paid_by_qr(&stack).await;
    let order_id = &sale.payer.order_id;
    let whole = json!({"order_id": order_id, "amount": sale.amount});
    let reversed = refund(&program.refund("k", &whole).await);
    assert_eq!(
        (&reversed["way"], &reversed["state"]),
        (&json!("reversal"), &json!("made"))
    );
    assert_eq!(reversed["amount"], sale.amount.to_string());
    assert_eq!(program.order(order_id).await["outcome"], "reversed");
    // An amount is the same as a number and as a text.
    let text = json!({"order_id": order_id, "amount": sale.amount.to_string()});
    assert_eq!(refund(&program.refund("k", &text).await), reversed);
    is_refused(
        &program.refund("other", &whole).await,
        409,
        "order-not-paid",
    );
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_requests_at_once_one_gives_the_money_back() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let (paid, settled) = (paid_by_qr(&stack).await, settled_installments(&stack).await);
    let whole = json!({"order_id": paid.payer.order_id, "amount": "all"});
    let (one, two) = tokio::join!(program.refund("1", &whole), program.refund("2", &whole));
    let (made, other) = if one.status == 200 {
        (one, two)
    } else {
        (two, one)
    };
    assert_eq!(refund(&made)["state"], "made");
    is_refused(&other, 409, "order-not-paid");
    assert_eq!(stack.seen("DELETE").await.len(), 1);

    let rest = json!({"order_id": settled.order_id, "amount": "all"});
    let (one, two) = tokio::join!(program.refund("3", &rest), program.refund("4", &rest));
    let (made, other) = if one.status == 200 {
        (one, two)
    } else {
        (two, one)
    };
    assert_eq!(refund(&made)["amount"], settled.amount.to_string());
    assert!(other.status >= 400, "{}", other.text);
    let (one, two) = tokio::join!(program.refund("5", &rest), program.refund("5", &rest));
    is_refused(&one, 409, "more-than-is-left");
    is_refused(&two, 409, "more-than-is-left");
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_request_can_give_back_is_left_to_staff_with_the_reason() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let sale = paid_by_qr(&stack).await;
    let order = json!({"order_id": sale.payer.order_id, "amount": "all"});
    let part = json!({"order_id": sale.payer.order_id, "amount": 1});
    let answer = program.refund("part", &part).await;
    is_refused(&answer, 409, "return-by-hand");
    // To wait for the settlement would not help, since the service refunds no QR.
    assert_eq!(answer.json()["reason"], "method-not-refundable");
    let credit = paid_installments(&stack).await;
    let part_of_credit = json!({"order_id": credit.order_id, "amount": 1});
    let answer = program.refund("credit", &part_of_credit).await;
    is_refused(&answer, 409, "return-by-hand");
    assert_eq!(answer.json()["reason"], "not-settled");
    // The server does not know yet that the payment is settled.
    stack.drive(&sale.number, "settle").await;
    let answer = program.refund("whole", &order).await;
    is_refused(&answer, 409, "return-by-hand");
    assert_eq!(answer.json()["reason"], "method-not-refundable");
    let (payer, _) = waiting_qr(&stack).await;
    let unpaid = json!({"order_id": payer.order_id, "amount": "all"});
    is_refused(
        &program.refund("unpaid", &unpaid).await,
        409,
        "order-not-paid",
    );
    let unknown = json!({"order_id": "nothing", "amount": "all"});
    is_refused(&program.refund("unknown", &unknown).await, 404, "not-found");
    for seen in [
        stack.seen("DELETE").await,
        stack.seen_at("POST", "/refund").await,
    ] {
        assert!(seen.is_empty(), "{seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_paid_in_cash_or_by_transfer_is_reversed_by_staff_or_where_a_setting_permits_programs()
 {
    let mut stack = Stack::start_with(configured).await;
    let program = ShopProgram::of(&stack).await;
    let paid = async |stack: &Stack, method: &str| {
        let payer = stack.payer().await;
        let details = json!({"redirect_url": "https://shop.example/back"});
        let begun = payer.authorize("k", &asked(&payer, method, &details)).await;
        let number = begun.number();
        stack.drive(&number, "pay").await;
        payer.until_paid().await;
        (payer.order_id, number)
    };
    for method in ["CASHCODE", "BANK_TRANSFER"] {
        let (order_id, number) = paid(&stack, method).await;
        for amount in ["all", "1"] {
            let body = json!({"order_id": order_id, "amount": amount});
            let answer = program.refund(&format!("{method} {amount}"), &body).await;
            is_refused(&answer, 409, "return-by-hand");
            assert_eq!(answer.json()["reason"], "reversal-not-permitted");
        }
        assert_eq!(stack.state_of(&number).await, "AUTORIZADO");
        let reversed = canceler(&stack).await.cancel(&number, "reverse").await;
        assert_eq!(reversed.status, 200, "{}", reversed.text);
    }
    stack
        .change_to(|config| {
            configured(config);
            config.reverses_cash = true;
        })
        .await;
    for method in ["CASHCODE", "BANK_TRANSFER"] {
        let (order_id, _) = paid(&stack, method).await;
        let whole = json!({"order_id": order_id, "amount": "all"});
        let reversed = refund(&program.refund(method, &whole).await);
        assert_eq!(reversed["way"], "reversal");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_repeated_with_the_next_key_gives_nothing_back_twice() {
    let stack = Stack::start().await;
    let old = ShopProgram::of(&stack).await;
    let (settled, paid) = (
        settled_installments(&stack).await,
        paid_installments(&stack).await,
    );
    let part = json!({"order_id": settled.order_id, "amount": 500});
    let whole = json!({"order_id": paid.order_id, "amount": "all"});
    let refunded = refund(&old.refund("part", &part).await);
    let reversed = refund(&old.refund("whole", &whole).await);
    let new = ShopProgram::with_key(&stack, "erp-2", &["--may", "read,refund"]).await;
    key_command(&stack, &["end", "--name", "erp"]).await;
    assert_eq!(refund(&new.refund("part", &part).await), refunded);
    assert_eq!(refund(&new.refund("whole", &whole).await), reversed);
    let more = json!({"order_id": settled.order_id, "amount": 501});
    is_refused(
        &new.refund("part", &more).await,
        422,
        "idempotency-key-reused",
    );
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_without_an_answer_stays_reserved_and_is_not_sent_again() {
    let stack = Stack::start_with(|config| {
        config.payment_timeout = Duration::from_millis(400);
    })
    .await;
    let program = ShopProgram::of(&stack).await;
    let sale = settled_installments(&stack).await;
    stack.with_fault(Fault::drop().on("POST", "/refund")).await;
    let part = json!({"order_id": sale.order_id, "amount": 700});
    let unknown = refund(&program.refund("k", &part).await);
    assert_eq!(unknown["state"], "unknown");
    let given_back = program.order(&sale.order_id).await["given_back"].clone();
    assert_eq!(given_back["unknown"], "700");
    assert_eq!(refund(&program.refund("k", &part).await), unknown);
    let path = format!("/refunds/{}", unknown["refund_id"].as_str().unwrap());
    assert_eq!(refund(&program.get(&path).await), unknown);
    let rest = refund(
        &program
            .refund("rest", &json!({"order_id": sale.order_id, "amount": "all"}))
            .await,
    );
    assert_eq!(rest["amount"], (sale.amount - 700).to_string());
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_whose_answer_is_lost_is_found_in_the_list_of_the_service() {
    let stack = Stack::start_with(|config| {
        config.payment_timeout = Duration::from_millis(400);
    })
    .await;
    let program = ShopProgram::of(&stack).await;
    let sale = settled_installments(&stack).await;
    let lost = Fault::drop().after().on("POST", "/refund");
    stack.with_fault(lost).await;
    let part = json!({"order_id": sale.order_id, "amount": 700});
    let found = refund(&program.refund("k", &part).await);
    assert_eq!(
        (&found["way"], &found["state"]),
        (&json!("refund"), &json!("pending"))
    );
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_whose_answer_is_lost_is_known_by_the_state() {
    let stack = Stack::start_with(|config| {
        config.payment_timeout = Duration::from_millis(400);
    })
    .await;
    let program = ShopProgram::of(&stack).await;
    let sale = paid_by_qr(&stack).await;
    stack
        .with_fault(Fault::drop().after().on("DELETE", "/charges"))
        .await;
    let whole = json!({"order_id": sale.payer.order_id, "amount": "all"});
    let reversed = refund(&program.refund("k", &whole).await);
    assert_eq!(
        (&reversed["way"], &reversed["state"]),
        (&json!("reversal"), &json!("made"))
    );
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_that_was_refused_and_carried_out_all_the_same_is_made() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let sale = paid_by_qr(&stack).await;
    let denied = Fault::status(400).on("DELETE", "/charges").after();
    stack.with_fault(denied).await;
    let whole = json!({"order_id": sale.payer.order_id, "amount": "all"});
    assert_eq!(refund(&program.refund("k", &whole).await)["state"], "made");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_gives_back_no_more_than_its_limit() {
    let stack = Stack::start().await;
    let limits = ["--may", "refund,read", "--refund-limit", "1000"];
    let program = ShopProgram::with_key(&stack, "till", &limits).await;
    let sale = settled_installments(&stack).await;
    let over = json!({"order_id": sale.order_id, "amount": 1001});
    let answer = program.refund("1", &over).await;
    is_refused(&answer, 400, "refund-refused");
    assert_eq!(answer.json()["errors"][0]["reason"], "over_limit");
    let within = json!({"order_id": sale.order_id, "amount": 1000});
    refund(&program.refund("2", &within).await);
    let paid = paid_by_qr(&stack).await;
    let whole = json!({"order_id": paid.payer.order_id, "amount": "all"});
    is_refused(&program.refund("3", &whole).await, 409, "reversal-refused");
    assert!(stack.seen("DELETE").await.is_empty());
    assert_eq!(program.order(&paid.payer.order_id).await["outcome"], "paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_is_the_actor_of_the_audit_and_staff_see_what_it_gave_back() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let sale = settled_installments(&stack).await;
    let part = json!({"order_id": sale.order_id, "amount": 300});
    refund(&program.refund("k", &part).await);
    let details = refunder(&stack).await.details(&sale.number).await;
    assert_eq!(details.attempts[0].staff, format!("shop:{MERCHANT}"));
    assert_eq!(details.refundable.get(), sale.amount - 300);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_reaches_the_orders_of_its_store_only() {
    let stack = Stack::start_with(|config| {
        config.stores = MerchantStores::parse(include_str!("stores.toml")).unwrap();
    })
    .await;
    let (own, other) = (
        ShopProgram::of_store(&stack, MERCHANT).await,
        ShopProgram::of_store(&stack, "shop-usd").await,
    );
    let sale = settled_installments(&stack).await;
    let part = json!({"order_id": sale.order_id, "amount": 100});
    let refunded = refund(&own.refund("k", &part).await);
    let path = format!("/refunds/{}", refunded["refund_id"].as_str().unwrap());
    is_refused(&other.get(&path).await, 404, "not-found");
    is_refused(&other.refund("k", &part).await, 404, "not-found");
    is_refused(
        &other.get(&format!("/orders/{}", sale.order_id)).await,
        404,
        "not-found",
    );
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_may_be_paid_is_not_said_to_have_nothing_to_give_back() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let (waits, _) = waiting_qr(&stack).await;
    let payer = stack.payer().await;
    let whole = json!({"order_id": payer.order_id, "amount": "all"});
    let nothing = program.refund("1", &whole).await;
    is_refused(&nothing, 409, "order-not-paid");
    stack
        .with_faults([
            Fault::drop().on("POST", "/charges").after().always(),
            Fault::drop().on("DELETE", "/charges").always(),
        ])
        .await;
    assert_eq!(payer.pay_by_qr("k").await.status, 503);
    let order = program.order(&payer.order_id).await;
    let number = &order["operations"][0]["merchant_operation_number"];
    let named =
        json!({"order_id": payer.order_id, "amount": "all", "merchant_operation_number": number});
    for (key, body) in [("2", &whole), ("3", &named)] {
        let unknown = program.refund(key, body).await;
        is_refused(&unknown, 409, "refund-unconfirmed");
        assert_ne!(unknown.header("retry-after"), "");
    }
    // A code that nobody has paid is known.
    let whole = json!({"order_id": waits.order_id, "amount": "all"});
    is_refused(&program.refund("4", &whole).await, 409, "order-not-paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_that_is_null_or_missing_gives_nothing_back() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let sale = paid_by_qr(&stack).await;
    for amount in [json!(null), json!(""), json!("ALL"), json!(0), json!(true)] {
        let body = json!({"order_id": sale.payer.order_id, "amount": amount});
        let answer = program.refund("k", &body).await;
        is_refused(&answer, 400, "bad-request");
        assert_eq!(answer.json()["field"], "amount", "{}", answer.text);
    }
    let missing = program
        .refund("k", &json!({"order_id": sale.payer.order_id}))
        .await;
    is_refused(&missing, 400, "bad-request");
    assert_eq!(missing.json()["field"], "amount", "{}", missing.text);
    assert!(stack.seen("DELETE").await.is_empty());
}
