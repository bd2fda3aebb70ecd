//! Sets a scene up, by requests as honest people send them. Their effects are held against the same promises.

use super::people::Sender;
use super::run::Run;
use super::scene::{Scene, Source, Stage};
use crate::answer::Answer;
use crate::calls;
use crate::request::Request;
use anyhow::{Result, bail, ensure};
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

impl Run {
    pub(super) async fn set_up(&mut self) -> Result<()> {
        // A journal of a whole run would look like a leak.
        let service = &self.stack.service;
        service.control(Method::DELETE, "/sandbox/journal").await?;
        self.people.return_to_work(&self.stack).await?;
        let sources = [Source::Session, Source::Given, Source::Signed];
        let source = self.random.choice(sources).unwrap_or(Source::Given);
        let stage = match self.random.u8(..6) {
            0 => Stage::New,
            // A code that can still be paid or cancelled comes more often.
            1 | 2 => Stage::Waiting,
            3 => Stage::Paid,
            4 => Stage::Settled,
            _ => Stage::GivenBack,
        };
        let at = self.order(source).await?;
        // The service refunds installments only.
        let installments = stage == Stage::GivenBack || self.random.u8(..10) < 3;
        if stage >= Stage::Waiting {
            self.begin(at, installments).await?;
            self.scenes[at].installments = installments;
            self.scenes[at].stage = Stage::Waiting;
        }
        let facts = self.scenes[at].facts.clone();
        let number = facts.get("merchant_operation_number");
        if stage >= Stage::Paid {
            self.drive(number, "pay").await?;
            let path = format!("/api/notifications/{}", facts.get("token"));
            let hint = Request::new("POST", &path);
            self.act(at, Sender::Stranger, hint).await?;
            self.wait_until_paid(at).await?;
            self.scenes[at].stage = Stage::Paid;
        }
        if stage >= Stage::Settled {
            self.drive(number, "settle").await?;
            self.scenes[at].stage = stage;
        }
        match (stage, installments) {
            (Stage::GivenBack, _) => self.refund(at, number).await?,
            (Stage::Paid | Stage::Settled, false) => {
                let key = self.next_key();
                let request = calls::return_by_hand(number, 13, &key);
                let returned = self.act(at, Sender::Staff, request).await?;
                self.learn_fact(at, "return_id", &returned, "/return_id")?;
            }
            _ => {}
        }
        self.note_cursors(at).await
    }

    async fn order(&mut self, source: Source) -> Result<usize> {
        let at = self.scenes.len();
        let number = u64::try_from(at)?;
        // Amounts of their own, by which an effect finds its order.
        let (amount, id) = (10_001 + number, format!("order-{at}"));
        let public_url = self.stack.public_url().to_owned();
        self.scenes.push(Scene::new(&public_url, &id, amount));
        let made = match source {
            Source::Session => {
                let order = calls::order(1 + number % 99);
                let made = self.act(at, Sender::Payer, order).await?;
                let amount = made.field("/amount").parse()?;
                let cookie = std::mem::take(&mut self.scenes[at].cookie);
                self.scenes[at] = Scene::new(&public_url, &made.field("/order_id"), amount);
                self.scenes[at].cookie = cookie;
                let path = format!("/api/shop/orders/{}/link", self.scenes[at].order_id);
                Request::new("POST", &path).with_json(&json!({"action": "renew"}))
            }
            Source::Given => {
                let order = json!({"order_id": id, "amount": amount, "currency": "PEN"});
                Request::new("POST", "/api/shop/orders").with_json(&order)
            }
            Source::Signed => return Ok(at),
        };
        let page = self.act(at, Sender::Program, made).await?;
        self.scenes[at].note_page(&page.json()["pay_url"]);
        Ok(at)
    }

    /// The payer sees a code, or is led to the lender.
    async fn begin(&mut self, at: usize, installments: bool) -> Result<()> {
        let scene = &self.scenes[at];
        let order = match (scene.cookie.is_empty(), scene.facts.get("pay_link")) {
            (false, _) => json!({"order_id": scene.order_id}),
            (true, "none") => json!({"order": scene.facts.get("order")}),
            (true, handle) => json!({"pay_link": handle}),
        };
        let method = if installments { "INSTALLMENT" } else { "QR" };
        let key = self.next_key();
        let request = calls::charge(&order, method, &key, None);
        let begun = self.act(at, Sender::Payer, request).await?;
        let number = "/merchant_operation_number";
        self.learn_fact(at, "merchant_operation_number", &begun, number)?;
        let transaction = "/transaction/transaction_id";
        self.learn_fact(at, "transaction_id", &begun, transaction)?;
        let path = format!("/sandbox/operations/{}", begun.field(number));
        let view = self.stack.service.control(Method::GET, &path).await?;
        self.scenes[at].note_operation(&view);
        Ok(())
    }

    async fn refund(&mut self, at: usize, number: &str) -> Result<()> {
        let key = self.next_key();
        let request = calls::refund(number, 11, &key);
        let refunded = self.act(at, Sender::Staff, request).await?;
        let attempt = "/results/0/attempt/attempt_id";
        self.learn_fact(at, "attempt_id", &refunded, attempt)?;
        let body = json!({"order_id": self.scenes[at].order_id, "amount": 17});
        let request = Request::new("POST", "/api/shop/refunds").with_json(&body);
        let request = request.with_key(&self.next_key());
        let refunded = self.act(at, Sender::Program, request).await?;
        self.learn_fact(at, "refund_id", &refunded, "/refund_id")
    }

    /// The cursor of a search and of the events, and the id of an event, as far as there are some.
    async fn note_cursors(&mut self, at: usize) -> Result<()> {
        let search = Request::new("GET", "/api/staff/operations?limit=1");
        let page = self.act(at, Sender::Viewer, search).await?;
        let events = Request::new("GET", "/api/shop/events");
        let events = self.act(at, Sender::Program, events).await?;
        let found = [
            ("cursor", page.field("/next_cursor")),
            ("after", events.field("/next")),
            ("event_id", events.field("/events/0/event/data/id")),
        ];
        for (name, value) in found.iter().filter(|(_, value)| !value.is_empty()) {
            self.scenes[at].facts.set(name, value);
        }
        Ok(())
    }

    fn next_key(&mut self) -> String {
        self.keys += 1;
        format!("set-up-{}", self.keys)
    }

    fn learn_fact(
        &mut self,
        at: usize,
        name: &'static str,
        answer: &Answer,
        pointer: &str,
    ) -> Result<()> {
        let value = answer.field(pointer);
        ensure!(!value.is_empty(), "no {name} in {answer}");
        self.scenes[at].facts.set(name, &value);
        Ok(())
    }

    /// A notification is a hint, and the server asks the service not more often than its interval permits.
    async fn wait_until_paid(&mut self, at: usize) -> Result<()> {
        let path = format!("/api/shop/orders/{}", self.scenes[at].order_id);
        for _ in 0..200 {
            let look = Request::new("GET", &path);
            if self.act(at, Sender::Program, look).await?.field("/state") == "paid" {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("a payment is not noticed in two seconds")
    }

    async fn drive(&self, number: &str, step: &str) -> Result<()> {
        let is_driven = self.stack.service.drive(number, step).await?;
        ensure!(is_driven, "the service does not {step} {number}");
        Ok(())
    }

    /// Sends a valid request of a scene's people; returns its answer.
    async fn act(&mut self, at: usize, sender: Sender, mut request: Request) -> Result<Answer> {
        if let Some((name, value)) = self.people.proof(sender, &self.scenes[at]) {
            request = request.with(name, &value);
        }
        self.effects.expect(&request);
        let answer = self.stack.send(&request).await?;
        let cookie = answer.cookie();
        if !cookie.is_empty() && [Sender::Payer, Sender::Stranger].contains(&sender) {
            cookie.clone_into(&mut self.scenes[at].cookie);
        }
        for (what, story) in self.effects_of(&request).await? {
            self.report(what, &request, story);
        }
        ensure!(answer.status / 100 == 2, "{request}\n{answer}");
        Ok(answer)
    }
}
