//! `GET /api/staff/deliveries`: the last deliveries of events that were tried.

use super::Staff;
use crate::http::app::App;
use crate::http::body::wrong_query;
use crate::http::logged_delivery::Deliveries;
use crate::http::problem::Failure;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use payment_model::Timestamp;
use serde::Deserialize;

/// The most deliveries of one answer.
const MAX_DELIVERIES: u32 = 200;

/// Which deliveries are listed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    /// Those of events of this order; absent for all.
    order_id: Option<String>,
}

/// Lists the last deliveries of events of the stores that the account sees.
pub(super) async fn list(
    State(app): State<App>,
    staff: Staff,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<Deliveries<Timestamp>>, Failure> {
    let Query(query) = query.map_err(|_| wrong_query("`order_id` is the only parameter"))?;
    let order_id = query.order_id.as_deref();
    let found = app
        .db
        .last_deliveries(&staff.codes, order_id, MAX_DELIVERIES);
    Ok(Json(Deliveries::of(found.await?, |at| at)))
}
