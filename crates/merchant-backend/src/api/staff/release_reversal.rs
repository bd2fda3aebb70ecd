use super::Staff;
use super::reason::reason;
use crate::api::Failure;
use crate::api::field::Object;
use crate::api::json_body::JsonBody;
use crate::backend::Backend;
use crate::problem::Problem;
use crate::refunding::{self, ReversalReleaseWanted};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use staff_model::{Permission, Reversal};

/// `POST /api/staff/reversals/{reversal_id}/release`.
pub(super) async fn release(
    State(backend): State<Backend>,
    staff: Staff,
    path: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Json<Reversal>, Failure> {
    staff.must(Permission::Cancel)?;
    let root = Object::body(&body)?;
    root.only(&["reason"])?;
    let reason = reason(&root)?;
    let Ok(Path(reversal_id)) = path else {
        return Err(Problem::not_found().into());
    };
    let key = backend.store.operation_of_reversal(&reversal_id).await?;
    let key = key.filter(|key| staff.sees(&backend, key.merchant_code.as_str()));
    let wanted = ReversalReleaseWanted {
        key: key.ok_or_else(Problem::not_found)?,
        reversal_id,
        staff: staff.name().to_owned(),
        reason,
    };
    let work = {
        let backend = backend.clone();
        async move { refunding::release_reversal(&backend, wanted).await }
    };
    let released = backend.finish(work).await.ok_or(Failure::Internal)??;
    Ok(Json(released?))
}
