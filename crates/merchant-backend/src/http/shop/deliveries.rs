//! `GET /api/shop/events/{event_id}/deliveries`: the log of the deliveries of an event.

use super::ShopProgram;
use crate::http::app::App;
use crate::http::logged_delivery::Deliveries;
use crate::http::problem::{Failure, Problem, ProblemKind};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use payment_rules::api_key::ApiPermission;
use payment_rules::timing::rfc3339;

/// The most deliveries of one answer.
const MAX_DELIVERIES: u32 = 100;

/// Lists the deliveries of an event.
pub(super) async fn of_event(
    State(app): State<App>,
    program: ShopProgram,
    path: Result<Path<String>, PathRejection>,
) -> Result<Json<Deliveries<String>>, Failure> {
    program.must(ApiPermission::Read)?;
    let Path(event_id) = path.map_err(|_| Problem::not_found())?;
    let store = &program.0.merchant_code;
    let found = app.db.deliveries_of(store, &event_id, MAX_DELIVERIES);
    let Some(found) = found.await? else {
        let detail = "The store of this API key has no such event, or it was removed.";
        return Err(Problem::new(ProblemKind::NotFound, detail).into());
    };
    Ok(Json(Deliveries::of(found, rfc3339)))
}
