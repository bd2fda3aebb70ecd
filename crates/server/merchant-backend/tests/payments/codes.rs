//! The QR of the payment service is read before a payer sees it.

use crate::metrics::{figures, value};
use crate::support::fault::Fault;
use crate::support::page_visitor::PageVisitor;
use crate::support::payer::Answer;
use crate::support::roles::refunder;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::until;
use reqwest::Method;
use serde_json::{Value, json};

/// The next code has wrong what this word says.
async fn with_wrong(stack: &Stack, wrong: &str) {
    stack.with_fault(Fault::qr(wrong)).await;
}

fn must_be_refused(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (422, "code-refused"),
        "{}",
        answer.text
    );
    let body = answer.json();
    assert_eq!(body["money"], "nothing_charged");
    assert_eq!(body["messages"].as_array().unwrap().len(), 3);
    assert!(!answer.text.contains("image/png"));
}

/// The number of the last operation at the payment service.
async fn last_number(stack: &Stack) -> String {
    let posts = stack.seen("POST").await;
    let number = &posts.last().unwrap()["merchant_operation_number"];
    number.as_str().unwrap().to_owned()
}

fn picture(answer: &Answer) -> String {
    let response = &answer.json()["transaction"]["processor_response"];
    response["qr_image"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_is_not_for_its_order_reaches_nobody_and_is_cancelled() {
    let stack = Stack::start().await;
    let staff = refunder(&stack).await;
    for (wrong, says) in [
        ("checksum", "checksum"),
        ("currency", "another currency"),
        ("amount", "another amount"),
    ] {
        let payer = stack.payer().await;
        with_wrong(&stack, wrong).await;
        must_be_refused(&payer.pay_by_qr("k").await);
        let number = last_number(&stack).await;
        // Neither a repeated key nor another tab or device gets it.
        must_be_refused(&payer.pay_by_qr("k").await);
        let status = payer.status(&number).await;
        assert!(!status.text.contains("image/png"), "{}", status.text);
        let live = payer.live().await;
        assert_eq!(live.status, 204, "{}", live.text);
        until("the cancellation", async || {
            stack.state_of(&number).await == "CANCELADO"
        })
        .await;
        let details = staff.details(&number).await;
        let wrong = details.exceptions.iter();
        let wrong: Vec<_> = wrong
            .filter(|one| one.kind.as_str() == "wrong_code")
            .collect();
        let detail = wrong[0].detail.as_str();
        assert!(
            detail.contains(says) && detail.contains("nobody saw it"),
            "{detail}"
        );
        // The next code is right.
        with_wrong(&stack, "no_name").await;
        assert_eq!(payer.pay_by_qr("again").await.status, 200);
    }
    let text = figures(&stack).await;
    assert_eq!(value(&text, "payments_codes_total{says=\"wrong\"}"), 3.0);
    assert_eq!(value(&text, "payments_codes_total{says=\"right\"}"), 3.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_that_are_right_or_of_another_form_or_unreadable_are_shown() {
    let stack = Stack::start().await;
    let staff = refunder(&stack).await;
    let damaged = "data:image/png;base64,iVBORw0KGgo=";
    for fault in [
        Fault::qr("no_name"),
        Fault::qr("other_form"),
        Fault::replace("/transaction/processor_response/qr_image", damaged).on("POST", "/charges"),
    ] {
        let payer = stack.payer().await;
        stack.with_fault(fault.clone()).await;
        let code = payer.pay_by_qr("k").await;
        assert_eq!(code.status, 200, "{fault} {}", code.text);
        let note = staff.details(&code.number()).await.trouble;
        let is_unread = fault.to_string().contains("replace");
        assert_eq!(note.is_some(), is_unread, "{fault} {note:?}");
    }
    let text = figures(&stack).await;
    for says in ["right", "unknown", "unreadable"] {
        let line = format!("payments_codes_total{{says=\"{says}\"}}");
        assert_eq!(value(&text, &line), 1.0, "{says}");
    }
    assert!(staff.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_name_in_a_code_is_what_its_payer_is_told_to_look_for() {
    let stack = Stack::start().await;
    let form = json!({"qr_form": "emvco"});
    stack
        .control(Method::PUT, "/sandbox/settings", Some(form))
        .await;
    let payer = stack.payer().await;
    let code = payer.pay_by_qr("k").await;
    let name = |transaction: &Value| transaction["processor_response"]["payee_name"].clone();
    // The sandbox has no other name for the payee.
    assert_eq!(name(&code.json()["transaction"]), MERCHANT);
    let status = payer.status(&code.number()).await.json();
    assert_eq!(name(&status["operation"]["transactions"][0]), MERCHANT);
    let text = figures(&stack).await;
    assert_eq!(value(&text, "payments_codes_total{says=\"right\"}"), 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_setting_refuses_what_could_not_be_judged() {
    let stack = Stack::start_with(|config| {
        config.refused_codes = merchant_backend::RefusedCodes::read("unknown, unreadable").unwrap();
    })
    .await;
    let staff = refunder(&stack).await;
    let payer = stack.payer().await;
    must_be_refused(&payer.pay_by_qr("k").await);
    let number = last_number(&stack).await;
    let found = staff.exceptions().await;
    assert!(
        found.contains(&("wrong_code".to_owned(), number)),
        "{found:?}"
    );
    // It reports a wrong one without refusing it.
    with_wrong(&stack, "amount").await;
    let other = stack.payer().await;
    let shown = other.pay_by_qr("k").await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    let found = ("wrong_code".to_owned(), shown.number());
    assert!(staff.exceptions().await.contains(&found));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_picture_of_a_query_does_not_replace_the_one_that_was_read() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let code = payer.pay_by_qr("k").await;
    let other = json!({"qr_image": "data:image/png;base64,AA==", "qr_id": "7"});
    let place = "/operation/transactions/0/processor_response";
    stack
        .with_fault(Fault::replace(place, other).on("GET", "*").always())
        .await;
    let status = payer.status(&code.number()).await.json();
    let shown = &status["operation"]["transactions"][0]["processor_response"];
    assert_eq!(shown["qr_image"], picture(&code));
}

#[tokio::test(flavor = "multi_thread")]
async fn three_refused_codes_in_a_row_end_the_offer_until_staff_say_so() {
    let stack = Stack::start().await;
    let staff = refunder(&stack).await;
    let refuse = async || {
        let payer = stack.payer().await;
        with_wrong(&stack, "amount").await;
        must_be_refused(&payer.pay_by_qr("k").await);
    };
    // A right code begins the count anew.
    refuse().await;
    let first = last_number(&stack).await;
    refuse().await;
    stack.with_fault(Fault::qr("no_name")).await;
    assert_eq!(stack.payer().await.pay_by_qr("k").await.status, 200);
    for _ in 0..3 {
        refuse().await;
    }
    let payer = stack.payer().await;
    let refused = payer.pay_by_qr("k").await;
    assert_eq!(refused.problem(), "method-not-offered", "{}", refused.text);
    assert_eq!(refused.json()["reason"], "setting");
    assert_eq!(payer.live().await.json()["methods"], json!(["INSTALLMENT"]));
    let posts = stack.seen("POST").await.len();
    assert_eq!(posts, 6, "nothing was made");

    let number = last_number(&stack).await;
    until("the cancellation", async || {
        stack.state_of(&number).await == "CANCELADO"
    })
    .await;
    // What staff say of a code from before the last right one changes nothing.
    assert_eq!(staff.resolve("wrong_code", &first).await.status, 204);
    assert_eq!(payer.live().await.status, 200);
    let resolved = staff.resolve("wrong_code", &number).await;
    assert_eq!(resolved.status, 204, "{}", resolved.text);
    assert_eq!(payer.live().await.status, 204);
    assert_eq!(payer.pay_by_qr("k").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_without_scripts_says_that_a_code_was_refused() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let order = json!({"order_id": "A-1", "amount": 38_700, "currency": "PEN"}).to_string();
    let given = program.send(Method::POST, "/orders", &[], &order);
    let visitor = PageVisitor::at(given.await.json()["pay_url"].as_str().unwrap());
    with_wrong(&stack, "amount").await;
    let refused = visitor.choose(&visitor.look().await, "QR").await;
    assert_eq!(refused.status, 422);
    assert!(refused.says("not for your order"), "{}", refused.html);
    // Its payer has not seen a code that could have been cancelled.
    let number = last_number(&stack).await;
    until("the cancellation", async || {
        stack.state_of(&number).await == "CANCELADO"
    })
    .await;
    assert!(!visitor.look().await.says("was canceled"));
    assert!(!refused.says("image/png"), "{}", refused.html);
}
