//! `merchant-backend check`.

use crate::support::database::is_server;
use crate::support::event_receiver::Receiver;
use crate::support::program::merchant_backend;
use crate::support::stack::{MERCHANT, ORDERS_SECRET, Stack, TOKEN};
use std::process::{Command, Output};

/// A stopped stack keeps its socket, where a request would wait.
const NOBODY: (&str, &str) = ("PUBLIC_URL", "http://127.0.0.1:1/api");

/// Runs the command with the settings of a stack, and some others.
async fn check(stack: &Stack, others: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = merchant_backend();
    command.arg("check");
    told_by(command, stack, others).await
}

async fn told_by(
    mut command: Command,
    stack: &Stack,
    others: &[(&str, &str)],
) -> (Option<i32>, String) {
    command
        .env("BACKEND_LISTEN", "127.0.0.1:0")
        .env("PUBLIC_URL", stack.base())
        .env("DATABASE", &stack.database)
        .env("PAYMENT_URL", &stack.sandbox)
        .env("PAYMENT_TOKEN", TOKEN)
        .env("MERCHANT_CODE", MERCHANT)
        .env("COOKIE_KEY", "canary-0123456789abcdef0123456789")
        .envs(others.iter().copied());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap());
    let Output {
        status,
        stdout,
        stderr,
    } = output.await.unwrap();
    let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
    assert!(!text.contains("canary"), "{text}");
    (status.code(), text)
}

#[tokio::test(flavor = "multi_thread")]
async fn check_finds_a_working_server_good_and_changes_nothing() {
    let mut stack = Stack::start().await;
    let secret = [("ORDERS_SECRET", ORDERS_SECRET)];
    let current = " has the schema of this version\n";
    // A server may have other nodes at work at any time.
    let in_use = if is_server() {
        current
    } else {
        "merchant.db is in use by a server\n"
    };
    let (code, text) = check(&stack, &secret).await;
    assert_eq!(code, Some(0), "{text}");
    for line in [
        "good  settings: every setting can be read\n",
        "note  settings: REDIRECT_ALLOW is empty",
        "good  BACKEND_LISTEN: 127.0.0.1:0 is free\n",
        in_use,
        "answers, and takes the access token\n",
        "good  PUBLIC_URL: a server answers at ",
        "good  orders: orders come signed by the shop\n",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    assert!(!text.contains("WRONG"), "{text}");

    stack.stop().await;
    let (code, text) = check(&stack, &[NOBODY]).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(current), "{text}");
    let elsewhere = stack.directory.path().join("new.db");
    let (code, text) = check(&stack, &[NOBODY, ("DATABASE", elsewhere.to_str().unwrap())]).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("new.db will be made at the first start\n"),
        "{text}"
    );
    assert!(
        text.contains("note  PUBLIC_URL: the addresses of this server are not at "),
        "{text}"
    );
    let left = std::fs::read_dir(stack.directory.path()).unwrap();
    let left = left.filter(|file| {
        let name = file.as_ref().unwrap().file_name();
        name.to_str().unwrap().starts_with("new")
    });
    assert_eq!(left.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn check_reports_each_mistake_in_words() {
    let mut stack = Stack::start().await;
    stack.stop().await;
    let broken = stack.directory.path().join("broken.db");
    std::fs::write(&broken, "this is no database, however long it may be").unwrap();
    let broken = broken.to_str().unwrap().to_owned();
    let events = "canary-0123456789abcdef0123456789";
    let shop = format!("{}/sandbox/operations/{{order_id}}", stack.sandbox);
    for (mut settings, wrong) in [
        (
            vec![("PAYMENT_TOKEN", "canary-wrong")],
            "WRONG PAYMENT_TOKEN: the payment service",
        ),
        (
            vec![("PAYMENT_URL", "http://127.0.0.1:1")],
            "WRONG PAYMENT_URL: the payment service at http://127.0.0.1:1/ cannot be reached",
        ),
        (
            vec![("DATABASE", broken.as_str())],
            "cannot be opened (error returned from database: (code: 26) file is not a database)",
        ),
        (
            vec![("DATABASE", "/nowhere/at/all.db")],
            "WRONG DATABASE: /nowhere/at/all.db cannot be opened",
        ),
        (
            vec![("BACKEND_LISTEN", "203.0.113.1:80")],
            "WRONG BACKEND_LISTEN: 203.0.113.1:80 cannot be listened on",
        ),
        (
            vec![
                ("EVENTS_URL", "http://127.0.0.1:1/canary"),
                ("EVENTS_SECRET", events),
            ],
            "WRONG EVENTS_URL: 127.0.0.1 cannot be reached",
        ),
        (
            vec![
                ("ORDERS_URL", "http://127.0.0.1:1/{order_id}"),
                ("ORDERS_SECRET", events),
            ],
            "WRONG ORDERS_URL: about an order of an invented id, the shop gave no answer",
        ),
        (vec![("COOKIE_KEY", "canary")], "COOKIE_KEY is too short"),
    ] {
        settings.push(NOBODY);
        let (code, text) = check(&stack, &settings).await;
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(wrong), "{wrong} is not in {text}");
    }
    let (code, text) = check(
        &stack,
        &[
            NOBODY,
            ("ORDERS_URL", &shop),
            ("ORDERS_SECRET", ORDERS_SECRET),
        ],
    )
    .await;
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("good  ORDERS_URL: the shop answers"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_at_the_address_is_not_taken_for_the_payment_service() {
    let stack = Stack::start().await;
    let other = Receiver::start().await;
    let (_, text) = check(&stack, &[("PAYMENT_URL", &other.url())]).await;
    assert!(!text.contains("takes the access token"), "{text}");
    let noted = "answers with status 404 and without a message of the payment service";
    assert!(text.contains(noted), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn check_raises_the_limit_of_open_files_and_says_when_it_stays_too_low() {
    let stack = Stack::start().await;
    let limited = async |limit: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{limit} && exec \"$0\" check")]);
        command.arg(merchant_backend().get_program());
        told_by(command, &stack, &[("MAX_CONNECTIONS", "150")]).await
    };
    let (code, text) = limited("ulimit -S -n 200").await;
    assert!(
        code == Some(0) && !text.contains("MAX_CONNECTIONS"),
        "{text}"
    );
    let (code, text) = limited("ulimit -n 200").await;
    let told = "note  settings: MAX_CONNECTIONS is 150, for which the process needs 250 open files, and the system permits 200: raise the limit";
    assert!(code == Some(0) && text.contains(told), "{text}");
}
