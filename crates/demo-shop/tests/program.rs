//! The program as a merchant starts it.

#![allow(
    clippy::unwrap_used,
    reason = "what is unexpected fails the test that meets it"
)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_demo-shop"));
    command.env_clear();
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Starts a store of this currency and returns the output of the program.
fn with_a_store_in(currency: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let stores = folder.path().join("stores.toml");
    let store = "[[store]]\nkey = \"far\"\nmerchant_code = \"far\"\nmerchant_name = \"Far\"\n";
    std::fs::write(&stores, format!("{store}currency = \"{currency}\"\n")).unwrap();
    program()
        .env("BACKEND_LISTEN", "127.0.0.1:0")
        .env("PUBLIC_URL", "http://127.0.0.1:8081/api")
        .env("DATABASE", folder.path().join("shop.db"))
        .env("PAYMENT_URL", "http://127.0.0.1:8082")
        .env("PAYMENT_TOKEN", "token")
        .env("STORES_FILE", &stores)
        .env("COOKIE_KEY", "0123456789abcdef0123456789abcdef")
        .output()
        .unwrap()
}

#[test]
fn a_store_without_prices_is_said_at_the_start() {
    let ended = with_a_store_in("EUR");
    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(
        text(&ended.stderr),
        "STORES_FILE: the store `far` sells in EUR, in which the catalog has no prices; use PEN or USD.\n"
    );
    // The server refuses an unknown currency itself.
    let ended = with_a_store_in("EURO");
    assert_eq!(ended.status.code(), Some(2));
    let wrong = text(&ended.stderr);
    assert!(wrong.contains("`currency` must be a code"), "{wrong}");
}

#[test]
fn it_has_the_commands_of_the_server() {
    let mut child = program()
        .arg("hash-password")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "a long password").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("$argon2id$"));
    let version = program().arg("--version").output().unwrap();
    assert!(text(&version.stdout).starts_with("demo-shop "));
    let purged = program().args(["purge", "--older-than", "1"]).output();
    let wrong = text(&purged.unwrap().stderr);
    assert!(wrong.starts_with("DATABASE is missing"), "{wrong}");
}
