//! Requests to the merchant's server and what it answers.

use super::desk::{Answer, Request, Trouble, TroubleKind};
use crate::browser::http::{self, Call};
use crate::browser::json;
use gloo_net::http::{Method, Response};
use payment_model::Meta;
use serde::Serialize;
use serde::de::DeserializeOwned;
use staff_model::{Problem, ProblemType};
use web_sys::AbortController;

/// Sends a request and reads its answer.
pub(super) async fn ask(
    base: &str,
    request: &Request,
    abort: AbortController,
) -> Result<Answer, Trouble> {
    let to = request.address();
    let url = address(base, to.path());
    let call = Call::new(method(to.method()), url, request.key(), body(request));
    let response = call.fetch(abort).await.ok_or(TroubleKind::Network)?;
    if !response.ok() {
        return Err(trouble(response).await);
    }
    match request {
        Request::Session | Request::SignIn(_) => read(response).await.map(Answer::Session),
        Request::SignOut | Request::Resolve(_) => Ok(Answer::Nothing),
        Request::Search(_) => read(response).await.map(Answer::Page),
        Request::Details(_) => read(response).await.map(|it| Answer::Details(Box::new(it))),
        Request::Exceptions => read(response).await.map(Answer::Exceptions),
        Request::Query(_) => read(response).await.map(|it| Answer::Query(Box::new(it))),
        Request::Cancel(..) => read(response).await.map(|it| Answer::Cancel(Box::new(it))),
        Request::Refund(..) => read(response).await.map(|it| Answer::Refund(Box::new(it))),
        Request::Refunds(_) => read(response).await.map(|it| Answer::Refunds(Box::new(it))),
        Request::Release(..) => read(response).await.map(Answer::Attempt),
        Request::ReleaseReversal(..) => read(response).await.map(Answer::Reversal),
        Request::ReleaseOrder(..) => read(response).await.map(Answer::Order),
        Request::Return(..) | Request::MadeReturn(..) | Request::GiveUpReturn(..) => {
            read(response).await.map(Answer::Return)
        }
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
        Request::SignIn(body) => write(body),
        Request::Resolve(body) => write(body),
        Request::Refund(body, _) => write(body),
        Request::Release(_, body) => write(body),
        Request::ReleaseOrder(_, body) => write(body),
        Request::ReleaseReversal(_, body) => write(body),
        Request::Return(body, _) => write(body),
        Request::MadeReturn(_, body) | Request::GiveUpReturn(_, body) => write(body),
        _ => None,
    }
}

fn write(body: &impl Serialize) -> Option<String> {
    let as_json = serde_wasm_bindgen::Serializer::json_compatible();
    let value = body.serialize(&as_json).ok()?;
    js_sys::JSON::stringify(&value).ok()?.as_string()
}

async fn read<T: DeserializeOwned>(response: Response) -> Result<T, Trouble> {
    let body = http::read_json(response).await.and_then(json::read);
    body.ok_or_else(|| TroubleKind::Unreadable.into())
}

async fn trouble(response: Response) -> Trouble {
    let status = response.status();
    let retry_after = http::retry_after(&response);
    let told = response
        .headers()
        .get("Content-Type")
        .is_some_and(|kind| kind.starts_with("application/problem+json"));
    let value = if told {
        http::read_json(response).await
    } else {
        None
    };
    let Some(problem) = value.and_then(json::read::<Problem>) else {
        return Trouble {
            retry_after,
            ..TroubleKind::of(status, &ProblemType::default()).into()
        };
    };
    let meta = (!problem.messages.is_empty()).then(|| {
        let mut meta = Meta::default();
        meta.status.message_ilgn = problem.messages;
        meta
    });
    Trouble {
        kind: TroubleKind::of(status, &problem.kind),
        retry_after,
        detail: problem.detail,
        refused: problem.errors,
        meta,
    }
}

/// Returns the address of a path of the merchant's server.
pub(super) fn address(base: &str, path: &str) -> String {
    [base.trim_end_matches('/'), path].concat()
}

/// By how much a zone's clocks are ahead of UTC.
pub(super) fn offset(zone: &str, instant: i64) -> Option<i64> {
    super::desk::day::offset_of(&crate::i18n::wall_clock(zone, instant)?, instant)
}
