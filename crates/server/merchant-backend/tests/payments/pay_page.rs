//! The server's own page of an order, which pays without scripts.

use crate::support::database::tamper;
use crate::support::fault::Fault;
use crate::support::order_token::{claims, seconds, sign};
use crate::support::page_visitor::{PageSeen, PageVisitor};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::wait::until;
use reqwest::Method;
use serde_json::json;

/// Both headings, of which the style sheet shows one.
const QR_HEADING: &str = "<span class=\"at-desk\">Scan with your app</span><span class=\"on-hand\">Pay from this phone</span>";

/// The page of a new order.
async fn page_of(program: &ShopProgram, id: &str) -> PageVisitor {
    let order = json!({"order_id": id, "amount": 38_700, "currency": "PEN"});
    let order = order.to_string();
    let given = program.send(Method::POST, "/orders", &[], &order).await;
    let url = given.json()["pay_url"].as_str().unwrap().to_owned();
    PageVisitor::at(&url)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_without_scripts_pays_by_qr_and_the_page_is_the_receipt() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let choice = visitor.look().await;
    assert_eq!(
        (choice.status, choice.heading()),
        (200, "How would you like to pay?")
    );
    assert!(choice.says("S/\u{a0}387.00"));
    // A look begins nothing: previews of chats and scanners of mail open links.
    assert!(stack.seen("POST").await.is_empty());
    let code = visitor.choose(&choice, "QR").await;
    assert_eq!(code.heading(), QR_HEADING);
    assert!(code.says("<img class=\"qr\" src=\"data:image/png;base64,"));
    assert!(!code.header("refresh").is_empty());
    let picture = visitor.get("/qr.png").await;
    assert_eq!(picture.header("content-type"), "image/png");
    // A double click, *Back* and a reload of the form make one operation.
    let again = visitor.choose(&choice, "QR").await;
    assert_eq!(again.number(), code.number());
    // Another look at the choice, in another tab, has another key and finds the same code.
    let other = [("key", "another-tab"), ("method", "QR")];
    let third = visitor.followed(visitor.send("", &other).await).await;
    assert_eq!(third.number(), code.number());
    assert_eq!(stack.seen("POST").await.len(), 1);
    stack.drive(&code.number(), "pay").await;
    until("the receipt", async || {
        visitor.look().await.heading() == "Payment confirmed!"
    })
    .await;
    let receipt = visitor.look().await;
    assert_eq!(receipt.number(), code.number());
    assert_eq!(receipt.header("refresh"), "");
    // The receipt has the present state, which nobody can fake.
    let full = json!({"order_id": "A-1", "amount": "all"});
    assert_eq!(program.refund("r", &full).await.status, 200);
    until("the reversal", async || {
        visitor.look().await.heading() == "Your payment was reversed"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_nobody_asked_for_yet_is_not_drawn() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let code = visitor.choose(&visitor.look().await, "QR").await;
    for purpose in ["prefetch", "prefetch;prerender"] {
        let refused = visitor.load_in_advance(purpose).await;
        assert_eq!(
            (
                refused.status,
                refused.html.as_str(),
                refused.header("refresh")
            ),
            (503, "", "")
        );
    }
    assert_eq!(visitor.look().await.number(), code.number());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_waits_has_an_address_of_its_own_and_leads_away_when_it_waits_no_more() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let choice = visitor.look().await;
    let led = async |query: &str| {
        let seen = visitor.exactly_at(&format!("?{query}")).await;
        let location = seen.header("location");
        let query = location.split_once('?').map(|(_, query)| query.to_owned());
        (seen.status, query.unwrap_or_default())
    };
    let stays = (200, String::new());
    let leads = |query: &str| (303, query.to_owned());
    assert_eq!(led("lang=en").await, stays);
    assert_eq!(led("lang=en&waits=code").await, leads("lang=en"));
    let code = visitor.choose(&choice, "QR").await;
    for (query, expected) in [
        ("lang=en&waits=code", stays.clone()),
        ("lang=en", leads("lang=en&waits=code")),
        // A lender adds this for the element.
        ("checkout=t&lang=en", leads("checkout=t&lang=en&waits=code")),
        ("checkout=t&lang=en&waits=code", stays.clone()),
        ("lang=en&waits=confirming", leads("lang=en&waits=code")),
        ("waits=code&lang=en&waits=x", stays.clone()),
    ] {
        assert_eq!(led(query).await, expected, "{query}");
    }
    stack.drive(&code.number(), "pay").await;
    until("the receipt", async || {
        led("lang=en&waits=code").await == leads("lang=en")
    })
    .await;
    assert_eq!(led("lang=en").await, stays);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_has_no_power_that_another_site_could_borrow() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let page = visitor.look().await;
    assert_eq!(page.header("set-cookie"), "");
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(page.header("x-robots-tag"), "noindex, nofollow");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    // Nothing about a person, and nothing that a script would need.
    assert!(!page.says("Canary") && !page.says("<script"));
    let code = visitor.choose(&page, "QR").await;
    assert_eq!(code.header("set-cookie"), "");
    // The session of a browser gives no right to the page, and the page none to the session.
    let stranger = stack.payer().await;
    assert_eq!(stranger.status(&code.number()).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_replaced_or_cancelled_only_by_a_payer_who_saw_it_and_agreed() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let choice = visitor.look().await;
    let code = visitor.choose(&choice, "QR").await;
    // A tab that still has the choice.
    let key = ("key", "another-tab");
    let asked = visitor.send("", &[key, ("method", "INSTALLMENT")]).await;
    assert_eq!(
        (asked.status, asked.heading()),
        (200, "You already have a QR for this order")
    );
    assert_eq!(stack.state_of(&code.number()).await, "PENDIENTE");
    let replaced = visitor.choose(&asked, "INSTALLMENT").await;
    assert_eq!(replaced.heading(), "Continue with your lender");
    assert_eq!(stack.state_of(&code.number()).await, "CANCELADO");
    assert!(replaced.says("Go to my lender"));

    let ask = visitor.get("/cancel").await;
    assert_eq!(ask.heading(), "Pay another way?");
    // A form about another code ends nothing.
    let other = code.number();
    assert_eq!(
        visitor.send("/cancel", &[("number", &other)]).await.status,
        303
    );
    assert_eq!(stack.state_of(&replaced.number()).await, "PENDIENTE");
    let number = replaced.number();
    let ended = visitor.send("/cancel", &[("number", &number)]).await;
    let choice = visitor.followed(ended).await;
    assert_eq!(choice.heading(), "How would you like to pay?");
    assert!(choice.says("was canceled"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_the_shop_brings_a_signed_order_to_its_page() {
    let stack = Stack::start_for_shop(None).await;
    let visitor = PageVisitor::at(&format!("{}/pay", stack.base()));
    let token = sign(&claims(&stack.base(), "A-1", 12_990));
    let led = visitor.send("", &[("order", &token)]).await;
    assert_eq!(led.status, 303);
    let location = led.header("location").to_owned();
    let again = visitor.send("", &[("order", &token)]).await;
    assert_eq!(again.header("location"), location);
    let path = location.split('?').next().unwrap();
    let origin = stack.base().trim_end_matches("/api").to_owned();
    let page = PageVisitor::at(&format!("{origin}{path}"));
    let code = page.choose(&page.look().await, "QR").await;
    assert_eq!(code.heading(), QR_HEADING);
    // The element on the shop's page finds the same operation.
    let body = json!({"order": token, "payment_method": {"method_name": "QR"}});
    let same = stack.browser().authorize("k", &body).await;
    assert_eq!(same.number(), code.number());

    let mut old = claims(&stack.base(), "A-2", 500);
    old["iat"] = json!(seconds() - 600);
    old["exp"] = json!(seconds() - 60);
    for form in [
        vec![("order", sign(&old))],
        vec![("order", "x".to_owned())],
        // PostgreSQL takes no such text.
        vec![("order_id", "A\0".to_owned())],
        // Nothing would be better if a form without an order came again.
        vec![("order", String::new())],
        vec![("order", sign(&old)), ("order_id", "A-2".to_owned())],
        vec![],
    ] {
        let form: Vec<_> = form
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let refused = visitor.send("", &form).await;
        assert_eq!(refused.status, 403, "{form:?}");
        assert!(refused.header("location").is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_that_a_page_does_not_have_is_a_problem_as_everywhere() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let page = page_of(&program, "A-1").await.url;
    let all = format!("{}/pay", stack.base());
    for (url, allowed) in [(page, "GET,HEAD,POST"), (all, "POST")] {
        let request = stack.client.request(Method::PUT, url);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 405);
        let headers = answer.headers();
        assert_eq!(headers["content-type"], "application/problem+json");
        assert_eq!(headers["allow"], allowed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handle_that_is_no_text_belongs_to_no_page() {
    let stack = Stack::start().await;
    let visitor = PageVisitor::at(&format!("{}/pay/%ff", stack.base()));
    for below in ["", "/cancel", "/qr.png"] {
        let seen = visitor.get(below).await;
        assert_eq!(
            (seen.status, seen.heading()),
            (404, "We could not find this payment")
        );
    }
    for (below, field) in [("", ("key", "k")), ("/cancel", ("number", "1"))] {
        let seen = visitor.send(below, &[field]).await;
        assert_eq!(
            (seen.status, seen.heading()),
            (404, "We could not find this payment")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_that_is_unknown_is_shown_as_such_and_a_second_press_charges_nothing_twice() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let choice = visitor.look().await;
    stack
        .with_fault(Fault::drop().on("POST", "/charges").after().always())
        .await;
    let failed = visitor.choose(&choice, "QR").await;
    assert_eq!(
        (failed.status, failed.heading()),
        (503, "The store has a problem")
    );
    stack.without_faults().await;
    // The background settles the doubts first.
    until("a code", async || {
        visitor.choose(&choice, "QR").await.heading() == QR_HEADING
    })
    .await;
    let code = visitor.look().await;
    // Of the codes that the service made, the payer saw one; the others are settled in the background.
    stack.drive(&code.number(), "pay").await;
    until("the receipt", async || {
        visitor.look().await.heading() == "Payment confirmed!"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_its_shop_closed_says_so_on_its_page() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let choice = visitor.look().await;
    assert_eq!(program.cancel("A-1").await.0, 200);
    assert_eq!(visitor.look().await.heading(), "This order is closed");
    let late = visitor.choose(&choice, "QR").await;
    assert_eq!(late.heading(), "This order is closed");
    assert!(stack.seen("POST").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_without_an_answer_can_be_tried_again() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let code = visitor.choose(&visitor.look().await, "QR").await;
    let lost = Fault::drop().on("DELETE", "/charges").always();
    stack.with_fault(lost).await;
    let number = code.number();
    let cancel = [("number", number.as_str())];
    let sent = visitor.send("/cancel", &cancel).await;
    assert_eq!(sent.status, 422);
    assert!(sent.says("We could not cancel this payment"));
    assert_eq!(visitor.look().await.number(), number);
    stack.without_faults().await;
    let again = visitor.send("/cancel", &cancel).await;
    let choice = visitor.followed(again).await;
    assert_eq!(choice.heading(), "How would you like to pay?");
    assert_eq!(stack.state_of(&number).await, "CANCELADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_error_says_that_nothing_was_charged_of_an_order_that_may_be_paid() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let code = visitor.choose(&visitor.look().await, "QR").await;
    stack.drive(&code.number(), "pay").await;
    stack.backend().stop().await;
    for answer in [
        visitor.look().await,
        visitor.send("", &[("key", "k"), ("method", "QR")]).await,
        visitor.send("/cancel", &[("number", &code.number())]).await,
    ] {
        assert_eq!(answer.status, 503);
        assert!(answer.says("If you have already paid, do not pay again."));
        assert!(!answer.says("not charged"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_older_than_a_restore_says_that_it_may_be_paid_and_begins_nothing() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let visitor = page_of(&program, "A-1").await;
    let fence = "INSERT INTO fence (one, at) SELECT 1, max(created_at) + 1 FROM orders";
    tamper(&stack, fence).await;
    let refused = visitor.send("", &[("key", "k"), ("method", "QR")]).await;
    let seen = (refused.status, refused.heading());
    assert_eq!(seen, (409, "This order may be paid already"));
    assert!(refused.says("Before you pay, ask the store"));
    assert!(stack.seen("POST").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_of_a_network_are_limited_and_so_is_each_page_by_itself() {
    let stack = Stack::start_with(|config| config.timing.repetitions_per_minute = 1).await;
    let program = ShopProgram::of(&stack).await;
    let (visitor, other) = (
        page_of(&program, "A-1").await,
        page_of(&program, "A-2").await,
    );
    let too_often = |refused: &PageSeen| {
        assert_eq!(refused.status, 429);
        assert!(!refused.header("retry-after").is_empty());
        assert_eq!(refused.heading(), "The store has a problem");
    };
    let guess = PageVisitor::at(&format!("{}/pay/guess", stack.base()));
    for _ in 0..4 {
        assert_eq!(guess.look().await.status, 404);
    }
    too_often(&guess.look().await);
    // Whoever shares the address has their pages.
    for _ in 0..4 {
        assert_eq!(visitor.look().await.status, 200);
    }
    too_often(&visitor.look().await);
    assert_eq!(other.look().await.status, 200);
}
