//! What members of staff do.

use super::acts::{People, long, said};
use super::people;
use super::settings::{MERCHANT, STAFF};
use crate::answer::Answer;
use anyhow::Result;
use axum::http::Method;
use serde_json::{Value, json};

impl People {
    pub(super) async fn by_hand(
        &self,
        person: usize,
        cents: u64,
        key: &str,
        number: &str,
    ) -> Option<Answer> {
        let body = json!({"merchant_code": MERCHANT, "merchant_operation_number": number,
            "amount": cents, "reason": "in cash"});
        let reserved = self
            .staff(person, Method::POST, "/returns", Some(key), Some(&body))
            .await?;
        if !reserved.is_success() {
            return Some(reserved);
        }
        let body = reserved.json();
        let id = body["return_id"].as_str().unwrap_or_default();
        // The person gives the money only after the server reserved it.
        self.memory
            .borrow_mut()
            .returned
            .insert(key.to_owned(), cents);
        let path = format!("/returns/{id}/done");
        let reason = json!({"reason": "given in cash"});
        self.staff(person, Method::POST, &path, None, Some(&reason))
            .await
    }

    pub(super) async fn release(&self, person: usize, number: &str) -> Result<String> {
        let Some(details) = self.details(number).await else {
            return Ok("no details".to_owned());
        };
        let reason = json!({"reason": "the service has no trace"});
        let mut lines = String::new();
        let of = |list: &Value, id: &str| -> Vec<String> {
            let list = list.as_array().into_iter().flatten();
            let in_doubt = list.filter(|one| one["state"] == "in_doubt");
            in_doubt
                .filter_map(|one| one[id].as_str().map(str::to_owned))
                .collect()
        };
        let mut paths = Vec::new();
        for id in of(&details["attempts"], "attempt_id") {
            paths.push(format!("/refund-attempts/{id}/release"));
        }
        for id in of(&details["reversals"], "reversal_id") {
            paths.push(format!("/reversals/{id}/release"));
        }
        paths.push(format!("/operations/{MERCHANT}/{number}/release"));
        for path in paths {
            let answer = self
                .staff(person, Method::POST, &path, None, Some(&reason))
                .await;
            lines = format!("{lines} {}", said(answer.as_ref()));
        }
        Ok(lines)
    }

    pub(super) async fn resolve(&self, person: usize, number: &str) -> Result<String> {
        let Some(details) = self.details(number).await else {
            return Ok("no details".to_owned());
        };
        let mut lines = String::new();
        for exception in details["exceptions"].as_array().into_iter().flatten() {
            self.memory.borrow_mut().resolved.insert(number.to_owned());
            let body = json!({"merchant_code": MERCHANT, "merchant_operation_number": number,
                "kind": exception["kind"], "reason": "looked at"});
            let path = "/exceptions/resolve";
            let answer = self
                .staff(person, Method::POST, path, None, Some(&body))
                .await;
            lines = format!("{lines} {} {}", exception["kind"], said(answer.as_ref()));
        }
        Ok(lines)
    }

    /// What staff see of an operation; `None` if the server has no such operation or is away.
    pub(super) async fn details(&self, number: &str) -> Option<Value> {
        let path = format!("/operations/{MERCHANT}/{number}");
        let answer = self.staff(0, Method::GET, &path, None, None).await?;
        answer.is_success().then(|| answer.json())
    }

    /// Sends a request of a member of staff, who signs in again when the session has ended.
    pub(super) async fn staff(
        &self,
        person: usize,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Option<Answer> {
        let key = key.map(long);
        let request =
            |cookie: &str| people::staff(cookie, method.clone(), path, key.as_deref(), body);
        let cookie = self.keys.borrow().staff.get(person).cloned()?;
        let answer = self.world.asked(request(&cookie)).await?;
        if answer.status != 401 {
            return Some(answer);
        }
        let (name, _) = STAFF.get(person)?;
        let cookie = people::sign_in(&self.world, name).await.ok()?;
        if let Some(own) = self.keys.borrow_mut().staff.get_mut(person) {
            own.clone_from(&cookie);
        }
        self.world.asked(request(&cookie)).await
    }
}
