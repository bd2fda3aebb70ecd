//! What programs of the shop do, and who opens the server's own page by the link that they ask for.

use super::acts::{ORDER, PRICE_CENTS, People, long, said};
use super::people;
use crate::answer::Answer;
use anyhow::Result;
use axum::body::Bytes;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use tokio::task::spawn_local;

impl People {
    pub(super) async fn open_page(&self) -> Result<String> {
        let path = self.page().await?;
        let world = &self.world;
        world.truth().reads(true);
        let answer = world
            .asked(people::request(Method::GET, &format!("/pay{path}"), None))
            .await;
        world.truth().reads(false);
        Ok(answer.map_or("no answer".to_owned(), |answer| answer.status.to_string()))
    }

    pub(super) async fn page_begins(&self, key: &str, times: u32) -> Result<String> {
        let path = self.page().await?;
        let key = long(key);
        let mut sent = Vec::new();
        for _ in 0..times {
            let world = self.world.clone();
            let form = people::form(&path, &[("key", &key), ("method", "QR")]);
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
        world.truth().says(ORDER, PRICE_CENTS);
        let facts = json!({"order_id": ORDER, "amount": PRICE_CENTS, "currency": "PEN",
            "products": [{"sku": ORDER, "name": "Mochila", "quantity": 1, "unit_price": PRICE_CENTS}]});
        let answer = self
            .program(0, Method::POST, "/orders", None, Some(&facts))
            .await;
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
        let path = format!("/orders/{ORDER}");
        let order = self.program(0, Method::GET, &path, None, None).await;
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
        let path = after.map_or("/events".to_owned(), |after| {
            format!("/events?after={after}")
        });
        let events = self.program(1, Method::GET, &path, None, None).await;
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

    pub(super) async fn shop_refunds(
        &self,
        program: usize,
        cents: Option<u64>,
        key: &str,
    ) -> Result<String> {
        let wanted = cents.unwrap_or(PRICE_CENTS);
        self.memory
            .borrow_mut()
            .refunds
            .insert(key.to_owned(), wanted);
        let mut body = json!({"order_id": ORDER});
        if let Some(cents) = cents {
            body["amount"] = json!(cents.to_string());
        }
        let answer = self
            .program(
                program,
                Method::POST,
                "/refunds",
                Some(&long(key)),
                Some(&body),
            )
            .await;
        Ok(said(answer.as_ref()))
    }

    pub(super) async fn program(
        &self,
        program: usize,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Option<Answer> {
        let secret = self.keys.borrow().programs.get(program).cloned()?;
        let request: Request<Bytes> = people::program(&secret, method, path, key, body);
        self.world.asked(request).await
    }
}
