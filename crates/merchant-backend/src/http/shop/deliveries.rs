//! `GET /api/shop/events/{event_id}/deliveries`: the log of the deliveries of an event.

use super::ShopProgram;
use crate::db::LoggedDelivery;
use crate::http::app::App;
use crate::http::problem::{Failure, Problem, ProblemKind};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use payment_rules::api_key::ApiPermission;
use payment_rules::timing::rfc3339;
use serde::Serialize;

/// The most deliveries of one answer.
const MAX_DELIVERIES: u32 = 100;

#[derive(Serialize)]
pub(super) struct Deliveries {
    /// The newest first.
    deliveries: Vec<Delivery>,
}

#[derive(Serialize)]
struct Delivery {
    receiver: String,
    event_id: String,
    #[serde(rename = "type")]
    kind: String,
    order_id: String,
    sent_at: String,
    /// The status of the answer; `None` without an answer.
    status: Option<i64>,
    /// Why it failed, in a word; `None` if the receiver took the event.
    failure: Option<String>,
    duration_ms: i64,
}

/// Lists the deliveries of an event.
pub(super) async fn of_event(
    State(app): State<App>,
    program: ShopProgram,
    path: Result<Path<String>, PathRejection>,
) -> Result<Json<Deliveries>, Failure> {
    program.must(ApiPermission::Read)?;
    let Path(event_id) = path.map_err(|_| Problem::not_found())?;
    let store = &program.0.merchant_code;
    let found = app.db.deliveries_of(store, &event_id, MAX_DELIVERIES);
    let Some(found) = found.await? else {
        let detail = "The store of this API key has no such event, or it was removed.";
        return Err(Problem::new(ProblemKind::NotFound, detail).into());
    };
    Ok(Json(Deliveries {
        deliveries: found.into_iter().map(shown).collect(),
    }))
}

fn shown(logged: LoggedDelivery) -> Delivery {
    Delivery {
        receiver: logged.receiver,
        event_id: logged.event_id,
        kind: logged.kind,
        order_id: logged.order_id,
        sent_at: rfc3339(logged.sent_at),
        status: logged.status,
        failure: logged.failure,
        duration_ms: logged.duration_ms,
    }
}
