//! API keys, made and ended by the command beside the running server.

use crate::support::database::values;
use crate::support::payer::Answer;
use crate::support::sales::waiting_qr;
use crate::support::shop_program::{ShopProgram, key_command};
use crate::support::stack::Stack;
use reqwest::Method;
use serde_json::json;

fn is_refused(answer: &Answer, status: u16, problem: &str) {
    let came = (answer.status, answer.problem());
    assert_eq!(came, (status, problem.to_owned()), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_in_force_at_once_and_until_it_is_ended_while_another_one_is() {
    let stack = Stack::start().await;
    let (payer, _) = waiting_qr(&stack).await;
    let path = format!("/orders/{}", payer.order_id);
    let old = ShopProgram::of(&stack).await;
    assert_eq!(old.get(&path).await.status, 200);
    let new = ShopProgram::with_key(&stack, "erp-2", &["--may", "read"]).await;
    assert_eq!(old.get(&path).await.status, 200);
    let ended = key_command(&stack, &["end", "--name", "erp"]).await;
    assert!(ended.status.success());
    is_refused(&old.get(&path).await, 401, "api-key-required");
    assert_eq!(new.get(&path).await.status, 200);

    let listed = key_command(&stack, &["list"]).await;
    let listed = String::from_utf8(listed.stdout).unwrap();
    let lines: Vec<_> = listed.lines().collect();
    assert!(
        lines[0].starts_with("erp-2  store shop-1  may read"),
        "{listed}"
    );
    assert!(lines[0].ends_with("in force"), "{listed}");
    assert!(lines[1].contains("  ended "), "{listed}");
    assert!(!listed.contains(&new.secret));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_made_and_ended_on_record() {
    let stack = Stack::start().await;
    let arguments = ["--may", "read,refund", "--refund-limit", "5000"];
    let program = ShopProgram::with_key(&stack, "erp", &arguments).await;
    // Neither a name that is taken nor one that no key has changes anything.
    let again = ["new", "--name", "erp", "--may", "read"];
    key_command(&stack, &again).await;
    for name in ["other", "erp", "erp"] {
        key_command(&stack, &["end", "--name", name]).await;
    }
    let sql = "SELECT staff || ': ' || action || ' ' || detail FROM audit ORDER BY id";
    let records: Vec<String> = values(&stack, sql).await;
    assert_eq!(
        records,
        [
            "key (command): make-key erp of the store shop-1, which may read,refund; refunds: 5000 cents at once, 50000 cents a day",
            "key (command): end-key erp",
        ]
    );
    assert!(!records[0].contains(&program.secret));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_about_keys_says_what_is_wrong() {
    let stack = Stack::start().await;
    ShopProgram::of(&stack).await;
    for (arguments, said) in [
        (
            &["new", "--name", "erp", "--may", "read"][..],
            "has or had the name `erp`",
        ),
        (
            &["new", "--name", "a b", "--may", "read"],
            "1 to 64 letters",
        ),
        (
            &["new", "--name", "a", "--may", "write"],
            "give order, read, cancel, refund or resend",
        ),
        (
            &[
                "new",
                "--name",
                "a",
                "--may",
                "read",
                "--merchant-code",
                "other",
            ],
            "`other` is no store of this server; the stores are shop-1",
        ),
        (
            &["end", "--name", "nothing"],
            "there is no key `nothing` in force",
        ),
    ] {
        let output = key_command(&stack, arguments).await;
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.contains(said), "{text}");
        assert!(output.stdout.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_a_key_in_force_is_refused_like_one_with_a_wrong_key() {
    let stack = Stack::start().await;
    let (payer, _) = waiting_qr(&stack).await;
    let path = format!("/shop/orders/{}", payer.order_id);
    for headers in [
        &[][..],
        &[("authorization", "Bearer shopkey_wrong")],
        &[("authorization", "Bearer wrong")],
        &[("authorization", "Basic c2hvcGtleQ==")],
    ] {
        let answer = payer.send(Method::GET, &path, headers, "").await;
        is_refused(&answer, 401, "api-key-required");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_in_a_browser_cannot_use_a_key() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let (payer, _) = waiting_qr(&stack).await;
    let path = format!("/orders/{}", payer.order_id);
    // A page leaves the origin out of a GET to its own one, and the browser says where it comes from.
    for header in [
        ("origin", "https://shop.example"),
        ("origin", "https://pages.example"),
        ("origin", "null"),
        ("sec-fetch-site", "same-origin"),
        ("sec-fetch-site", "none"),
    ] {
        let headers = [header];
        let answer = program.send(Method::GET, &path, &headers, "").await;
        is_refused(&answer, 403, "cross-site-request");
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_does_what_it_may_and_nothing_else() {
    let stack = Stack::start().await;
    let (payer, _) = waiting_qr(&stack).await;
    let reader = ShopProgram::with_key(&stack, "reader", &["--may", "read"]).await;
    let refund = json!({"order_id": payer.order_id, "amount": "all"});
    let answer = reader.refund("k", &refund).await;
    is_refused(&answer, 403, "api-key-permission");
    assert_eq!(answer.json()["permission"], "refund");
    let refunder = ShopProgram::with_key(&stack, "refunder", &["--may", "refund"]).await;
    let answer = refunder.get(&format!("/orders/{}", payer.order_id)).await;
    is_refused(&answer, 403, "api-key-permission");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_used_too_often_waits_and_another_one_does_not() {
    let stack = Stack::start_with(|config| config.timing.api_requests_per_minute = 2).await;
    let (payer, _) = waiting_qr(&stack).await;
    let path = format!("/orders/{}", payer.order_id);
    let program = ShopProgram::of(&stack).await;
    for _ in 0..2 {
        assert_eq!(program.get(&path).await.status, 200);
    }
    let answer = program.get(&path).await;
    is_refused(&answer, 429, "too-many-requests");
    assert_ne!(answer.header("retry-after"), "");
    let other = ShopProgram::with_key(&stack, "other", &["--may", "read"]).await;
    assert_eq!(other.get(&path).await.status, 200);
}
