use crate::contract;
use crate::support::database::tamper;
use crate::support::payer::Answer;
use crate::support::program::{Program, free_port};
use crate::support::roles::{self, limited_refunder, refunder, second_refunder};
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::until_some;
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

async fn sign_in(stack: &Stack, body: &serde_json::Value, headers: &[(&str, &str)]) -> Answer {
    let url = format!("{}/staff/session", stack.base());
    let mut request = stack.client.post(url);
    request = request.header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    contract::send(&stack.client, request, &body.to_string()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_addresses_need_a_sign_in() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    let operation = format!("/staff/charges/shop-1/{number}");
    let paths = [
        (Method::GET, "/staff/session".to_owned()),
        (Method::GET, "/staff/operations".to_owned()),
        (Method::GET, "/staff/operations.csv".to_owned()),
        (Method::GET, format!("/staff/operations/shop-1/{number}")),
        (Method::GET, "/staff/exceptions".to_owned()),
        (Method::POST, "/staff/exceptions/resolve".to_owned()),
        (Method::GET, format!("{operation}/-")),
        (Method::DELETE, operation),
        (Method::POST, "/staff/refund".to_owned()),
        (Method::GET, format!("/staff/refund/shop-1/{number}")),
        (Method::POST, "/staff/refund-attempts/a/release".to_owned()),
        (Method::POST, "/staff/returns".to_owned()),
        (Method::GET, "/staff/links".to_owned()),
        (Method::POST, "/staff/links".to_owned()),
        (Method::GET, "/staff/links/shop-1/a".to_owned()),
        (Method::POST, "/staff/links/shop-1/a/end".to_owned()),
        (Method::GET, "/staff/news".to_owned()),
    ];
    for (method, path) in paths {
        let body = if method == Method::POST { "{}" } else { "" };
        // The payer's own cookie is not valid here.
        let answer = payer.send(method.clone(), &path, &[], body).await;
        assert_eq!(answer.status, 401, "{method} {path}");
        assert_eq!(answer.problem(), "sign-in-required");
        let forged = [("cookie", "staff_session=AAAAAAAAAAAAAAAAAAAAAA")];
        let answer = payer.send(method, &path, &forged, body).await;
        assert_eq!(answer.problem(), "sign-in-required", "{path}");
    }
    assert!(stack.seen("DELETE").await.is_empty());
    // And the cookie of staff opens no payer's order.
    let refunder = refunder(&stack).await;
    let order = format!("/../orders/{}", payer.order_id);
    assert_eq!(refunder.get(&order).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_answers_the_permissions_and_signing_out_ends_the_session() {
    let stack = Stack::start().await;
    let limited_refunder = limited_refunder(&stack).await;
    let session = limited_refunder.get("/session").await.json();
    assert_eq!(session["name"], "leo");
    assert_eq!(session["permissions"], json!(["refund"]));
    assert_eq!(session["refund_limit"], 1000);
    assert_eq!(session["merchant_codes"], json!(["shop-1"]));
    assert_eq!(session["time_zone"], "America/Lima");
    let answer = limited_refunder
        .send(Method::DELETE, "/session", None, None)
        .await;
    assert_eq!(answer.status, 204);
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    // The old cookie is not valid, though a browser may have kept it.
    assert_eq!(
        limited_refunder.get("/session").await.problem(),
        "sign-in-required"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_survives_a_restart_and_ends_with_its_account() {
    let mut stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    stack.restart().await;
    assert_eq!(refunder.get("/session").await.status, 200);
    let file = stack.directory.path().join("staff.toml");
    let accounts = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, accounts.replace("\"ana\"", "\"anita\"")).unwrap();
    assert_eq!(refunder.get("/session").await.problem(), "sign-in-required");
}

/// Time passes for every session. The tests cannot set the server's clock, so they move the stored
/// instants back.
async fn pass(stack: &Stack, time: Duration) {
    let millis = time.as_millis();
    let sql = format!(
        "UPDATE staff_sessions SET created_at = created_at - {millis}, used_at = used_at - {millis}"
    );
    tamper(stack, &sql).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_an_hour_without_use_ends_a_session() {
    let stack = Stack::start().await;
    let (refunder, second_refunder) = (refunder(&stack).await, second_refunder(&stack).await);
    // A session that is used stays, for longer than half an hour in all.
    for _ in 0..2 {
        pass(&stack, Duration::from_mins(29)).await;
        assert_eq!(refunder.get("/session").await.status, 200);
    }
    // The other one had no request meanwhile.
    assert_eq!(
        second_refunder.get("/session").await.problem(),
        "sign-in-required"
    );
    pass(&stack, Duration::from_mins(31)).await;
    assert_eq!(
        refunder.get("/operations").await.problem(),
        "sign-in-required"
    );
    // Its end is for good, and a new sign-in begins another one.
    assert_eq!(refunder.get("/session").await.problem(), "sign-in-required");
    let refunder = roles::refunder(&stack).await;
    assert_eq!(refunder.get("/session").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_hours_end_a_session_that_is_always_in_use() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let quarter = Duration::from_mins(15);
    for _ in 0..31 {
        pass(&stack, quarter).await;
        assert_eq!(refunder.get("/session").await.status, 200);
    }
    pass(&stack, Duration::from_mins(14)).await;
    assert_eq!(refunder.get("/session").await.status, 200);
    pass(&stack, Duration::from_mins(2)).await;
    assert_eq!(refunder.get("/session").await.problem(), "sign-in-required");
    assert_eq!(
        refunder.refund("k", &[]).await.problem(),
        "sign-in-required"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_password_ends_every_session_of_the_account() {
    let stack = Stack::start().await;
    let (refunder, second_refunder) = (refunder(&stack).await, second_refunder(&stack).await);
    let file = stack.directory.path().join("staff.toml");
    let accounts = std::fs::read_to_string(&file).unwrap();
    let place = accounts.find("name = \"ana\"").unwrap();
    let start = place + accounts[place..].find("$argon2id").unwrap();
    let end = start + accounts[start..].find('"').unwrap();
    let other = merchant_backend::hash_password("a rotated password").unwrap();
    let changed = [&accounts[..start], &other, &accounts[end..]].concat();
    // The length differs, or the file could pass for unchanged.
    std::fs::write(&file, changed + "\n").unwrap();
    assert_eq!(refunder.get("/session").await.problem(), "sign-in-required");
    assert_eq!(second_refunder.get("/session").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_name_and_a_wrong_password_are_refused_alike_and_not_for_ever() {
    let stack = Stack::start().await;
    let nobody = json!({"name": "nobody", "password": "a canary password"});
    let wrong = json!({"name": "ana", "password": "another password"});
    let (one, two) = (
        sign_in(&stack, &nobody, &[]).await,
        sign_in(&stack, &wrong, &[]).await,
    );
    assert_eq!((one.status, one.refusal()), (two.status, two.refusal()));
    assert_eq!(two.problem(), "sign-in-refused");
    for _ in 0..7 {
        assert_eq!(sign_in(&stack, &wrong, &[]).await.status, 401);
    }
    // The right password gets the same refusal as a wrong one now.
    let right = json!({"name": "ana", "password": "a canary password"});
    let answer = sign_in(&stack, &right, &[]).await;
    assert_eq!(answer.problem(), "too-many-requests");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
    second_refunder(&stack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sites_sign_nobody_in() {
    let stack = Stack::start().await;
    let right = json!({"name": "ana", "password": "a canary password"});
    let from = [("origin", "https://evil.example")];
    assert_eq!(
        sign_in(&stack, &right, &from).await.problem(),
        "cross-site-request"
    );
    let from = [("sec-fetch-site", "cross-site")];
    assert_eq!(
        sign_in(&stack, &right, &from).await.problem(),
        "cross-site-request"
    );
    for body in [json!({}), json!({"name": "ana"}), json!([])] {
        assert_eq!(sign_in(&stack, &body, &[]).await.problem(), "bad-request");
    }
    let odd = json!({"name": "ana", "password": "x", "role": "boss"});
    let refused = sign_in(&stack, &odd, &[]).await;
    assert_eq!(
        (refused.problem().as_str(), &refused.json()["field"]),
        ("field-not-allowed", &json!("role"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_attempt_to_sign_in_leaves_a_trace_without_the_name_or_the_address() {
    let mut stack = Stack::start().await;
    let (program, payer) = Program::after_an_order(&mut stack, free_port()).await;
    let body = json!({"name": "a secret", "password": "another"}).to_string();
    let answer = payer.send(Method::POST, "/staff/session", &[], &body).await;
    assert_eq!(answer.problem(), "sign-in-refused");
    let line = until_some("the line", async || {
        let log = std::fs::read_to_string(stack.directory.path().join("log")).unwrap();
        let mut lines = log.lines();
        lines
            .find(|line| line.contains("somebody could not sign in"))
            .map(str::to_owned)
    })
    .await;
    // SHA-256 of the name, and the network of the client.
    assert!(
        line.contains("mEylFiIAc0xZIUjxggtxBX8JhXPROGZrSGY-TjDNjTo"),
        "{line}"
    );
    assert!(line.contains("127.0.0.0/24"), "{line}");
    assert!(
        !line.contains("secret") && !line.contains("127.0.0.1"),
        "{line}"
    );
    drop(program);
}
