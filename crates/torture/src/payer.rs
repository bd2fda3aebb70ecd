//! The browser of a payer.

use crate::answer::Answer;
use anyhow::{Context as _, Result};
use reqwest::header::COOKIE;
use reqwest::{Client, Method};
use serde_json::{Value, json};

/// The merchant code of every operation.
pub(crate) const MERCHANT: &str = "shop-1";

/// A browser with one order.
#[derive(Debug, Clone)]
pub(crate) struct Payer {
    pub(crate) client: Client,
    /// The address of the server, with `/api`.
    pub(crate) base: String,
    /// The session of the browser.
    pub(crate) cookie: String,
    /// The order that it pays.
    pub(crate) order_id: String,
}

impl Payer {
    /// Asks for a QR code, and returns the number of the operation.
    ///
    /// # Errors
    /// There is no code.
    pub(crate) async fn pay_by_qr(&self, key: &str) -> Result<String> {
        let answer = self.authorize("QR", json!({}), key).await?;
        let answer: Value = serde_json::from_str(&answer.text)?;
        let number = answer["merchant_operation_number"].as_str();
        Ok(number.context("no operation")?.to_owned())
    }

    /// Asks for a payment by a method.
    ///
    /// # Errors
    /// There is no answer.
    pub(crate) async fn authorize(
        &self,
        method: &str,
        details: Value,
        key: &str,
    ) -> Result<Answer> {
        self.authorize_instead(method, details, key, None).await
    }

    /// Asks for a payment by a method in the place of the operation with a number.
    ///
    /// # Errors
    /// There is no answer.
    pub(crate) async fn authorize_instead(
        &self,
        method: &str,
        details: Value,
        key: &str,
        replaced: Option<&str>,
    ) -> Result<Answer> {
        let method = json!({"method_name": method, "method_details": details});
        let body = json!({"order_id": self.order_id, "payment_method": method});
        let request = self.client.post(format!("{}/charges", self.base));
        let mut request = request.header("idempotency-key", format!("\"{key}\""));
        if let Some(number) = replaced {
            request = request.header("checkout-replaces", format!("\"{number}\""));
        }
        Answer::of(request.header(COOKIE, &self.cookie), Some(&body)).await
    }

    /// Sends a request without a body.
    ///
    /// # Errors
    /// There is no answer.
    pub(crate) async fn ask(&self, method: Method, path: &str) -> Result<Answer> {
        let request = self.client.request(method, format!("{}{path}", self.base));
        Answer::of(request.header(COOKIE, &self.cookie), None).await
    }
}
