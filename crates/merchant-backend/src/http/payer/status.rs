use super::entity_tag::Known;
use super::prefer_header::{PREFERENCE_APPLIED, wait_of};
use super::status_answer::look;
use crate::clock::now;
use crate::db::DbError;
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::limits::NotHeld;
use crate::http::problem::{Problem, ProblemKind};
use crate::http::{Failure, readable_operation};
use crate::shared_query::Freshness;
use crate::wakeups::{Topic, Wakeup};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use payment_model::TransactionId;
use payment_rules::operation::{OperationKey, OperationRecord};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::Instant;

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
            app.payments.take_transaction_hint(&record.key, &id).await?;
        }
    }
    // Subscribed before the first read, so that no change is missed.
    let wakeup = app.wakeups.subscribe(Topic::Operation(key));
    let mut looked = look(&app, record, caller).await;
    let known = Known::of(&headers);
    let wait = wait_of(&headers, app.config.timing.longest_poll);
    // A change since the payer's last answer is answered at once.
    let waits = looked.record.outcome().is_none() || looked.record.is_held();
    let wait = wait.filter(|_| waits && !known.is_behind(&looked.record));
    let place = match wait.map(|_| app.limits.held.take(&reader, caller.0)) {
        Some(Err(NotHeld::SessionIsFull)) => return Err(too_many().into()),
        // The payer asks again after a while, without a connection in between.
        Some(Err(NotHeld::NoRoom)) | None => None,
        Some(Ok(place)) => Some(place),
    };
    let wait = wait.filter(|_| place.is_some());
    if let Some(wait) = wait {
        looked.record = hold(&app, looked.record, caller, wakeup, wait).await?;
    }
    drop(place);
    let mut response = looked.answer(&app, &known).await?;
    if wait.is_some() {
        let applied = HeaderValue::from_static("wait");
        response.headers_mut().insert(PREFERENCE_APPLIED, applied);
    }
    Ok(response)
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
            let (charges, record) = (app.payments.clone(), record.clone());
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
