use super::Staff;
use super::reason::only_reason;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::json_body::JsonBody;
use crate::http::problem::Problem;
use crate::payments::ReleaseCommand;
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
    let key = app.db.operation_of_attempt(&attempt_id).await?;
    let key = key.filter(|key| staff.sees(key.merchant_code.as_str()));
    let command = ReleaseCommand {
        key: key.ok_or_else(Problem::not_found)?,
        id: attempt_id,
        staff: staff.name().to_owned(),
        reason,
    };
    let payments = app.payments.clone();
    let work = async move { payments.release_refund_attempt(&command).await };
    let released = app.tasks.finish(work).await.ok_or(Failure::Internal)??;
    Ok(Json(released).into_response())
}
