//! Requests to the merchant's server and what it answers.

use super::staff_state::local_day::{self, ZoneOffset};
use super::staff_state::{Answer, Failure, FailureKind, Request};
use browser_kit::http::{self, HttpRequest, Method, Response};
use browser_kit::{json, texts};
use payment_model::{Meta, ProblemMoney, Timestamp};
use serde::de::DeserializeOwned;
use staff_model::{Problem, ProblemType, UNATTENDED};
use web_sys::AbortController;

/// Sends a request and reads its answer.
pub(super) async fn ask(
    base: &str,
    request: &Request,
    unattended: bool,
    abort: AbortController,
) -> Result<Answer, Failure> {
    let to = request.address();
    let url = address(base, to.path());
    let mut asked = HttpRequest::new(method(to.method()), url);
    if let Some(body) = body(request) {
        asked = asked.json(body);
    }
    if let Some(key) = request.key() {
        asked = asked.key(key);
    }
    if unattended {
        asked = asked.header(UNATTENDED, "?1");
    }
    if let Request::News(_, true) = request {
        asked = asked.header("Prefer", "wait=20");
    }
    let response = asked.send(abort).await.ok_or(FailureKind::Network)?;
    if !response.ok() {
        return Err(failure(response).await);
    }
    // Some answers have no body. Each other one is read below, and an empty text is none.
    let text = response.text().await.unwrap_or_default();
    let text = text.as_str();
    match request {
        Request::Session | Request::SignIn(_) => read(text).map(Answer::Session),
        Request::SignOut | Request::StepUp(_) | Request::Resolve(_) => Ok(Answer::Nothing),
        Request::BeginEnrolment(_) => read(text).map(|it| Answer::EnrolmentKey(Box::new(it))),
        Request::ConfirmEnrolment(_) => read(text).map(Answer::Enrolled),
        Request::Search(_) => read(text).map(Answer::Page),
        Request::Details(_) => read(text).map(|it| Answer::Details(Box::new(it))),
        Request::Exceptions => read(text).map(Answer::Exceptions),
        Request::Query(_) => read(text).map(|it| Answer::Query(Box::new(it))),
        Request::Cancel(..) => read(text).map(|it| Answer::Cancel(Box::new(it))),
        Request::Refund(..) => read(text).map(|it| Answer::Refund(Box::new(it))),
        Request::Refunds(_) => read(text).map(|it| Answer::Refunds(Box::new(it))),
        Request::Release(..) => read(text).map(Answer::Attempt),
        Request::ReleaseReversal(..) => read(text).map(Answer::Reversal),
        Request::ReleaseOrder(..) => read(text).map(Answer::Order),
        Request::Return(..) | Request::MadeReturn(..) | Request::GiveUpReturn(..) => {
            read(text).map(Answer::Return)
        }
        Request::Links(_) => read(text).map(Answer::Links),
        Request::Link(_) | Request::MakeLink(..) | Request::EndLink(_) => {
            read(text).map(|it| Answer::Link(Box::new(it)))
        }
        Request::News(..) => read(text).map(|it| Answer::News(Box::new(it))),
    }
}

fn method(method: staff_model::Method) -> Method {
    match method {
        staff_model::Method::Get => Method::GET,
        staff_model::Method::Post => Method::POST,
        staff_model::Method::Delete => Method::DELETE,
    }
}

fn body(request: &Request) -> Option<String> {
    match request {
        Request::SignIn(body) => json::write(body),
        Request::StepUp(body) => json::write(body),
        Request::BeginEnrolment(body) => json::write(body),
        Request::ConfirmEnrolment(body) => json::write(body),
        Request::Resolve(body) => json::write(body),
        Request::Refund(body, _) => json::write(body),
        Request::Release(_, body) => json::write(body),
        Request::ReleaseOrder(_, body) => json::write(body),
        Request::ReleaseReversal(_, body) => json::write(body),
        Request::Return(body, _) => json::write(body),
        Request::MakeLink(body, _) => json::write(body),
        Request::MadeReturn(_, body) | Request::GiveUpReturn(_, body) => json::write(body),
        _ => None,
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    json::read_text(text).ok_or_else(|| FailureKind::Unreadable.into())
}

async fn failure(response: Response) -> Failure {
    let status = response.status();
    let retry_after = http::retry_after(&response);
    let problem: Option<Problem> = if http::is_problem(&response) {
        response
            .text()
            .await
            .and_then(|text| json::read_text(&text))
    } else {
        None
    };
    let Some(problem) = problem else {
        return Failure {
            money: ProblemMoney::Unknown,
            retry_after,
            ..FailureKind::of(status, &ProblemType::default()).into()
        };
    };
    let meta = (!problem.messages.is_empty()).then(|| {
        let mut meta = Meta::default();
        meta.status.message_ilgn = problem.messages;
        Box::new(meta)
    });
    Failure {
        kind: FailureKind::of(status, &problem.kind),
        money: ProblemMoney::from_word(problem.money.as_deref()),
        retry_after,
        detail: problem.detail,
        left: problem.left,
        refused: problem.errors,
        trace_id: problem.trace_id,
        meta,
    }
}

/// Returns the address of a path of the merchant's server.
pub(super) fn address(base: &str, path: &str) -> String {
    format!("{}{path}", base.trim_end_matches('/'))
}

/// By how much a zone's clocks are ahead of UTC.
pub(super) fn offset(zone: &str, instant: Timestamp) -> Option<ZoneOffset> {
    local_day::offset_of(&texts::local_time_in(zone, instant)?, instant)
}
