use super::error::ControlError;
use crate::settings::{Settings, SettingsChange};
use crate::{Sandbox, json};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;

/// `PUT /sandbox/settings`: changes the given settings, and returns all settings but the token.
pub(super) async fn change(
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
pub(super) async fn show(State(sandbox): State<Sandbox>) -> Json<Settings> {
    Json(sandbox.world().settings.clone())
}
