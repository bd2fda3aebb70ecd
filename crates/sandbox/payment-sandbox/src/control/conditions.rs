//! What a test sets before it acts: the clock, the faults and the settings.

use super::error::ControlError;
use crate::fault::{FaultRequest, Faults};
use crate::settings::{Settings, SettingsChange};
use crate::{Sandbox, json};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use payment_model::DateObject;
use serde::Deserialize;
use serde_json::{Value, json};

/// A hundred years.
const MAX_OFFSET_S: i64 = 3_155_760_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockRequest {
    offset_s: i64,
}

/// `PUT /sandbox/clock`: sets the offset of the sandbox's clock. Operations that become overdue expire before
/// the answer is sent.
pub(super) async fn set_clock(
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
pub(super) async fn show_clock(State(sandbox): State<Sandbox>) -> Json<DateObject> {
    Json(DateObject::from_timestamp(sandbox.now()))
}

/// `PUT /sandbox/faults`: replaces the list of faults. An empty list removes all faults.
pub(super) async fn replace_faults(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Value>, ControlError> {
    let requests: Vec<FaultRequest> = json::read(&body).map_err(ControlError::bad_request)?;
    let faults = FaultRequest::check_all(requests).map_err(ControlError::bad_request)?;
    let mut world = sandbox.world();
    world.faults = Faults::new(faults);
    Ok(Json(json!({"left": world.faults.left()})))
}

/// `GET /sandbox/faults`: the number of remaining faults of each kind.
pub(super) async fn list_faults(State(sandbox): State<Sandbox>) -> Json<Value> {
    Json(json!({"left": sandbox.world().faults.left()}))
}

/// `PUT /sandbox/settings`: changes the given settings, and returns all settings but the token.
pub(super) async fn change_settings(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Settings>, ControlError> {
    let change: SettingsChange = json::read(&body).map_err(ControlError::bad_request)?;
    let mut world = sandbox.world();
    world
        .settings
        .change(change)
        .map_err(ControlError::bad_request)?;
    Ok(Json(world.settings.clone()))
}

/// `GET /sandbox/settings`.
pub(super) async fn show_settings(State(sandbox): State<Sandbox>) -> Json<Settings> {
    Json(sandbox.world().settings.clone())
}
