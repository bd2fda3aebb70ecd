//! `GET /api/staff/deliveries`: the last deliveries of events that were tried.

use super::Staff;
use crate::db::LoggedDelivery;
use crate::http::app::App;
use crate::http::body::wrong_query;
use crate::http::problem::Failure;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use payment_model::Timestamp;
use serde::{Deserialize, Serialize};

/// The most deliveries of one answer.
const MAX_DELIVERIES: u32 = 200;

/// Which deliveries are listed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    /// Those of events of this order; absent for all.
    order_id: Option<String>,
}

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
    sent_at: Timestamp,
    /// The status of the answer; `None` without an answer.
    status: Option<i64>,
    /// Why it failed, in a word; `None` if the receiver took the event.
    failure: Option<String>,
    duration_ms: i64,
}

/// Lists the last deliveries of events of the stores that the account sees.
pub(super) async fn list(
    State(app): State<App>,
    staff: Staff,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<Deliveries>, Failure> {
    let Query(query) = query.map_err(|_| wrong_query("`order_id` is the only parameter"))?;
    let order_id = query.order_id.as_deref();
    let found = app
        .db
        .last_deliveries(&staff.codes, order_id, MAX_DELIVERIES);
    Ok(Json(Deliveries {
        deliveries: found.await?.into_iter().map(shown).collect(),
    }))
}

fn shown(logged: LoggedDelivery) -> Delivery {
    Delivery {
        receiver: logged.receiver,
        event_id: logged.event_id,
        kind: logged.kind,
        order_id: logged.order_id,
        sent_at: logged.sent_at,
        status: logged.status,
        failure: logged.failure,
        duration_ms: logged.duration_ms,
    }
}
