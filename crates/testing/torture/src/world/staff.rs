//! What members of staff do.

use super::acts::{People, long, said};
use super::people::sign_in;
use super::settings::STAFF;
use crate::answer::Answer;
use crate::calls;
use crate::request::Request;
use crate::settings::MERCHANT;
use anyhow::Result;
use serde_json::{Value, json};

impl People {
    pub(super) async fn by_hand(
        &self,
        person: usize,
        cents: u64,
        key: &str,
        number: &str,
    ) -> Option<Answer> {
        let reserve = calls::return_by_hand(number, cents, &long(key));
        let reserved = self.staff(person, reserve).await?;
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
        let done = format!("/api/staff/returns/{id}/done");
        let reason = json!({"reason": "given in cash"});
        self.staff(person, Request::new("POST", &done).with_json(&reason))
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
            let release = Request::new("POST", &format!("/api/staff{path}"));
            let answer = self.staff(person, release.with_json(&reason)).await;
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
            let resolve = Request::new("POST", "/api/staff/exceptions/resolve");
            let answer = self.staff(person, resolve.with_json(&body)).await;
            lines = format!("{lines} {} {}", exception["kind"], said(answer.as_ref()));
        }
        Ok(lines)
    }

    /// What staff see of an operation; `None` if the server has no such operation or is away.
    pub(super) async fn details(&self, number: &str) -> Option<Value> {
        let path = format!("/api/staff/operations/{MERCHANT}/{number}");
        let answer = self.staff(0, Request::new("GET", &path)).await?;
        answer.is_success().then(|| answer.json())
    }

    /// Sends a request of a member of staff, who signs in again when the session has ended.
    pub(super) async fn staff(&self, person: usize, request: Request) -> Option<Answer> {
        let cookie = self.keys.borrow().staff.get(person).cloned()?;
        let again = request.clone();
        let answer = self.world.asked(request.with_cookie(&cookie)).await?;
        if answer.status != 401 {
            return Some(answer);
        }
        let cookie = sign_in(&self.world, STAFF.get(person)?).await.ok()?;
        if let Some(own) = self.keys.borrow_mut().staff.get_mut(person) {
            own.clone_from(&cookie);
        }
        self.world.asked(again.with_cookie(&cookie)).await
    }
}
