use super::error::ControlError;
use crate::fault::{FaultRequest, Faults};
use crate::{Sandbox, json};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use serde_json::{Value, json};

/// `PUT /sandbox/faults`: replaces the list of faults. An empty list removes all faults.
pub(super) async fn replace(
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
pub(super) async fn list(State(sandbox): State<Sandbox>) -> Json<Value> {
    Json(json!({"left": sandbox.world().faults.left()}))
}
