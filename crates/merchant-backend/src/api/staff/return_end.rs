use super::Staff;
use super::reason::reason;
use crate::api::Failure;
use crate::api::field::Object;
use crate::api::json_body::JsonBody;
use crate::backend::Backend;
use crate::problem::Problem;
use crate::refunding::{self, ReturnEndWanted};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use serde_json::Value;
use staff_model::{ManualReturn, Permission, ReturnState};

type Return = Result<Path<String>, PathRejection>;

/// `POST /api/staff/returns/{return_id}/done`: the money was given back.
pub(super) async fn done(
    State(backend): State<Backend>,
    staff: Staff,
    path: Return,
    JsonBody(body): JsonBody,
) -> Result<Json<ManualReturn>, Failure> {
    end(&backend, &staff, path, &body, ReturnState::Done).await
}

/// `POST /api/staff/returns/{return_id}/given-up`: nobody gives it back.
pub(super) async fn given_up(
    State(backend): State<Backend>,
    staff: Staff,
    path: Return,
    JsonBody(body): JsonBody,
) -> Result<Json<ManualReturn>, Failure> {
    end(&backend, &staff, path, &body, ReturnState::GivenUp).await
}

async fn end(
    backend: &Backend,
    staff: &Staff,
    path: Return,
    body: &Value,
    state: ReturnState,
) -> Result<Json<ManualReturn>, Failure> {
    staff.must(Permission::Refund)?;
    let root = Object::body(body)?;
    root.only(&["reason"])?;
    let reason = reason(&root)?;
    let Ok(Path(return_id)) = path else {
        return Err(Problem::not_found().into());
    };
    let key = backend.store.operation_of_return(&return_id).await?;
    let key = key.filter(|key| staff.sees(backend, key.merchant_code.as_str()));
    let wanted = ReturnEndWanted {
        key: key.ok_or_else(Problem::not_found)?,
        return_id,
        state,
        staff: staff.name().to_owned(),
        reason,
    };
    let work = {
        let backend = backend.clone();
        async move { refunding::end_return(&backend, wanted).await }
    };
    let ended = backend.finish(work).await.ok_or(Failure::Internal)??;
    Ok(Json(ended?))
}
