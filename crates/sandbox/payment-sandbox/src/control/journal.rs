use super::error::ControlError;
use crate::Sandbox;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// `GET /sandbox/journal`: the entries as JSON lines, the oldest first; with `?after={seq}` only later
/// entries.
pub(super) async fn read(
    State(sandbox): State<Sandbox>,
    RawQuery(query): RawQuery,
) -> Result<impl IntoResponse, ControlError> {
    let query = query.unwrap_or_default();
    let after = match query.strip_prefix("after=") {
        Some(number) => number
            .parse()
            .map_err(|_| ControlError::bad_request("after must be a whole number"))?,
        None if query.is_empty() => 0,
        None => {
            return Err(ControlError::bad_request(
                "the journal takes only ?after={seq}",
            ));
        }
    };
    let entries = sandbox.world().journal.after(after);
    let mut lines = String::new();
    for entry in entries {
        let line = serde_json::to_string(&entry).map_err(|error| ControlError::internal(&error))?;
        lines.push_str(&line);
        lines.push('\n');
    }
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], lines))
}

/// `DELETE /sandbox/journal`: removes the entries. The sequence numbers continue.
pub(super) async fn clear(State(sandbox): State<Sandbox>) -> StatusCode {
    sandbox.world().journal.clear();
    StatusCode::NO_CONTENT
}
