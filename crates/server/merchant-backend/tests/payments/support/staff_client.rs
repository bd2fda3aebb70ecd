//! A member of staff, and the bodies of requests for refunds.

use crate::contract;
use crate::support::accounts::PASSWORD;
use crate::support::payer::Answer;
use crate::support::stack::{MERCHANT, Stack};
use payment_model::Cents;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use staff_model::{
    ExceptionKind, Exceptions, OperationDetails, RefundAttempt, RefundRefusalItem,
    RefundRefusalReason, RefundsRefused, Reversal, ReversalState, StaffRefundResponse,
};

/// An item of a request for a partial refund.
pub(crate) fn part(number: &str, amount: u64) -> Value {
    item("PARTIAL", number, &amount.to_string())
}

pub(crate) fn item(kind: &str, number: &str, amount: &str) -> Value {
    json!({"type": kind, "merchant_operation_number": number, "refund_amount": amount})
}

pub(crate) fn request(items: &[Value]) -> Value {
    json!({"merchant_code": MERCHANT, "operations": items})
}

/// A member of staff who is signed in.
#[derive(Clone)]
pub(crate) struct StaffClient {
    client: Client,
    pub(crate) base: String,
    pub(crate) cookie: String,
}

impl StaffClient {
    /// Signs an account of the staff file in. `support/roles.rs` has a function for each.
    pub(crate) async fn sign_in(stack: &Stack, name: &str) -> Self {
        Self::sign_in_at(stack, &stack.base(), name).await
    }

    /// The same, from another address.
    pub(crate) async fn sign_in_at(stack: &Stack, base: &str, name: &str) -> Self {
        let nobody = Self::nobody_at(stack, base);
        let body = json!({"name": name, "password": PASSWORD});
        let answer = nobody
            .send(Method::POST, "/session", None, Some(&body))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        nobody.signed_in_by(&answer)
    }

    /// A browser in which nobody is signed in.
    pub(crate) fn nobody(stack: &Stack) -> Self {
        Self::nobody_at(stack, &stack.base())
    }

    /// The same, at another address.
    pub(crate) fn nobody_at(stack: &Stack, base: &str) -> Self {
        Self {
            client: stack.client.clone(),
            base: base.to_owned(),
            cookie: String::new(),
        }
    }

    /// The browser after it got this answer to a sign-in.
    pub(crate) fn signed_in_by(self, answer: &Answer) -> Self {
        let cookie = answer.header("set-cookie");
        self.with_cookie(cookie.split(';').next().unwrap())
    }

    pub(crate) fn with_cookie(self, cookie: &str) -> Self {
        Self {
            cookie: cookie.to_owned(),
            ..self
        }
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Answer {
        let url = format!("{}/staff{path}", self.base);
        let mut request = self.client.request(method, url);
        if !self.cookie.is_empty() {
            request = request.header("cookie", &self.cookie);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", format!("\"{key}\""));
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        contract::send(&self.client, request, &body).await
    }

    /// Sends a request as a page of this origin could, from a signed-in browser.
    pub(crate) async fn send_from(&self, origin: &str, site: &str, method: Method) -> Answer {
        let path = if method == Method::GET {
            "session"
        } else {
            "refund"
        };
        let url = format!("{}/staff/{path}", self.base);
        let request = self.client.request(method, url);
        let request = request
            .header("cookie", &self.cookie)
            .header("origin", origin)
            .header("sec-fetch-site", site)
            .header("content-type", "application/json");
        contract::send(&self.client, request, "{}").await
    }

    /// Reads as a page of this origin could in a browser that does not say how it is related to the server.
    pub(crate) async fn get_from(&self, origin: &str) -> Answer {
        let url = format!("{}/staff/session", self.base);
        let request = self.client.get(url).header("cookie", &self.cookie);
        contract::send(&self.client, request.header("origin", origin), "").await
    }

    /// Reads with further headers.
    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let url = format!("{}/staff{path}", self.base);
        let request = self.client.get(url).header("cookie", &self.cookie);
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        contract::send(&self.client, request, "").await
    }

    pub(crate) async fn refund(&self, key: &str, items: &[Value]) -> Answer {
        self.send(Method::POST, "/refund", Some(key), Some(&request(items)))
            .await
    }

    pub(crate) async fn refunds(&self, number: &str) -> Answer {
        let path = format!("/refund/{MERCHANT}/{number}");
        self.send(Method::GET, &path, None, None).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None, None).await
    }

    /// The numbers of the operations that a search finds, in its order.
    pub(crate) async fn search(&self, query: &str) -> Vec<String> {
        let answer = self.get(&format!("/operations?{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        numbers(&answer.json()["operations"])
    }

    /// The exceptions in the list: kinds with the numbers of their operations.
    pub(crate) async fn exceptions(&self) -> Vec<(String, String)> {
        let answer = self.get("/exceptions").await;
        let list = answer.read::<Exceptions>().exceptions.into_iter();
        let read = list.map(|entry| {
            let number = entry.operation.merchant_operation_number;
            (entry.kind.as_str().to_owned(), number)
        });
        read.collect()
    }

    pub(crate) async fn resolve(&self, kind: &str, number: &str) -> Answer {
        let body = json!({
            "merchant_code": MERCHANT, "merchant_operation_number": number, "kind": kind,
            "reason": "spoke to the payer",
        });
        self.send(Method::POST, "/exceptions/resolve", None, Some(&body))
            .await
    }

    pub(crate) async fn cancel(&self, number: &str, intent: &str) -> Answer {
        let path = format!("/charges/{MERCHANT}/{number}?intent={intent}");
        self.send(Method::DELETE, &path, None, None).await
    }

    /// The server's details of an operation.
    pub(crate) async fn details(&self, number: &str) -> OperationDetails {
        let answer = self.get(&format!("/operations/{MERCHANT}/{number}")).await;
        answer.read()
    }

    /// How much of an operation may still be given back, in cents.
    pub(crate) async fn refundable(&self, number: &str) -> u64 {
        self.details(number).await.refundable.get()
    }

    /// The sentence about the unknown amounts of its refunds.
    pub(crate) async fn unknown(&self, number: &str) -> Vec<String> {
        let exceptions = self.details(number).await.exceptions.into_iter();
        exceptions
            .filter(|exception| exception.kind == ExceptionKind::RefundUnknown)
            .map(|exception| exception.detail)
            .collect()
    }

    pub(crate) async fn release(&self, attempt_id: &str, reason: &str) -> Answer {
        let path = format!("/refund-attempts/{attempt_id}/release");
        let body = json!({"reason": reason});
        self.send(Method::POST, &path, None, Some(&body)).await
    }

    /// Reserves a return by hand.
    pub(crate) async fn give_back(&self, key: &str, number: &str, amount: u64) -> Answer {
        let body = json!({
            "merchant_code": MERCHANT, "merchant_operation_number": number, "amount": amount,
            "reason": "by transfer, slip 7",
        });
        self.send(Method::POST, "/returns", Some(key), Some(&body))
            .await
    }

    /// Records a return whose money has left.
    pub(crate) async fn gave_back(&self, key: &str, number: &str, amount: u64) -> Answer {
        let body = json!({
            "merchant_code": MERCHANT, "merchant_operation_number": number, "amount": amount,
            "reason": "by transfer, slip 8", "already_made": true,
        });
        self.send(Method::POST, "/returns", Some(key), Some(&body))
            .await
    }

    /// Says that a return was made (`done`), or gives it up (`given-up`).
    pub(crate) async fn end_return(&self, return_id: &str, end: &str) -> Answer {
        let path = format!("/returns/{return_id}/{end}");
        let body = json!({"reason": "slip 7"});
        self.send(Method::POST, &path, None, Some(&body)).await
    }

    pub(crate) async fn release_reversal(&self, reversal_id: &str) -> Answer {
        let path = format!("/reversals/{reversal_id}/release");
        let body = json!({"reason": "the service said so on the phone"});
        self.send(Method::POST, &path, None, Some(&body)).await
    }

    /// The last request to cancel an operation.
    pub(crate) async fn reversal(&self, number: &str) -> Reversal {
        let reversals = self.reversals(number).await;
        reversals.into_iter().next().unwrap()
    }

    /// Its state, if there is one.
    pub(crate) async fn reversal_state(&self, number: &str) -> Option<ReversalState> {
        let reversals = self.reversals(number).await;
        reversals.first().map(|reversal| reversal.state)
    }

    async fn reversals(&self, number: &str) -> Vec<Reversal> {
        self.details(number).await.reversals
    }

    /// The detail of an exception.
    pub(crate) async fn detail_of(&self, kind: ExceptionKind, number: &str) -> Option<String> {
        let exceptions = self.details(number).await.exceptions;
        let mut found = exceptions
            .into_iter()
            .filter(|exception| exception.kind == kind);
        found.next().map(|exception| exception.detail)
    }
}

/// The numbers of operations in a list.
pub(crate) fn numbers(list: &Value) -> Vec<String> {
    let list = list.as_array().unwrap().iter();
    let number = |row: &Value| {
        row["merchant_operation_number"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    list.map(number).collect()
}

/// The attempts of the items of a request, in their sequence.
pub(crate) fn attempts(answer: &Answer) -> Vec<RefundAttempt> {
    let attempts = answer
        .read::<StaffRefundResponse>()
        .results
        .into_iter()
        .map(|result| result.attempt);
    attempts.collect()
}

/// The attempt of the first item of a request.
pub(crate) fn attempt(answer: &Answer) -> RefundAttempt {
    attempts(answer).remove(0)
}

/// The refused items of a request.
pub(crate) fn refusals(answer: &Answer) -> Vec<RefundRefusalItem> {
    assert_eq!(answer.problem(), "refund-refused", "{}", answer.text);
    answer.read::<RefundsRefused>().errors
}

/// The reason for which the only refused item was refused, and the amount in cents that may still be refunded.
pub(crate) fn refusal(answer: &Answer) -> (RefundRefusalReason, Option<u64>) {
    let refused = refusals(answer);
    assert_eq!(refused.len(), 1, "{}", answer.text);
    (refused[0].reason, refused[0].left.map(Cents::get))
}
