use super::entity_tag::{EntityTag, Known};
use super::prefer_header::{PREFER, PREFERENCE_APPLIED, wait_of};
use crate::clock::now;
use crate::db::DbError;
use crate::domain::operation::{OperationKey, OperationRecord};
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::limits::NotHeld;
use crate::http::problem::{Problem, ProblemKind};
use crate::http::{Failure, readable_operation};
use crate::shared_query::Freshness;
use crate::wakeups::{Topic, Wakeup};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{AGE, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_model::{Outcome, TransactionId};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// Beside a payment that was given back: whether its payer may pay the order again.
const ORDER_STATE: HeaderName = HeaderName::from_static("order-state");

/// Stands for the operation's transaction. A payer who comes back with only a checkout token cannot
/// know its id, since the token is older than the transaction.
const WHICHEVER: &str = "-";

/// The least time between two reads of the store by a held request while a query is on its way.
const SHORTEST_LOOK: Duration = Duration::from_millis(500);

/// The most time between two reads, in case a look ends without a word.
const LONGEST_LOOK: Duration = Duration::from_secs(10);

/// `GET /api/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`.
pub(in crate::http) async fn status(
    State(app): State<App>,
    caller: Caller,
    path: Result<Path<(String, String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let Ok(Path((merchant_code, number, transaction_id))) = path else {
        return Err(Problem::not_found().into());
    };
    let key = OperationKey::new(merchant_code, number);
    let (record, reader) = readable_operation(&app, &headers, &key).await?;
    match record.transaction_id() {
        Some(id) if transaction_id == WHICHEVER || transaction_id == id.as_str() => {}
        Some(_) => return Err(Problem::not_found().into()),
        // The browser may know the transaction that the server does not, and is asked for no more.
        None if transaction_id == WHICHEVER => {}
        None => {
            let id = TransactionId::new(transaction_id);
            app.charges.take_transaction_hint(&record.key, &id).await?;
        }
    }
    // Subscribed before the first read, so that no change is missed.
    let wakeup = app.wakeups.subscribe(Topic::Operation(key));
    // The time of the stored state: the last answered query, or else the change.
    let told_at = record.queried_at.filter(|_| record.failures == 0);
    let (record, asked) = refresh(&app, record, caller).await;
    let known = Known::of(&headers);
    let wait = wait_of(&headers, app.config.timing.longest_poll);
    // A change since the payer's last answer is answered at once.
    let waits = record.outcome().is_none() || record.is_held();
    let wait = wait.filter(|_| waits && !known.is_behind(&record));
    let place = match wait.map(|_| app.limits.held.take(&reader, caller.0)) {
        Some(Err(NotHeld::SessionIsFull)) => return Err(too_many().into()),
        // The payer asks again after a while, without a connection in between.
        Some(Err(NotHeld::NoRoom)) | None => None,
        Some(Ok(place)) => Some(place),
    };
    let wait = wait.filter(|_| place.is_some());
    let record = match wait {
        None => record,
        Some(wait) => hold(&app, record, caller, wakeup, wait).await?,
    };
    drop(place);
    let body = record.payers_response().ok_or_else(Problem::not_found)?;
    let body = serde_json::to_string(&body).map_err(|_| Failure::Internal)?;
    let tag = EntityTag::of(&record, &body);
    let mut response = if known.has(&tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let json = HeaderValue::from_static("application/json");
        ([(CONTENT_TYPE, json)], body).into_response()
    };
    let told = response.headers_mut();
    told.append(VARY, HeaderValue::from(PREFER));
    if let Some(tag) = tag.header() {
        told.insert(ETAG, tag);
    }
    if wait.is_some() {
        told.insert(PREFERENCE_APPLIED, HeaderValue::from_static("wait"));
    }
    if record.outcome() == Some(Outcome::Reversed)
        && let Some(order) = app.db.order(&record.order_id).await?
    {
        let state = HeaderValue::from_static(order.state.as_str());
        told.insert(ORDER_STATE, state);
    }
    if !asked || record.failures > 0 {
        let told_at = told_at.map_or(record.changed_at, |at| at.max(record.changed_at));
        let age = now().duration_since(told_at).as_secs().max(1);
        told.insert(AGE, HeaderValue::from(age));
    }
    Ok(response)
}

/// The record after a query, or the stored one if that is new enough or no answer comes; the
/// service was the source of the stored one too. The flag is false after a failed or slow query.
async fn refresh(app: &App, record: OperationRecord, caller: Caller) -> (OperationRecord, bool) {
    let timing = &app.config.timing;
    // A doubt is the background's to settle.
    if record.transaction().is_none() {
        return (record, false);
    }
    let age = match record.outcome() {
        _ if record.is_held() => timing.query_interval,
        Some(Outcome::Paid | Outcome::Reversed) => timing.result_interval,
        _ => timing.query_interval,
    };
    let recent = Freshness::Recent {
        most: age,
        client: Some(caller.0),
    };
    let asked = app.charges.query(record.clone(), recent);
    // The query goes on in its own task, and a held request hears of it.
    match tokio::time::timeout(timing.look_patience, asked).await {
        Ok(Ok(queried)) => (queried.record, true),
        Ok(Err(_)) | Err(_) => (record, false),
    }
}

/// Holds the request until the state changes, the time is over or the server stops. Meanwhile the
/// server asks the service with a payer's priority, before the background.
async fn hold(
    app: &App,
    mut record: OperationRecord,
    caller: Caller,
    mut wakeup: Wakeup,
    wait: Duration,
) -> Result<OperationRecord, DbError> {
    let deadline = Instant::now() + wait;
    let told = |record: &OperationRecord| {
        let state = record.state().cloned();
        (state, record.outcome(), record.is_held())
    };
    let before = told(&record);
    let mut asked: Option<JoinHandle<_>> = None;
    while told(&record) == before && !app.tasks.is_stopping() {
        let rest = deadline.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            break;
        }
        let fresh = record.fresh_for_payer(now());
        // One look at a time: while queries queue, further ones would only pile up.
        let looks = asked.as_ref().is_some_and(|look| !look.is_finished());
        if fresh.is_zero() && !looks && record.transaction().is_some() {
            let (charges, record) = (app.charges.clone(), record.clone());
            let shared = Freshness::Recent {
                most: app.config.timing.query_interval,
                client: Some(caller.0),
            };
            let look = async move { charges.query(record, shared).await.map(drop) };
            asked = Some(app.tasks.spawn(look));
        }
        // The answer to a running look wakes this request.
        let look = if looks {
            LONGEST_LOOK
        } else {
            fresh.max(SHORTEST_LOOK)
        };
        tokio::select! {
            () = wakeup.wait(rest.min(look)) => {}
            () = app.tasks.stopped() => {}
        }
        if let Some(stored) = app.db.operation(&record.key).await? {
            record = stored;
        }
    }
    Ok(record)
}

fn too_many() -> Problem {
    let detail =
        "This session has too many requests waiting; close some or leave out `Prefer: wait`.";
    Problem::new(ProblemKind::TooManyRequests, detail).retry_after(Duration::from_secs(5))
}
