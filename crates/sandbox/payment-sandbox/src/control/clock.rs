use super::error::ControlError;
use crate::{Sandbox, json};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use payment_model::DateObject;
use serde::Deserialize;

/// A hundred years.
const MAX_OFFSET_S: i64 = 3_155_760_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockRequest {
    offset_s: i64,
}

/// `PUT /sandbox/clock`: sets the offset of the sandbox's clock. Operations that become overdue expire before
/// the answer is sent.
pub(super) async fn set(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<DateObject>, ControlError> {
    let request: ClockRequest = json::read(&body).map_err(ControlError::bad_request)?;
    if request.offset_s.unsigned_abs() > MAX_OFFSET_S.unsigned_abs() {
        let reason = format!("offset_s must be from -{MAX_OFFSET_S} to {MAX_OFFSET_S}");
        return Err(ControlError::bad_request(reason));
    }
    sandbox.clock().move_by_seconds(request.offset_s);
    sandbox.catch_up();
    Ok(Json(DateObject::from_timestamp(sandbox.now())))
}

/// `GET /sandbox/clock`.
pub(super) async fn show(State(sandbox): State<Sandbox>) -> Json<DateObject> {
    Json(DateObject::from_timestamp(sandbox.now()))
}
