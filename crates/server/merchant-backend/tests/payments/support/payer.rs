//! A payer's browser, from the server's side.

use crate::contract;
use crate::support::wait::until;
use reqwest::header::{HeaderMap, SET_COOKIE};
use reqwest::{Client, Method};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// An order and the session that it belongs to.
#[derive(Clone)]
pub(crate) struct Payer {
    pub(crate) client: Client,
    pub(crate) base: String,
    pub(crate) cookie: String,
    pub(crate) order_id: String,
}

/// The server's answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{} {}", self.status, self.text))
    }

    /// The body as one of the types that the server shares with its clients.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{} {error} {}", self.status, self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The last part of a problem's type.
    pub(crate) fn problem(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            "application/problem+json",
            "{}",
            self.text
        );
        let body = self.json();
        assert_eq!(body["status"], self.status);
        let kind = body["type"].as_str().unwrap();
        kind.strip_prefix("urn:payment-checkout:problem:")
            .unwrap()
            .to_owned()
    }

    /// The members of a problem but the id of the trace, which each request has of its own.
    pub(crate) fn refusal(&self) -> Value {
        let mut body = self.json();
        body.as_object_mut().unwrap().remove("trace_id").unwrap();
        body
    }

    /// The number of the operation in an answer to an authorization.
    pub(crate) fn number(&self) -> String {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()["merchant_operation_number"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// The state in a status answer or in one to a cancellation.
    pub(crate) fn state(&self) -> String {
        assert_eq!(self.status, 200, "{}", self.text);
        let operation = &self.json()["operation"];
        // An operation in doubt has no transaction.
        let state = operation["transactions"][0]["state"].as_str();
        state.or(operation["state"].as_str()).unwrap().to_owned()
    }
}

pub(crate) fn qr(order_id: &str) -> Value {
    json!({"order_id": order_id, "payment_method": {"method_name": "QR", "method_details": {}}})
}

pub(crate) fn installment(order_id: &str, redirect_url: &str) -> Value {
    let details = json!({"redirect_url": redirect_url});
    json!({"order_id": order_id, "payment_method": {"method_name": "INSTALLMENT", "method_details": details}})
}

impl Payer {
    /// A browser that has no order yet.
    pub(crate) fn new(client: &Client, base: &str) -> Self {
        Self {
            client: client.clone(),
            base: base.to_owned(),
            cookie: String::new(),
            order_id: String::new(),
        }
    }

    /// Keeps the cookie of an answer as a browser does.
    pub(crate) fn keep_cookie(&mut self, answer: &Answer) {
        if let Some(cookie) = answer.headers.get(SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            self.cookie = cookie.split(';').next().unwrap().to_owned();
        }
    }

    pub(crate) async fn order(client: &Client, base: &str) -> Self {
        let mut payer = Self::new(client, base);
        payer.order_again().await;
        payer
    }

    /// Another order of the same session.
    pub(crate) async fn order_again(&mut self) {
        self.order_of(2).await;
    }

    /// Another order of the same session, of so many of one product.
    pub(crate) async fn order_of(&mut self, quantity: u32) {
        let body = json!({
            "items": [{"sku": "cafe-250", "quantity": quantity}],
            "customer": {"first_name": "Canary", "email": "canary@example.com"},
        });
        let answer = self
            .send(Method::POST, "/orders", &[], &body.to_string())
            .await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        self.keep_cookie(&answer);
        self.order_id = answer.json()["order_id"].as_str().unwrap().to_owned();
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if !self.cookie.is_empty() {
            request = request.header("cookie", &self.cookie);
        }
        let typed = headers.iter().any(|(name, _)| *name == "content-type");
        if !body.is_empty() && !typed {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        contract::send(&self.client, request, body).await
    }

    pub(crate) async fn authorize(&self, key: &str, body: &Value) -> Answer {
        let key = format!("\"{key}\"");
        let headers = [("idempotency-key", key.as_str())];
        self.send(Method::POST, "/charges", &headers, &body.to_string())
            .await
    }

    /// Another method instead of the operation with this number.
    pub(crate) async fn replace(&self, key: &str, number: &str, body: &Value) -> Answer {
        let (key, number) = (format!("\"{key}\""), format!("\"{number}\""));
        let headers = [
            ("idempotency-key", key.as_str()),
            ("checkout-replaces", number.as_str()),
        ];
        self.send(Method::POST, "/charges", &headers, &body.to_string())
            .await
    }

    /// The operation that the payer should see, for a page that remembers none.
    pub(crate) async fn live(&self) -> Answer {
        self.live_of(&json!({"order_id": self.order_id})).await
    }

    pub(crate) async fn live_of(&self, body: &Value) -> Answer {
        self.send(Method::POST, "/charges/live", &[], &body.to_string())
            .await
    }

    /// A QR payment of the order.
    pub(crate) async fn pay_by_qr(&self, key: &str) -> Answer {
        self.authorize(key, &qr(&self.order_id)).await
    }

    pub(crate) async fn status(&self, number: &str) -> Answer {
        self.status_of(number, "-", &[]).await
    }

    pub(crate) async fn status_of(
        &self,
        number: &str,
        transaction: &str,
        headers: &[(&str, &str)],
    ) -> Answer {
        let path = format!(
            "/charges/{}/{number}/{transaction}",
            crate::support::stack::MERCHANT
        );
        self.send(Method::GET, &path, headers, "").await
    }

    pub(crate) async fn cancel(&self, number: &str) -> Answer {
        let path = format!("/charges/{}/{number}", crate::support::stack::MERCHANT);
        self.send(Method::DELETE, &path, &[], "").await
    }

    /// Waits until the server knows that the order is paid.
    pub(crate) async fn until_paid(&self) {
        until("paid", async || self.shown().await["state"] == "paid").await;
    }

    pub(crate) async fn shown(&self) -> Value {
        let path = format!("/orders/{}", self.order_id);
        let answer = self.send(Method::GET, &path, &[], "").await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }
}
