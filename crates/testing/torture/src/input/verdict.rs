//! Holds an answer against the promises that are the same for all addresses.

use super::contract;
use crate::answer::Answer;
use crate::request::Request;

/// What is wrong with an answer; `None` for a good one.
pub(super) fn of(request: &Request, answer: &Answer) -> Option<String> {
    wrong(request, answer).or_else(|| contract::broken(request, answer))
}

fn wrong(request: &Request, answer: &Answer) -> Option<String> {
    let status = answer.status;
    if status >= 500 {
        return Some(format!("a request is answered {status}"));
    }
    // A file has no such part; the answer says so in a header of its own.
    let is_no_part = status == 416 && answer.headers.contains_key("content-range");
    if status < 400 || is_no_part {
        return None;
    }
    let kind = answer.header("content-type");
    if is_page(&request.path) && kind.starts_with("text/html") {
        return None;
    }
    if kind != "application/problem+json" {
        return Some(format!(
            "an error {status} is no problem by RFC 9457, but `{kind}`"
        ));
    }
    if status == 405 && answer.header("allow").is_empty() {
        return Some("an error 405 has no Allow".to_owned());
    }
    // An answer to HEAD has no body.
    if request.method == "HEAD" {
        return None;
    }
    let body = answer.json();
    let is_problem = body["status"] == status
        && body["type"]
            .as_str()
            .is_some_and(|kind| kind.starts_with("urn:payment-checkout:problem:"));
    (!is_problem).then(|| format!("the body of an error {status} is no problem"))
}

/// True for the server's own pages, whose errors are pages for people.
fn is_page(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    path == "/api/pay" || path.starts_with("/api/pay/")
}
