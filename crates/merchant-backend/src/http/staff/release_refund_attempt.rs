use super::Staff;
use super::reason::only_reason;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::json_body::JsonBody;
use crate::http::problem::Problem;
use crate::refunds::ReleaseWanted;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use staff_model::Permission;

/// `POST /api/staff/refund-attempts/{attempt_id}/release`.
pub(super) async fn release(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    staff.must(Permission::Refund)?;
    let reason = only_reason(&body)?;
    let Ok(Path(attempt_id)) = path else {
        return Err(Problem::not_found().into());
    };
    let key = app.db.attempted(&attempt_id).await?;
    let key = key.filter(|key| staff.sees(key.merchant_code.as_str()));
    let wanted = ReleaseWanted {
        key: key.ok_or_else(Problem::not_found)?,
        attempt_id,
        staff: staff.name().to_owned(),
        reason,
    };
    let refunds = app.refunds.clone();
    let work = async move { refunds.release_attempt(wanted).await };
    let released = app.tasks.finish(work).await.ok_or(Failure::Internal)??;
    Ok(Json(released.map_err(Problem::from)?).into_response())
}
