//! A program of the shop, which sends an API key.

use crate::contract;
use crate::support::payer::Answer;
use crate::support::program::command_beside;
use crate::support::stack::Stack;
use reqwest::{Client, Method};
use serde_json::Value;
use std::process::Output;

pub(crate) struct ShopProgram {
    client: Client,
    base: String,
    pub(crate) secret: String,
}

/// Runs `merchant-backend key` with these arguments, beside the running server.
pub(crate) async fn key_command(stack: &Stack, arguments: &[&str]) -> Output {
    run(stack, arguments, None).await
}

async fn run(stack: &Stack, arguments: &[&str], stores: Option<&str>) -> Output {
    let mut command = command_beside(stack);
    command.arg("key").args(arguments);
    if let Some(stores) = stores {
        command
            .env_remove("MERCHANT_CODE")
            .env("STORES_FILE", stores);
    }
    let run = tokio::task::spawn_blocking(move || command.output().unwrap());
    run.await.unwrap()
}

impl ShopProgram {
    /// A program whose key was just made, with these further arguments.
    pub(crate) async fn with_key(stack: &Stack, name: &str, arguments: &[&str]) -> Self {
        let arguments = [&["new", "--name", name], arguments].concat();
        Self::new(stack, key_command(stack, &arguments).await)
    }

    fn new(stack: &Stack, output: Output) -> Self {
        assert!(output.status.success(), "{output:?}");
        let secret = String::from_utf8(output.stdout).unwrap();
        Self {
            client: stack.client.clone(),
            base: stack.base(),
            secret: secret.trim_end().to_owned(),
        }
    }

    /// A program of one of the stores in `stores.toml`, which may do everything.
    pub(crate) async fn of_store(stack: &Stack, code: &str) -> Self {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/payments/stores.toml");
        let arguments = [
            "new",
            "--name",
            code,
            "--may",
            "order,read,cancel,refund,resend",
            "--merchant-code",
            code,
        ];
        Self::new(stack, run(stack, &arguments, Some(file)).await)
    }

    /// A program that may do everything.
    pub(crate) async fn of(stack: &Stack) -> Self {
        Self::with_key(stack, "erp", &["--may", "order,read,cancel,refund,resend"]).await
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let url = format!("{}/shop{path}", self.base);
        let mut request = self.client.request(method, url).bearer_auth(&self.secret);
        if !body.is_empty() {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        contract::send(&self.client, request, body).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], "").await
    }

    /// The order as the server knows it.
    pub(crate) async fn order(&self, order_id: &str) -> Value {
        let answer = self.get(&format!("/orders/{order_id}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    /// Closes the order; returns the status and the result.
    pub(crate) async fn cancel(&self, order_id: &str) -> (u16, String) {
        let path = format!("/orders/{order_id}/cancel");
        let answer = self.send(Method::POST, &path, &[], "").await;
        let result = answer.json()["result"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        (answer.status, result)
    }

    pub(crate) async fn refund(&self, key: &str, body: &Value) -> Answer {
        let key = format!("\"{key}\"");
        let headers = [("idempotency-key", key.as_str())];
        self.send(Method::POST, "/refunds", &headers, &body.to_string())
            .await
    }
}
