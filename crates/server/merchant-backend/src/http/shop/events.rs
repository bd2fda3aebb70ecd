//! `GET /api/shop/events`: the events of the key's store from a cursor on, for a program that missed some;
//! `POST /api/shop/events/{event_id}/resend` sends one to its receivers again.

use super::{ShopProgram, read_number};
use crate::clock::now;
use crate::db::{EventCursor, EventPage, ListedDelivery, ListedEvent, ResendEventOutcome};
use crate::http::app::App;
use crate::http::body::wrong_query;
use crate::http::limits::too_many;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::wakeups::Topic;
use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use payment_rules::api_key::ApiPermission;
use payment_rules::timing::rfc3339;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most events of one answer.
const PAGE_EVENTS: usize = 100;

/// Where to read on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    /// `next` of the last answer; absent for the first event that is kept.
    after: Option<String>,
}

#[derive(Serialize)]
pub(super) struct EventList {
    events: Vec<ShownEvent>,
    /// The cursor to read on from, also if there is nothing new.
    next: String,
    /// More events may be there now.
    more: bool,
}

#[derive(Serialize)]
struct ShownEvent {
    /// The body of every delivery.
    event: Value,
    /// By receiver.
    deliveries: Vec<ShownDelivery>,
}

#[derive(Serialize)]
struct ShownDelivery {
    receiver: String,
    /// When the receiver took it; `None` before that.
    delivered_at: Option<String>,
    /// How many deliveries failed.
    failures: i64,
}

/// Which receivers get an event again.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResendQuery {
    /// The only one; absent for all that want its type.
    receiver: Option<String>,
}

/// Lists the events after a cursor.
pub(super) async fn list(
    State(app): State<App>,
    program: ShopProgram,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<EventList>, Failure> {
    program.must(ApiPermission::Read)?;
    let Query(query) = query.map_err(|_| wrong_query("`after` is the only parameter"))?;
    let after = match query.after.as_deref() {
        None => None,
        Some(cursor) => Some(read_cursor(cursor)?),
    };
    let page = app
        .db
        .events_after(&program.0.merchant_code, after, PAGE_EVENTS);
    let Some(EventPage { events, next }) = page.await? else {
        let detail = "Events after this cursor were removed, 30 days after their delivery. Compare your orders with the server's, then read on without `after`.";
        return Err(Problem::new(ProblemKind::CursorTooOld, detail).into());
    };
    let more = events.len() == PAGE_EVENTS;
    let events: Result<_, _> = events.iter().map(shown).collect();
    Ok(Json(EventList {
        events: events?,
        next: format!("{}-{}", next.position, next.known_removals),
        more,
    }))
}

fn read_cursor(text: &str) -> Result<EventCursor, Problem> {
    let read = || {
        let (position, known_removals) = text.split_once('-')?;
        Some(EventCursor {
            position: read_number(position)?,
            known_removals: read_number(known_removals)?,
        })
    };
    read().ok_or_else(|| wrong_query("`after` is no cursor of an earlier answer"))
}

fn shown(event: &ListedEvent) -> Result<ShownEvent, Failure> {
    Ok(ShownEvent {
        event: serde_json::from_str(&event.body).map_err(|_| Failure::Internal)?,
        deliveries: event.deliveries.iter().map(shown_delivery).collect(),
    })
}

fn shown_delivery(delivery: &ListedDelivery) -> ShownDelivery {
    ShownDelivery {
        receiver: delivery.receiver.clone(),
        delivered_at: delivery.delivered_at.map(rfc3339),
        failures: delivery.failures,
    }
}

/// Sends an event to one receiver, or to all that want it, again.
pub(super) async fn resend(
    State(app): State<App>,
    program: ShopProgram,
    path: Result<Path<String>, PathRejection>,
    query: Result<Query<ResendQuery>, QueryRejection>,
) -> Result<StatusCode, Failure> {
    program.must(ApiPermission::Resend)?;
    let Path(event_id) = path.map_err(|_| Problem::not_found())?;
    let Query(query) = query.map_err(|_| wrong_query("`receiver` is the only parameter"))?;
    let (store, receiver) = (&program.0.merchant_code, query.receiver.as_deref());
    let admits = |receiver: &str| app.limits.resend(&event_id, receiver);
    let resent = app
        .db
        .resend_event(store, &event_id, receiver, admits, now());
    let detail = match resent.await? {
        ResendEventOutcome::Due => {
            app.wakeups.wake(&Topic::Background);
            return Ok(StatusCode::ACCEPTED);
        }
        ResendEventOutcome::TooOften(wait) => {
            let detail = "This event was sent again within the last minute. Nothing was done: wait as long as Retry-After says, then repeat the request.";
            return Err(too_many(detail, wait).into());
        }
        ResendEventOutcome::NoEvent => {
            "The store of this API key has no such event, or it was removed."
        }
        ResendEventOutcome::NoReceiver => {
            "The server has no receiver of this name that wants the type of the event."
        }
    };
    Err(Problem::new(ProblemKind::NotFound, detail).into())
}
