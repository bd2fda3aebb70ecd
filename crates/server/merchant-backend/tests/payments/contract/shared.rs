//! The refusals that all addresses share, tested at each address that lists them.

use super::document::DOCUMENT;
use super::slow;
use crate::support::accounts::PASSWORD;
use crate::support::database::tamper;
use crate::support::payer::{Answer, Payer};
use crate::support::roles::refunder;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// An operation of the file with one of its addresses.
struct Address<'a> {
    method: Method,
    path: String,
    operation: &'a Value,
}

fn addresses() -> Vec<Address<'static>> {
    let paths = DOCUMENT.root["paths"].as_object().unwrap().iter();
    let addresses = paths.flat_map(|(template, item)| {
        let parts = template.split('/');
        let parts = parts.map(|part| if part.starts_with('{') { "x" } else { part });
        let path = parts.collect::<Vec<_>>().join("/");
        item.as_object()
            .unwrap()
            .iter()
            .map(move |(method, operation)| Address {
                method: method.to_ascii_uppercase().parse().unwrap(),
                path: path.clone(),
                operation,
            })
    });
    addresses.collect()
}

impl Address<'_> {
    fn lists(&self, status: &str) -> bool {
        self.operation["responses"].get(status).is_some()
    }

    /// The body of the file's example; the account that signs in is one of the tests'.
    fn body(&self) -> String {
        let example = &self.operation["requestBody"]["content"]["application/json"]["example"];
        match self.operation["operationId"].as_str() {
            Some("signIn") => json!({"name": "ana", "password": PASSWORD}).to_string(),
            _ if example.is_null() => String::new(),
            _ => example.to_string(),
        }
    }

    async fn ask(&self, known: &Known, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut all = vec![
            ("idempotency-key", "\"k\""),
            ("authorization", known.authorization.as_str()),
        ];
        all.extend(headers);
        known
            .payer
            .send(self.method.clone(), &self.path, &all, body)
            .await
    }

    fn is(&self, answer: &Answer, status: u16, problem: &str) {
        let came = (answer.status, answer.problem());
        let wanted = (status, problem.to_owned());
        assert_eq!(came, wanted, "{} {}", self.method, self.path);
    }
}

/// A client that every address knows: a browser with a payer's session and a signed-in member of staff, which
/// sends an API key.
struct Known {
    payer: Payer,
    authorization: String,
}

async fn known(stack: &Stack) -> Known {
    let staff = refunder(stack).await;
    let mut payer = stack.payer().await;
    payer.cookie = format!("{}; {}", payer.cookie, staff.cookie);
    let program = ShopProgram::of(stack).await;
    Known {
        payer,
        authorization: format!("Bearer {}", program.secret),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_address_refuses_other_sites_and_bodies_as_it_lists() {
    let stack =
        Stack::start_with(|config| config.timing.body_timeout = Duration::from_millis(200)).await;
    let known = known(&stack).await;
    for address in addresses() {
        let body = address.body();
        if address.method != Method::GET {
            let cross = [("sec-fetch-site", "cross-site")];
            let answer = address.ask(&known, &cross, &body).await;
            address.is(&answer, 403, "cross-site-request");
        }
        let takes_json = address.lists("415");
        assert_eq!(
            takes_json,
            address.lists("408") && address.lists("413"),
            "{}",
            address.path
        );
        if takes_json {
            let text = [("content-type", "text/plain")];
            let answer = address.ask(&known, &text, &body).await;
            address.is(&answer, 415, "unsupported-media-type");
            let answer = address.ask(&known, &[], &" ".repeat(70_000)).await;
            address.is(&answer, 413, "body-too-large");
            let headers = [("authorization", known.authorization.as_str())];
            let answer = slow(&known.payer, &address.path, &headers).await;
            address.is(&answer, 408, "body-timeout");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_address_says_that_the_database_is_away_as_it_lists() {
    let stack = Stack::start().await;
    let known = known(&stack).await;
    // Nothing answers at its address any more, as far as the server can tell.
    stack.backend().stop().await;
    for address in addresses().iter().filter(|address| address.lists("500")) {
        let answer = address.ask(&known, &[], &address.body()).await;
        address.is(&answer, 503, "not-ready");
        assert!(!answer.header("retry-after").is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_address_says_that_the_server_failed_as_it_lists() {
    let stack = Stack::start().await;
    let known = known(&stack).await;
    for table in ["orders", "staff_sessions", "api_keys"] {
        let sql = format!("ALTER TABLE {table} RENAME TO {table}_gone");
        tamper(&stack, &sql).await;
    }
    for address in addresses().iter().filter(|address| address.lists("500")) {
        let answer = address.ask(&known, &[], &address.body()).await;
        address.is(&answer, 500, "internal");
    }
}
