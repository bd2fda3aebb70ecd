use super::Staff;
use super::reason::reason;
use crate::api::Failure;
use crate::api::field::Object;
use crate::api::json_body::JsonBody;
use crate::backend::Backend;
use crate::problem::Problem;
use crate::refunding::{self, ReleaseWanted};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use staff_model::Permission;

/// `POST /api/staff/refund-attempts/{attempt_id}/release`.
pub(super) async fn release(
    State(backend): State<Backend>,
    staff: Staff,
    path: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    staff.must(Permission::Refund)?;
    let root = Object::body(&body)?;
    root.only(&["reason"])?;
    let reason = reason(&root)?;
    let Ok(Path(attempt_id)) = path else {
        return Err(Problem::not_found().into());
    };
    let key = backend.store.attempted(&attempt_id).await?;
    let key = key.filter(|key| staff.sees(&backend, key.merchant_code.as_str()));
    let wanted = ReleaseWanted {
        key: key.ok_or_else(Problem::not_found)?,
        attempt_id,
        staff: staff.name().to_owned(),
        reason,
    };
    let work = {
        let backend = backend.clone();
        async move { refunding::release(&backend, wanted).await }
    };
    let released = backend.finish(work).await.ok_or(Failure::Internal)??;
    Ok(Json(released?).into_response())
}
