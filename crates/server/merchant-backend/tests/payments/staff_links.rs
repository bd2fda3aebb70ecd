//! Payment links that staff make by hand.

use crate::support::accounts::SELLER;
use crate::support::database::{tamper, values};
use crate::support::fault::Fault;
use crate::support::order_token::seconds;
use crate::support::page_visitor::PageVisitor;
use crate::support::payer::Answer;
use crate::support::program::merchant_backend;
use crate::support::roles::{limited_seller, refunder, seller, usd_seller, viewer};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::StaffClient;
use crate::support::wait::{until, until_some};
use merchant_backend::MerchantStores;
use reqwest::Method;
use serde_json::{Value, json};
use staff_model::{LinkState, PaymentLink, PaymentLinks};
use std::time::Duration;

const HOUR_MS: i64 = 3_600_000;

fn in_an_hour() -> i64 {
    seconds() * 1000 + HOUR_MS
}

fn wanted(amount: u64) -> Value {
    json!({"merchant_code": MERCHANT, "amount": amount, "label": "Torta de chocolate",
        "pay_until": in_an_hour(), "customer_name": "Canary Quispe"})
}

async fn ask(client: &StaffClient, key: &str, body: &Value) -> Answer {
    client
        .send(Method::POST, "/links", Some(key), Some(body))
        .await
}

async fn make(client: &StaffClient, key: &str, body: &Value) -> PaymentLink {
    let answer = ask(client, key, body).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.read()
}

async fn end(client: &StaffClient, link: &PaymentLink) -> Answer {
    let path = format!("/links/{}/{}/end", link.merchant_code, link.order_id);
    client.send(Method::POST, &path, None, None).await
}

async fn list(client: &StaffClient) -> Vec<PaymentLink> {
    client.get("/links").await.read::<PaymentLinks>().links
}

async fn state(client: &StaffClient) -> LinkState {
    list(client).await[0].state
}

fn page(link: &PaymentLink) -> PageVisitor {
    PageVisitor::at(link.url.as_deref().unwrap())
}

/// Says what the page's script says when a browser has run it.
async fn open(stack: &Stack, link: &PaymentLink) {
    let (_, handle) = link.url.as_deref().unwrap().rsplit_once('/').unwrap();
    let browser = stack.browser();
    let answer = browser.live_of(&json!({"pay_link": handle})).await;
    assert!(matches!(answer.status, 200 | 204), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_sent_opened_paid_and_leads_to_its_operation() {
    let stack = Stack::start_with(|config| {
        config.stores = MerchantStores::one(MERCHANT.to_owned(), "Pastelería Retama".to_owned());
    })
    .await;
    let seller = seller(&stack).await;
    let link = make(&seller, "k", &wanted(12_990)).await;
    assert!(link.order_id.starts_with("link-"));
    assert_eq!((link.made_by.as_str(), link.amount.get()), (SELLER, 12_990));
    assert_eq!(link.customer_name.as_deref(), Some("Canary Quispe"));
    assert!(link.qr.is_some());
    // A preview of a chat reads the page by GET.
    let seen = page(&link).look().await;
    for text in ["Pastelería Retama", "Torta de chocolate", "129.90"] {
        assert!(seen.says(text), "{text}: {}", seen.html);
    }
    assert_eq!(state(&seller).await, LinkState::NotOpened);
    open(&stack, &link).await;
    until("opened", async || {
        state(&seller).await == LinkState::Waiting
    })
    .await;
    let waiting = page(&link).choose(&seen, "QR").await;
    let number = waiting.number();
    stack.drive(&number, "pay").await;
    until("paid", async || {
        page(&link).look().await;
        state(&seller).await == LinkState::Paid
    })
    .await;
    let receipt = page(&link).look().await;
    for text in ["Pastelería Retama", "Torta de chocolate"] {
        assert!(receipt.says(text), "{text}: {}", receipt.html);
    }
    let paid = &list(&seller).await[0];
    assert_eq!(paid.merchant_operation_number.as_ref(), Some(&number));
    let details = seller.details(&number).await;
    assert_eq!(
        details.row.order_label.as_deref(),
        Some("Torta de chocolate")
    );
    // Its end comes too late and changes nothing.
    let late = end(&seller, &link).await;
    assert_eq!(
        (late.status, late.read::<PaymentLink>().state),
        (200, LinkState::Paid)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repetition_makes_no_second_link() {
    let stack = Stack::start().await;
    let seller = seller(&stack).await;
    let body = wanted(500);
    let (one, two) = tokio::join!(make(&seller, "k", &body), make(&seller, "k", &body));
    assert_eq!((&one.order_id, &one.url), (&two.order_id, &two.url));
    let other = ask(&seller, "k", &wanted(501)).await;
    assert_eq!(
        (other.status, other.problem().as_str()),
        (422, "idempotency-key-reused")
    );
    let keyless = seller.send(Method::POST, "/links", None, Some(&body)).await;
    assert_eq!(keyless.problem(), "idempotency-key-required");
    assert_eq!(list(&seller).await.len(), 1);
    let made = values::<String>(
        &stack,
        "SELECT detail FROM audit WHERE action = 'make-link'",
    )
    .await;
    assert_eq!(made.len(), 1, "{made:?}");
    assert!(
        made[0].contains(&one.order_id) && !made[0].contains("Canary"),
        "{made:?}"
    );
    // Keys of accounts differ, though their words are the same.
    let refused = ask(&refunder(&stack).await, "k", &body).await;
    assert_eq!(refused.problem(), "permission-required");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_link_names_its_field_and_stores_nothing() {
    let stack = Stack::start().await;
    let seller = seller(&stack).await;
    let now = seconds() * 1000;
    for (field, value) in [
        ("amount", json!(0)),
        ("amount", json!(-1)),
        ("amount", json!(1.5)),
        ("label", json!("")),
        ("label", json!(" Torta")),
        ("label", json!("a\nb")),
        ("label", json!("x".repeat(41))),
        ("pay_until", json!(now - 1000)),
        ("pay_until", json!(now + 32 * 24 * HOUR_MS)),
        ("pay_until", json!("tomorrow")),
        ("customer_name", json!("x".repeat(61))),
        ("customer_name", json!("a\u{1b}b")),
        ("merchant_code", json!("elsewhere")),
        ("color", json!("red")),
    ] {
        let mut body = wanted(500);
        body[field] = value;
        let answer = ask(&seller, "k", &body).await;
        assert_eq!(
            (answer.status, &answer.json()["field"]),
            (400, &json!(field)),
            "{}",
            answer.text
        );
    }
    assert!(list(&seller).await.is_empty());
    assert_eq!(
        values::<i64>(&stack, "SELECT count(*) FROM orders").await,
        [0]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_that_no_method_takes_is_refused_before_anybody_gets_the_link() {
    let stack = Stack::start_with(|config| {
        let limits = r#"{"QR": {"PEN": {"least": 600}}, "INSTALLMENT": {"PEN": {"least": 600}}}"#;
        let store = format!(
            "[[store]]\nkey = \"a\"\nmerchant_code = \"{MERCHANT}\"\nmerchant_name = \"S\"\ncurrency = \"PEN\"\n"
        );
        let limits = limits.replace("\": ", "\" = ");
        config.stores = MerchantStores::parse(&format!("{store}limits = {limits}\n")).unwrap();
    })
    .await;
    let seller = seller(&stack).await;
    let refused = ask(&seller, "k", &wanted(599)).await;
    assert_eq!(
        (refused.status, &refused.json()["field"]),
        (400, &json!("amount")),
        "{}",
        refused.text
    );
    assert_eq!(ask(&seller, "k", &wanted(600)).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_for_a_link_and_for_a_day_and_ended_links_do_not_count() {
    let stack = Stack::start().await;
    let limited = limited_seller(&stack).await;
    let session = limited.get("/session").await.json();
    assert_eq!(
        (&session["link_limit"], &session["link_limit_a_day"]),
        (&json!(5000), &json!(8000))
    );
    let over = ask(&limited, "a", &wanted(5001)).await;
    assert_eq!(
        (over.status, over.problem().as_str()),
        (409, "link-refused")
    );
    assert_eq!(over.json()["left"], 5000);
    let first = make(&limited, "b", &wanted(5000)).await;
    assert_eq!(ask(&limited, "c", &wanted(3001)).await.json()["left"], 3000);
    // Both at once are more than the day has left.
    let body = wanted(2000);
    let (one, two) = tokio::join!(ask(&limited, "d", &body), ask(&limited, "e", &body));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    assert_eq!(end(&limited, &first).await.status, 200);
    make(&limited, "f", &wanted(5000)).await;
    tamper(
        &stack,
        "UPDATE staff_links SET created_at = created_at - 86400001",
    )
    .await;
    make(&limited, "g", &wanted(5000)).await;
    // The limits of another account are its own.
    make(&seller(&stack).await, "h", &wanted(900_000)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_gets_nothing_without_the_permission_or_of_another_store() {
    let stack = Stack::start_with(|config| {
        config.stores = MerchantStores::parse(include_str!("stores.toml")).unwrap();
    })
    .await;
    let maker = seller(&stack).await;
    let link = make(&maker, "k", &wanted(500)).await;
    let path = format!("/links/{MERCHANT}/{}", link.order_id);
    // Whoever may only look sees that there is a link, and not its address.
    for client in [viewer(&stack).await, refunder(&stack).await] {
        assert_eq!(
            ask(&client, "x", &wanted(500)).await.problem(),
            "permission-required"
        );
        assert_eq!(end(&client, &link).await.problem(), "permission-required");
        let seen = &list(&client).await[0];
        assert_eq!((seen.url.as_ref(), seen.made_by.as_str()), (None, SELLER));
        let seen: PaymentLink = client.get(&path).await.read();
        assert!(seen.url.is_none() && seen.qr.is_none());
    }
    let usd = usd_seller(&stack).await;
    assert_eq!(
        usd.get("/session").await.json()["stores"][0]["currency"],
        "840"
    );
    assert_eq!(
        ask(&usd, "k", &wanted(500)).await.json()["field"],
        "merchant_code"
    );
    assert!(list(&usd).await.is_empty());
    assert_eq!(usd.get(&path).await.status, 404);
    assert_eq!(end(&usd, &link).await.status, 404);
    // An order that no member of staff made is no link, whoever asks.
    let program = ShopProgram::of(&stack).await;
    let order = json!({"order_id": "link-A", "amount": 500, "currency": "PEN", "products": []});
    let given = program
        .send(Method::POST, "/orders", &[], &order.to_string())
        .await;
    assert_eq!(given.status, 200, "{}", given.text);
    let forged = format!("/links/{MERCHANT}/link-A");
    assert_eq!(maker.get(&forged).await.status, 404);
    let forged = format!("{forged}/end");
    assert_eq!(
        maker.send(Method::POST, &forged, None, None).await.status,
        404
    );
    assert_eq!(state(&maker).await, LinkState::NotOpened);
    let mut dollars = wanted(500);
    dollars["merchant_code"] = json!("shop-usd");
    assert_eq!(make(&usd, "k", &dollars).await.currency.as_str(), "840");
    assert_eq!(list(&usd).await.len(), 1);
    assert_eq!(list(&maker).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_link_takes_no_payment_and_its_code_is_cancelled() {
    let stack = Stack::start().await;
    let maker = seller(&stack).await;
    let link = make(&maker, "k", &wanted(500)).await;
    let seen = page(&link).look().await;
    page(&link).choose(&seen, "QR").await;
    let ended = end(&maker, &link).await;
    assert_eq!(ended.status, 200, "{}", ended.text);
    let ended: PaymentLink = ended.read();
    assert_eq!(
        (ended.state, ended.ended_by.as_deref()),
        (LinkState::Over, Some(SELLER))
    );
    assert_eq!(stack.seen("DELETE").await.len(), 1);
    // The form that the customer still has begins nothing.
    let after = page(&link).choose(&seen, "QR").await;
    assert!(!after.says("Operation number"), "{}", after.html);
    assert_eq!(end(&maker, &link).await.status, 200);
    let acts = values::<String>(
        &stack,
        "SELECT action FROM audit WHERE staff = 'kika' ORDER BY id",
    )
    .await;
    assert_eq!(acts, ["sign-in", "make-link", "end-link", "end-link"]);
    // The shop's programs learn of it as of any order.
    let program = ShopProgram::of(&stack).await;
    assert_eq!(program.order(&link.order_id).await["closed"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_over_when_its_time_is() {
    let stack = Stack::start().await;
    let maker = seller(&stack).await;
    let mut body = wanted(500);
    body["pay_until"] = json!(seconds() * 1000 + 2000);
    let link = make(&maker, "k", &body).await;
    until("over", async || state(&maker).await == LinkState::Over).await;
    assert!(list(&maker).await[0].ended_by.is_none());
    assert_eq!(page(&link).look().await.status, 200);
    // A repetition whose answer was lost gets the link that nobody would make any more.
    let again = make(&maker, "k", &body).await;
    assert_eq!(
        (again.order_id, again.state),
        (link.order_id, LinkState::Over)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_link_outlives_its_page() {
    let stack = Stack::start_with(|config| config.pay_link_age = Duration::from_hours(24)).await;
    let maker = seller(&stack).await;
    let mut body = wanted(500);
    body["pay_until"] = json!(seconds() * 1000 + 25 * HOUR_MS);
    assert_eq!(ask(&maker, "k", &body).await.json()["field"], "pay_until");
    body["pay_until"] = json!(seconds() * 1000 + 23 * HOUR_MS);
    make(&maker, "k", &body).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_a_program_ended_is_not_shown_again() {
    let stack = Stack::start().await;
    let maker = seller(&stack).await;
    let link = make(&maker, "k", &wanted(500)).await;
    let program = ShopProgram::of(&stack).await;
    let path = format!("/orders/{}/link", link.order_id);
    let renew = json!({"action": "renew"}).to_string();
    let renewed = program.send(Method::POST, &path, &[], &renew).await.json();
    let listed = list(&maker).await[0].url.clone();
    assert_eq!(listed.as_deref(), renewed["pay_url"].as_str());
    assert_eq!(page(&link).look().await.status, 404);
    let revoke = json!({"action": "revoke"}).to_string();
    program.send(Method::POST, &path, &[], &revoke).await;
    assert_eq!(list(&maker).await[0].url, None);
    // The upkeep removes what nobody can read for long.
    tamper(&stack, "DELETE FROM pay_links").await;
    assert_eq!(list(&maker).await[0].url, None);
    assert_eq!(page(&link).look().await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_with_a_code_that_may_be_paid_counts_also_after_its_end() {
    let stack = Stack::start().await;
    let limited = limited_seller(&stack).await;
    let link = make(&limited, "a", &wanted(5000)).await;
    let seen = page(&link).look().await;
    let number = page(&link).choose(&seen, "QR").await.number();
    stack
        .with_fault(Fault::drop().on("DELETE", "/charges").always())
        .await;
    let ended = end(&limited, &link).await;
    assert_eq!(ended.status, 202, "{}", ended.text);
    assert_eq!(ended.read::<PaymentLink>().state, LinkState::Waiting);
    assert_eq!(ask(&limited, "b", &wanted(5000)).await.json()["left"], 3000);
    stack.drive(&number, "pay").await;
    until("paid", async || {
        page(&link).look().await;
        state(&limited).await == LinkState::Paid
    })
    .await;
    assert_eq!(ask(&limited, "b", &wanted(5000)).await.json()["left"], 3000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_customer_leaves_nothing_of_the_request() {
    let stack = Stack::start().await;
    let maker = seller(&stack).await;
    make(&maker, "k", &wanted(500)).await;
    tamper(&stack, "UPDATE orders SET created_at = 1").await;
    let purged = merchant_backend()
        .args(["purge", "--older-than", "30"])
        .env("DATABASE", &stack.database)
        .output();
    assert!(purged.unwrap().status.success());
    assert_eq!(list(&maker).await[0].customer_name, None);
    let kept = values::<String>(&stack, "SELECT fingerprint FROM staff_links").await;
    assert_eq!(kept, [""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_read_page_by_page() {
    let stack = Stack::start().await;
    let maker = seller(&stack).await;
    for number in 0..21 {
        make(&maker, &format!("k{number}"), &wanted(500 + number)).await;
    }
    let first: PaymentLinks = maker.get("/links").await.read();
    let cursor = first.next_cursor.clone().unwrap();
    let second: PaymentLinks = maker.get(&format!("/links?cursor={cursor}")).await.read();
    let amounts: Vec<_> = first
        .links
        .iter()
        .chain(&second.links)
        .map(|one| one.amount.get())
        .collect();
    let expected: Vec<u64> = (500..521).rev().collect();
    assert_eq!(amounts, expected);
    assert_eq!((second.next_cursor, second.links.len()), (None, 1));
    for odd in ["cursor=x", "cursor=1.", "cursor=1.a%2Fb", "limit=5"] {
        let answer = maker.get(&format!("/links?{odd}")).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (400, "bad-request"),
            "{odd}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_made_after_a_restore_can_be_paid_and_an_older_one_waits_for_staff() {
    let stack = Stack::start().await;
    let maker = seller(&stack).await;
    let old = make(&maker, "old", &wanted(500)).await;
    tamper(
        &stack,
        &format!("INSERT INTO fence VALUES (1, {})", seconds() * 1000 + 1000),
    )
    .await;
    let new = until_some("after the fence", async || {
        let answer = ask(&maker, &format!("new{}", seconds()), &wanted(500)).await;
        let link: PaymentLink = answer.read();
        let seen = page(&link).look().await;
        page(&link)
            .choose(&seen, "QR")
            .await
            .says("Operation number")
            .then_some(link)
    })
    .await;
    assert_ne!(new.order_id, old.order_id);
    let seen = page(&old).look().await;
    assert!(
        !page(&old)
            .choose(&seen, "QR")
            .await
            .says("Operation number")
    );
}
