//! Payers and staff, who repeat a request until they have an answer that they can use.

use super::scene::{Scene, in_short};
use crate::answer::{Answer, cookie, read, send};
use crate::payer::{MERCHANT, Payer as Browser};
use crate::stack::{CLERK, SHOP_PAGE, STAFF_PASSWORD};
use anyhow::{Result, bail};
use reqwest::header::COOKIE;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

/// A payer's browser with an order.
#[derive(Clone)]
pub(super) struct Payer(Browser);

impl Payer {
    /// Orders.
    pub(super) async fn orders(scene: &Scene) -> Result<Self> {
        scene.step("a payer orders").await?;
        let body = json!({"items": [{"sku": "cafe-250", "quantity": 2}]});
        let mut browser = Browser {
            client: scene.client.clone(),
            base: scene.base.clone(),
            cookie: String::new(),
            order_id: String::new(),
        };
        let kept = &mut browser;
        let ask = async || {
            let request = kept.client.post(format!("{}/orders", kept.base));
            let answer = send(request.header(COOKIE, &kept.cookie), Some(&body)).await?;
            let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
            if kept.cookie.is_empty() {
                kept.cookie = cookie(&answer)?;
            }
            let text = read(answer).await?.to_string();
            Ok(Answer {
                status,
                headers,
                text,
            })
        };
        let answer = scene.insist("the order", ask, |_| true).await?;
        browser.order_id = answer.field("/order_id");
        Ok(Self(browser))
    }

    /// The order that it pays.
    pub(super) fn order_id(&self) -> &str {
        &self.0.order_id
    }

    /// Chooses a method under a key, in place of the code with a number, and repeats the request with the same key
    /// until it has a number.
    pub(super) async fn authorizes(
        &self,
        scene: &Scene,
        key: &str,
        method: &str,
        replaced: Option<&str>,
    ) -> Result<String> {
        scene.step(&format!("the payer chooses {method}")).await?;
        let ask = async || {
            let details = match method {
                "INSTALLMENT" => json!({"redirect_url": SHOP_PAGE}),
                _ => json!({}),
            };
            let browser = &self.0;
            browser
                .authorize_instead(method, details, key, replaced)
                .await
        };
        let answer = scene
            .insist(method, ask, |answer| answer.status == 200)
            .await?;
        let number = answer.field("/merchant_operation_number");
        scene.log.tell(&format!("the payer sees {number}"));
        Ok(number)
    }

    /// Asks once for another code, whatever the answer is.
    pub(super) async fn asks_anew(&self, scene: &Scene) {
        let asked = self.0.authorize("QR", json!({}), "anew").await;
        tell(scene, "another code", &asked);
    }

    /// Pays a code that the server showed.
    pub(super) async fn pays(&self, scene: &Scene, number: &str) -> Result<()> {
        scene.step("the payer pays").await?;
        if !scene.service.drive(number, "pay").await? {
            bail!("the server showed {number}, which the payer cannot pay");
        }
        Ok(())
    }

    /// Cancels a code until the server says that it has ended.
    pub(super) async fn cancels(&self, scene: &Scene, number: &str) -> Result<()> {
        scene.step("the payer cancels").await?;
        let path = format!("/charges/{MERCHANT}/{number}");
        let ask = async || self.0.ask(Method::DELETE, &path).await;
        let has_ended = |answer: &Answer| {
            let state = "/operation/transactions/0/state";
            answer.field(state) == "CANCELADO" || answer.field("/operation/state") == "CANCELADO"
        };
        scene.insist("the cancellation", ask, has_ended).await?;
        Ok(())
    }

    /// Polls until the order is paid.
    pub(super) async fn sees_paid(&self, scene: &Scene) -> Result<()> {
        scene.step("the payer waits for the result").await?;
        let path = format!("/orders/{}", self.order_id());
        let ask = async || self.0.ask(Method::GET, &path).await;
        let is_paid = |answer: &Answer| answer.field("/state") == "paid";
        scene.insist("the result", ask, is_paid).await?;
        Ok(())
    }

    /// The state of the order, as the payer reads it now.
    pub(super) async fn reads_state(&self) -> Result<String> {
        let path = format!("/orders/{}", self.order_id());
        Ok(self.0.ask(Method::GET, &path).await?.field("/state"))
    }
}

fn tell(scene: &Scene, what: &str, answer: &Result<Answer>) {
    let told = match answer {
        Ok(answer) => in_short(answer),
        Err(error) => format!("no answer ({error:#})"),
    };
    scene.log.tell(&format!("{what}: {told}"));
}

/// A member of staff who may cancel and refund.
pub(super) struct Staff {
    client: Client,
    base: String,
    cookie: String,
}

impl Staff {
    /// Signs in.
    pub(super) async fn signs_in(scene: &Scene) -> Result<Self> {
        let mut staff = Self {
            client: scene.client.clone(),
            base: scene.base.clone(),
            cookie: String::new(),
        };
        let ask = async || staff.sign_in().await;
        let is_in = |answer: &Answer| answer.status == 200;
        scene.insist("the sign-in", ask, is_in).await?;
        Ok(staff)
    }

    async fn sign_in(&mut self) -> Result<Answer> {
        let body = json!({"name": CLERK, "password": STAFF_PASSWORD});
        let request = self.client.post(format!("{}/staff/session", self.base));
        let answer = send(request, Some(&body)).await?;
        self.cookie = cookie(&answer)?;
        Ok(Answer {
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            text: answer.text().await?,
        })
    }

    /// Sends a request. A session that is over, as after a jump of the clock, is begun anew before the request is
    /// repeated.
    async fn asks(&mut self, request: RequestBuilder, body: Option<&Value>) -> Result<Answer> {
        let answer = Answer::of(request.header(COOKIE, &self.cookie), body).await?;
        if answer.status == 401 {
            self.sign_in().await?;
        }
        Ok(answer)
    }

    /// Refunds a part, and repeats the request with the same key until its end is known or in doubt.
    pub(super) async fn refunds(
        &mut self,
        scene: &Scene,
        key: &str,
        number: &str,
        cents: u64,
    ) -> Result<()> {
        scene.step(&format!("staff refund {cents}")).await?;
        let item = json!({
            "type": "PARTIAL", "merchant_operation_number": number,
            "refund_amount": cents.to_string(),
        });
        let body = json!({"merchant_code": MERCHANT, "operations": [item]});
        let ask = async || {
            let request = self.client.post(format!("{}/staff/refund", self.base));
            let request = request.header("idempotency-key", format!("\"{key}\""));
            self.asks(request, Some(&body)).await
        };
        let has_ended = |answer: &Answer| {
            // A rule may refuse a later part while the first one is in doubt.
            answer.status == 422
                || answer.status == 409 && answer.field("/type").ends_with("refund-refused")
                || answer.status == 200 && answer.field("/results/0/attempt/state") != "sending"
        };
        let answer = scene.insist("the refund", ask, has_ended).await?;
        let end = answer.field("/results/0/attempt/state");
        scene.log.tell(&format!("the refund is {end:?}"));
        Ok(())
    }

    /// Gives a whole payment back before its settlement.
    pub(super) async fn reverses(&mut self, scene: &Scene, number: &str) -> Result<()> {
        scene.step("staff reverse").await?;
        let ask = async || {
            let path = format!("/staff/charges/{MERCHANT}/{number}?intent=reverse");
            let request = self.client.delete(format!("{}{path}", self.base));
            self.asks(request, None).await
        };
        let is_done = |answer: &Answer| (200..300).contains(&answer.status);
        scene.insist("the reversal", ask, is_done).await?;
        Ok(())
    }

    /// Tries once to give a payment back, by either way and whatever the answers are.
    pub(super) async fn gives_back(&mut self, scene: &Scene, number: &str) {
        let path = format!("/staff/charges/{MERCHANT}/{number}?intent=reverse");
        let request = self.client.delete(format!("{}{path}", self.base));
        tell(scene, "a reversal", &self.asks(request, None).await);
        let item = json!({
            "type": "PARTIAL", "merchant_operation_number": number, "refund_amount": "100",
        });
        let body = json!({"merchant_code": MERCHANT, "operations": [item]});
        let request = self.client.post(format!("{}/staff/refund", self.base));
        let request = request.header("idempotency-key", format!("\"back-{number}\""));
        tell(scene, "a refund", &self.asks(request, Some(&body)).await);
    }

    /// The numbers of the operations on the list of exceptions.
    pub(super) async fn exceptions(&mut self) -> Result<Vec<String>> {
        let request = self.client.get(format!("{}/staff/exceptions", self.base));
        let answer = self.asks(request, None).await?;
        let list: Value = serde_json::from_str(&answer.text)?;
        let number = |entry: &Value| {
            let number = entry["operation"]["merchant_operation_number"].as_str();
            number.unwrap_or_default().to_owned()
        };
        let list = list["exceptions"].as_array();
        Ok(list.into_iter().flatten().map(number).collect())
    }
}
