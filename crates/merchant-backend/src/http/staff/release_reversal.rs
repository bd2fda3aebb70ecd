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
use staff_model::{Permission, Reversal};

/// `POST /api/staff/reversals/{reversal_id}/release`.
pub(super) async fn release(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Json<Reversal>, Failure> {
    staff.must(Permission::Cancel)?;
    let reason = only_reason(&body)?;
    let Ok(Path(reversal_id)) = path else {
        return Err(Problem::not_found().into());
    };
    let key = app.db.operation_of_reversal(&reversal_id).await?;
    let key = key.filter(|key| staff.sees(key.merchant_code.as_str()));
    let command = ReleaseCommand {
        key: key.ok_or_else(Problem::not_found)?,
        id: reversal_id,
        staff: staff.name().to_owned(),
        reason,
    };
    let payments = app.payments.clone();
    let work = async move { payments.release_reversal(&command).await };
    let released = app.tasks.finish(work).await.ok_or(Failure::Internal)??;
    Ok(Json(released))
}
