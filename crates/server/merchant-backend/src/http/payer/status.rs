//! Shows a payer the state of a payment: of an operation, whose request may be held until it changes,
//! and of an order.

use super::status_answer::{Known, look};
use super::{OrderFields, readable_operation};
use crate::clock::now;
use crate::db::DbError;
use crate::db::HintSource;
use crate::http::app::App;
use crate::http::body::{JsonBody, Text};
use crate::http::caller::Caller;
use crate::http::limits::NotHeld;
use crate::http::prefer::{PREFERENCE_APPLIED, wait_of};
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::single_flight::Freshness;
use crate::wakeups::{Topic, Wakeup};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_model::TransactionId;
use payment_rules::operation::{OperationKey, OperationRecord, ends_unpaid, to_show};
use payment_rules::order::OrderFacts;
use payment_rules::staff_link::LINK_ORDER_PREFIX;
use serde::Deserialize;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// In place of a transaction's id in the address. A payer who returns with only a checkout token does
/// not know the id, since the token is older than the transaction.
const WHICHEVER: &str = "-";

/// The shortest time between two reads of the database by a held request.
const SHORTEST_READ_INTERVAL: Duration = Duration::from_millis(500);

/// The longest time between two reads while a query runs: a query that fails wakes no request.
const LONGEST_READ_INTERVAL: Duration = Duration::from_secs(10);

/// `GET /api/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`: the state of an
/// operation.
pub(in crate::http) async fn status(
    State(app): State<App>,
    caller: Caller,
    path: Result<Path<(String, String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let Ok(Path((merchant_code, number, transaction_id))) = path else {
        return Err(Problem::not_known().into());
    };
    let key = OperationKey::new(merchant_code, number);
    let (record, reader) = readable_operation(&app, &headers, &key).await?;
    match record.transaction_id() {
        Some(id) if transaction_id == WHICHEVER || transaction_id == id.as_str() => {}
        Some(_) => return Err(Problem::not_known().into()),
        None if transaction_id == WHICHEVER => {}
        // The browser may know a transaction that the server does not know.
        None => {
            let id = TransactionId::new(transaction_id);
            app.payments
                .take_transaction_hint(&record.key, &id, HintSource::Person)
                .await?;
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
    let slot = match wait.map(|_| app.limits.held.take(&reader, caller.0)) {
        Some(Err(NotHeld::SessionIsFull)) => return Err(too_many().into()),
        // Answered at once; the browser polls without holding a connection.
        Some(Err(NotHeld::NoRoom)) | None => None,
        Some(Ok(slot)) => Some(slot),
    };
    let wait = wait.filter(|_| slot.is_some());
    if let Some(wait) = wait {
        looked.record = hold(&app, looked.record, caller, wakeup, wait).await?;
    }
    drop(slot);
    let mut response = looked.answer(&app, &known).await?;
    if wait.is_some() {
        let applied = HeaderValue::from_static("wait");
        response.headers_mut().insert(PREFERENCE_APPLIED, applied);
    }
    Ok(response)
}

/// Holds the request until the state changes, the time is over or the server stops. Meanwhile it
/// queries the service with a payer's priority, which is above that of background polls.
async fn hold(
    app: &App,
    mut record: OperationRecord,
    caller: Caller,
    mut wakeup: Wakeup,
    wait: Duration,
) -> Result<OperationRecord, DbError> {
    let deadline = Instant::now() + wait;
    let facts = |record: &OperationRecord| {
        let state = record.state().cloned();
        (state, record.outcome(), record.is_held())
    };
    let before = facts(&record);
    let mut query: Option<JoinHandle<_>> = None;
    while facts(&record) == before && !app.tasks.is_stopping() {
        let rest = deadline.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            break;
        }
        let fresh = record.fresh_for_payer(now());
        // One query at a time: further ones would only lengthen the queue of the query scheduler.
        let querying = query.as_ref().is_some_and(|query| !query.is_finished());
        if fresh.is_zero() && !querying && record.transaction().is_some() {
            let (payments, record) = (app.payments.clone(), record.clone());
            let shared = Freshness::Recent {
                most: app.config.timing.query_interval,
                client: Some(caller.0),
            };
            let work = async move { payments.query(record, shared).await.map(drop) };
            query = Some(app.tasks.spawn(work));
        }
        // The answer to a running query wakes this request.
        let interval = if querying {
            LONGEST_READ_INTERVAL
        } else {
            fresh.max(SHORTEST_READ_INTERVAL)
        };
        tokio::select! {
            () = wakeup.wait(rest.min(interval)) => {}
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

/// The body of [`live`], with the fields of [`OrderFields`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct LiveBody {
    order: Option<Text>,
    order_id: Option<Text>,
    order_key: Option<Text>,
    store: Option<Text>,
    pay_link: Option<Text>,
}

/// `POST /api/charges/live`: the state of the operation that the payer of an order should see, for a page that remembers
/// no operation. Without such an operation it is the offer of the order, or nothing where every method is offered.
/// It starts no payment and saves no order. A browser
/// with the shop's right to pay may read the payment from now on, as after an authorization.
pub(in crate::http) async fn live(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<LiveBody>,
) -> Result<Response, Failure> {
    let named = OrderFields {
        order: body.order.as_ref(),
        order_id: body.order_id.as_ref(),
        order_key: body.order_key.as_ref(),
        store: body.store.as_ref(),
        pay_link: body.pay_link.as_ref(),
    };
    let named = named.named()?;
    let proof = named.proof();
    let order = app.orders.order_to_view(&headers, caller.0, named).await?;
    if body.pay_link.is_some() {
        note_opened(&app, &order);
    }
    let operations = app.db.operations_of(&order.full_id()).await?;
    let to_see = to_show(operations.iter()).cloned();
    let looked = match to_see {
        Some(record) => Some(look(&app, record, caller).await),
        None => None,
    };
    let Some(looked) = looked.filter(|looked| !ends_unpaid(&looked.record)) else {
        let offer = app.offer(&order, body.pay_link.is_some()).await?;
        return Ok(match offer.not_offered.is_empty() {
            true => StatusCode::NO_CONTENT.into_response(),
            false => Json(offer).into_response(),
        });
    };
    // From now on the page uses the address of the operation, which answers only such browsers.
    let new = match app.orders.is_in(&headers, &order).await? {
        true => None,
        false => Some(app.orders.grant_session(&headers, &order, proof).await?),
    };
    let known = Known::of(&HeaderMap::new());
    let mut response = looked.answer(&app, &known).await?;
    if let Some(payer) = new {
        payer.set_cookie(response.headers_mut());
    }
    Ok(response)
}

/// Notes that the page of a link was opened. Its script says so and no preview of a chat, which runs none. The payer does
/// not wait for that, and a failure changes nothing for the payer.
fn note_opened(app: &App, order: &OrderFacts) {
    if !order.order_id.starts_with(LINK_ORDER_PREFIX) {
        return;
    }
    let (db, wakeups, id) = (app.db.clone(), app.wakeups.clone(), order.full_id());
    app.tasks.spawn(async move {
        match db.note_opened_link(&id).await {
            Ok(true) => wakeups.wake(&Topic::Desk),
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(%error, "that a payment link was opened could not be stored");
            }
        }
    });
}
