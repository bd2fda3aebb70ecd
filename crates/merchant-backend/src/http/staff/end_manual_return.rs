use super::Staff;
use super::reason::only_reason;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::json_body::JsonBody;
use crate::http::problem::Problem;
use crate::payments::EndReturnCommand;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use payment_rules::ledger::ReturnStep;
use payment_rules::payment::ReturnEndKind;
use serde_json::Value;
use staff_model::Permission;

type Return = Result<Path<String>, PathRejection>;

/// `POST /api/staff/returns/{return_id}/done`: the money was given back.
pub(super) async fn done(
    State(app): State<App>,
    staff: Staff,
    path: Return,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    end(&app, &staff, path, &body, ReturnEndKind::Made).await
}

/// `POST /api/staff/returns/{return_id}/given-up`: the return is not made, or was not. It takes two
/// members of staff, unless the one who reserved it gives it up.
pub(super) async fn given_up(
    State(app): State<App>,
    staff: Staff,
    path: Return,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    end(&app, &staff, path, &body, ReturnEndKind::GivenUp).await
}

async fn end(
    app: &App,
    staff: &Staff,
    path: Return,
    body: &Value,
    kind: ReturnEndKind,
) -> Result<Response, Failure> {
    staff.must(Permission::Refund)?;
    let reason = only_reason(body)?;
    let Ok(Path(return_id)) = path else {
        return Err(Problem::not_found().into());
    };
    let key = app.db.operation_of_return(&return_id).await?;
    let key = key.filter(|key| staff.sees(key.merchant_code.as_str()));
    let command = EndReturnCommand {
        key: key.ok_or_else(Problem::not_found)?,
        return_id,
        kind,
        staff: staff.name().to_owned(),
        reason,
    };
    let payments = app.payments.clone();
    let work = async move { payments.end_return(command).await };
    let step = app.tasks.finish(work).await.ok_or(Failure::Internal)??;
    Ok(match step.map_err(Problem::from)? {
        ReturnStep::Asked(record) => (StatusCode::ACCEPTED, Json(record.shown())).into_response(),
        ReturnStep::Ended(record) | ReturnStep::Repeated(record) => {
            Json(record.shown()).into_response()
        }
    })
}
