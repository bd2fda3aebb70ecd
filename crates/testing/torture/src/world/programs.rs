//! What programs of the shop do, and who opens the server's own page by the link that they ask for.

use super::acts::{ORDER, PRICE_CENTS, People, long, said};
use super::settings::ORIGIN;
use crate::answer::Answer;
use crate::calls;
use crate::request::Request;
use anyhow::Result;
use serde_json::json;
use tokio::task::spawn_local;

impl People {
    pub(super) async fn open_page(&self) -> Result<String> {
        let path = self.page().await?;
        let world = &self.world;
        world.truth().reads(true);
        let page = Request::new("GET", &format!("/api/pay{path}"));
        let answer = world.asked(page).await;
        world.truth().reads(false);
        Ok(answer.map_or("no answer".to_owned(), |answer| answer.status.to_string()))
    }

    pub(super) async fn page_begins(&self, key: &str, times: u32) -> Result<String> {
        let path = self.page().await?;
        let form = format!("key={}&method=QR", long(key));
        let form = Request::new("POST", &format!("/api/pay{path}")).with_form(&form);
        let form = form.with("origin", ORIGIN);
        let mut sent = Vec::new();
        for _ in 0..times {
            let (world, form) = (self.world.clone(), form.clone());
            sent.push(spawn_local(async move { world.asked(form).await }));
        }
        let mut statuses = String::new();
        for answer in sent {
            let answer = answer.await.ok().flatten();
            let status = answer.map_or("no answer".to_owned(), |answer| answer.status.to_string());
            statuses = format!("{statuses} {status}");
        }
        Ok(statuses)
    }

    /// The address of the page under `/pay`, which a program of the shop asks for.
    pub(super) async fn page(&self) -> Result<String> {
        if let Some(page) = self.memory.borrow().page.clone() {
            return Ok(page);
        }
        let world = &self.world;
        world.truth().says(ORDER, PRICE_CENTS, world.passed());
        let facts = json!({"order_id": ORDER, "amount": PRICE_CENTS, "currency": "PEN",
            "products": [{"sku": ORDER, "name": "Mochila", "quantity": 1, "unit_price": PRICE_CENTS}]});
        let order = Request::new("POST", "/api/shop/orders").with_json(&facts);
        let answer = self.program(0, order).await;
        let said = said(answer.as_ref());
        let url = answer.map(|answer| answer.json()["pay_url"].as_str().map(str::to_owned));
        let url = url
            .flatten()
            .ok_or_else(|| anyhow::anyhow!("no page: {said}"))?;
        let path = url.rsplit('/').next().map(|handle| format!("/{handle}"));
        self.memory.borrow_mut().page.clone_from(&path);
        Ok(path.unwrap_or_default())
    }

    pub(super) async fn shop_reads(&self) -> Result<String> {
        let path = format!("/api/shop/orders/{ORDER}");
        let order = self.program(0, Request::new("GET", &path)).await;
        let mut lines = said(order.as_ref());
        if let Some(order) = order {
            lines = format!("{lines} {}", order.json()["outcome"]);
        }
        self.reads_events().await;
        Ok(lines)
    }

    /// Reads the events on; false if there was no answer, so that the program has to ask again.
    pub(super) async fn reads_events(&self) -> bool {
        let after = self.memory.borrow().cursor.clone();
        let query = after.map_or(String::new(), |after| format!("?after={after}"));
        let events = Request::new("GET", &format!("/api/shop/events{query}"));
        let events = self.program(1, events).await;
        let Some(events) = events.filter(|events| events.is_success()) else {
            return false;
        };
        let body = events.json();
        let mut memory = self.memory.borrow_mut();
        memory.cursor = body["next"].as_str().map(str::to_owned);
        for event in body["events"].as_array().into_iter().flatten() {
            let id = event["event"]["data"]["id"].as_str().unwrap_or_default();
            memory.read.push(id.to_owned());
        }
        true
    }

    pub(super) async fn shop_closes(&self) -> String {
        self.memory.borrow_mut().closes = true;
        let path = format!("/api/shop/orders/{ORDER}/cancel");
        let answer = self.program(0, Request::new("POST", &path)).await;
        if answer.as_ref().is_some_and(Answer::is_success) {
            self.world.truth().closes(ORDER, self.world.passed());
        }
        said(answer.as_ref())
    }

    pub(super) async fn shop_refunds(
        &self,
        program: usize,
        cents: Option<u64>,
        key: &str,
    ) -> String {
        let wanted = cents.unwrap_or(PRICE_CENTS);
        self.memory
            .borrow_mut()
            .refunds
            .insert(key.to_owned(), wanted);
        let mut body = json!({"order_id": ORDER});
        if let Some(cents) = cents {
            body["amount"] = json!(cents.to_string());
        }
        let refund = Request::new("POST", "/api/shop/refunds").with_json(&body);
        let answer = self.program(program, refund.with_key(&long(key))).await;
        said(answer.as_ref())
    }

    /// Sends a request of a program.
    pub(super) async fn program(&self, program: usize, request: Request) -> Option<Answer> {
        let secret = self.keys.borrow().programs.get(program).cloned()?;
        let (name, value) = calls::bearer(&secret);
        self.world.asked(request.with(name, &value)).await
    }
}
