//! Sets a scene up, by requests as honest people send them. Their effects are held against the same promises.

use super::addresses::Sender;
use super::run::Run;
use super::scene::{Scene, Source, Stage};
use super::signed_order::sign;
use crate::answer::Answer;
use crate::payer::MERCHANT;
use crate::request::Request;
use anyhow::{Context, Result, bail, ensure};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

impl Run {
    pub(super) async fn set_up(&mut self) -> Result<()> {
        // A journal of a whole run would look like a leak.
        self.stack
            .control(Method::DELETE, "/sandbox/journal")
            .await?;
        self.people.return_to_work(&self.stack).await?;
        let sources = [Source::Session, Source::Given, Source::Signed];
        let source = self
            .random
            .choice(&sources)
            .copied()
            .unwrap_or(Source::Given);
        let stage = self
            .random
            .choice(&Stage::DRAWN)
            .copied()
            .unwrap_or(Stage::New);
        let at = self.order(source).await?;
        // The service refunds installments only.
        let installments = stage == Stage::GivenBack || self.random.u8(..10) < 3;
        if stage >= Stage::Waiting {
            self.begin(at, installments).await?;
            self.scenes[at].installments = installments;
            self.scenes[at].stage = Stage::Waiting;
        }
        let number = self.scenes[at].fact("merchant_operation_number").to_owned();
        if stage >= Stage::Paid {
            self.drive(&number, "pay").await?;
            let path = format!("/api/notifications/{}", self.scenes[at].fact("token"));
            self.act(at, Sender::Stranger, "POST", &path, Value::Null)
                .await?;
            self.wait_until_paid(at).await?;
            self.scenes[at].stage = Stage::Paid;
        }
        if stage >= Stage::Settled {
            self.drive(&number, "settle").await?;
            self.scenes[at].stage = stage;
        }
        match (stage, installments) {
            (Stage::GivenBack, _) => self.refund(at, &number).await?,
            (Stage::Paid | Stage::Settled, false) => self.return_by_hand(at, &number).await?,
            _ => {}
        }
        self.note_cursors(at).await
    }

    async fn order(&mut self, source: Source) -> Result<usize> {
        let at = self.scenes.len();
        let number = u64::try_from(at)?;
        // Amounts of their own, by which an effect finds its order.
        let (amount, id) = (10_001 + number, format!("order-{at}"));
        let scene = self.scene(&id, amount);
        self.scenes.push(scene);
        match source {
            Source::Session => {
                let quantity = 1 + number % 99;
                let items = json!({"items": [{"sku": "cafe-250", "quantity": quantity}]});
                let made = self
                    .act(at, Sender::Payer, "POST", "/api/orders", items)
                    .await?
                    .json();
                let amount = made["amount"].as_str().context("no amount")?.parse()?;
                let id = made["order_id"].as_str().context("no id")?;
                let cookie = std::mem::take(&mut self.scenes[at].cookie);
                self.scenes[at] = self.scene(id, amount);
                self.scenes[at].cookie = cookie;
                let path = format!("/api/shop/orders/{id}/link");
                let renewed = self
                    .act(
                        at,
                        Sender::Program,
                        "POST",
                        &path,
                        json!({"action": "renew"}),
                    )
                    .await?;
                self.scenes[at].note_page(&renewed.json()["pay_url"]);
            }
            Source::Given => {
                let given = self.scenes[at].given();
                let page = self
                    .act(at, Sender::Program, "POST", "/api/shop/orders", given)
                    .await?
                    .json();
                self.scenes[at].note_page(&page["pay_url"]);
            }
            Source::Signed => {}
        }
        Ok(at)
    }

    fn scene(&self, order_id: &str, amount: u64) -> Scene {
        let signed = sign(self.stack.public_url(), order_id, amount);
        Scene::new(order_id, amount, &signed)
    }

    /// The payer sees a code, or is led to the lender.
    async fn begin(&mut self, at: usize, installments: bool) -> Result<()> {
        let scene = &self.scenes[at];
        let mut body = match (scene.cookie.is_empty(), scene.fact("handle")) {
            (false, _) => json!({"order_id": scene.order_id}),
            (true, "none") => json!({"order": scene.fact("signed")}),
            (true, handle) => json!({"pay_link": handle}),
        };
        body["payment_method"] = match installments {
            true => {
                json!({"method_name": "INSTALLMENT", "method_details": {"redirect_url": "https://shop.example/"}})
            }
            false => json!({"method_name": "QR"}),
        };
        let begun = self
            .act(at, Sender::Payer, "POST", "/api/charges", body)
            .await?
            .json();
        let number = begun["merchant_operation_number"]
            .as_str()
            .context("no number")?;
        let transaction = begun["transaction"]["transaction_id"]
            .as_str()
            .context("no transaction")?;
        let path = format!("/sandbox/operations/{number}");
        let view = self.stack.control(Method::GET, &path).await?;
        let scene = &mut self.scenes[at];
        scene.note("merchant_operation_number", number);
        scene.note("transaction_id", transaction);
        scene.note_operation(&view);
        Ok(())
    }

    async fn refund(&mut self, at: usize, number: &str) -> Result<()> {
        let part =
            json!({"type": "PARTIAL", "merchant_operation_number": number, "refund_amount": "11"});
        let refund = json!({"merchant_code": MERCHANT, "operations": [part]});
        let refunded = self
            .act(at, Sender::Staff, "POST", "/api/staff/refund", refund)
            .await?
            .json();
        let attempt = refunded["results"][0]["attempt"]["attempt_id"].as_str();
        let body = json!({"order_id": self.scenes[at].order_id, "amount": 17});
        let shop = self
            .act(at, Sender::Program, "POST", "/api/shop/refunds", body)
            .await?
            .json();
        let scene = &mut self.scenes[at];
        scene.note("attempt_id", attempt.context("no attempt")?);
        scene.note(
            "refund_id",
            shop["refund_id"].as_str().context("no refund")?,
        );
        Ok(())
    }

    async fn return_by_hand(&mut self, at: usize, number: &str) -> Result<()> {
        let body = json!({
            "merchant_code": MERCHANT, "merchant_operation_number": number, "amount": 13, "reason": "slip",
        });
        let returned = self
            .act(at, Sender::Staff, "POST", "/api/staff/returns", body)
            .await?
            .json();
        self.scenes[at].note(
            "return_id",
            returned["return_id"].as_str().context("no return")?,
        );
        Ok(())
    }

    async fn note_cursors(&mut self, at: usize) -> Result<()> {
        let page = self
            .act(
                at,
                Sender::Viewer,
                "GET",
                "/api/staff/operations?limit=1",
                Value::Null,
            )
            .await?
            .json();
        let events = self
            .act(at, Sender::Program, "GET", "/api/shop/events", Value::Null)
            .await?
            .json();
        let scene = &mut self.scenes[at];
        scene.note("cursor", page["next_cursor"].as_str().unwrap_or("none"));
        scene.note("event_cursor", events["next"].as_str().unwrap_or("none"));
        scene.note("order_cursor", "1");
        scene.note(
            "event_id",
            events["events"][0]["event"]["data"]["id"]
                .as_str()
                .unwrap_or("none"),
        );
        Ok(())
    }

    /// A notification is a hint, and the server asks the service not more often than its interval permits.
    async fn wait_until_paid(&mut self, at: usize) -> Result<()> {
        let path = format!("/api/shop/orders/{}", self.scenes[at].order_id);
        for _ in 0..200 {
            let order = self
                .act(at, Sender::Program, "GET", &path, Value::Null)
                .await?;
            if order.json()["state"] == "paid" {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("a payment is not noticed in two seconds")
    }

    async fn drive(&self, number: &str, step: &str) -> Result<()> {
        let path = format!("/sandbox/operations/{number}/{step}");
        self.stack.control(Method::POST, &path).await.map(drop)
    }

    /// Sends a valid request of a scene's people; returns its answer.
    async fn act(
        &mut self,
        at: usize,
        sender: Sender,
        method: &str,
        path: &str,
        body: Value,
    ) -> Result<Answer> {
        self.keys += 1;
        let key = format!("\"set-up-{}\"", self.keys);
        let mut request = Request::new(method, path).with("idempotency-key", &key);
        if let Some((name, value)) = self.people.proof(sender, &self.scenes[at]) {
            request = request.with(name, &value);
        }
        if !body.is_null() {
            request = request.with_json(&body);
        }
        self.effects.expect(&request);
        let answer = self.stack.send(&request).await?;
        let cookie = answer.cookie();
        if !cookie.is_empty() && [Sender::Payer, Sender::Stranger].contains(&sender) {
            cookie.clone_into(&mut self.scenes[at].cookie);
        }
        for entry in self.journal().await? {
            if let Some(what) = self
                .effects
                .judge(&entry, &request, &self.scenes, &self.people)
            {
                self.report(what, &request, vec![entry.to_string()]);
            }
        }
        ensure!(answer.status / 100 == 2, "{request}\n{answer}");
        Ok(answer)
    }
}
