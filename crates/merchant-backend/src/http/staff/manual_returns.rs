//! Money that staff give back where the service cannot: a return is recorded, and then made or
//! given up.

use super::Staff;
use super::keyed_request::{asker, must_see, request_fingerprint};
use super::reason::reason;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::{JsonBody, wrong};
use crate::http::problem::Problem;
use crate::payments::{EndReturnCommand, RecordReturnCommand};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_rules::ledger::ReturnStep;
use payment_rules::operation::OperationKey;
use payment_rules::order::LARGEST_AMOUNT;
use payment_rules::payment::ReturnEndKind;
use staff_model::{EndReturn, ManualReturn, Permission, RecordReturn};

/// `POST /api/staff/returns`: money that staff are about to give back, or gave back already.
pub(super) async fn record(
    State(app): State<App>,
    staff: Staff,
    headers: HeaderMap,
    JsonBody(body): JsonBody<RecordReturn>,
) -> Result<(StatusCode, Json<ManualReturn>), Failure> {
    staff.must(Permission::Refund)?;
    let asker = asker(&staff, &headers)?;
    must_see(&staff, &body.merchant_code)?;
    if body.amount.get() > LARGEST_AMOUNT {
        return Err(wrong("amount", "a whole number of cents").into());
    }
    let command = RecordReturnCommand {
        asker,
        fingerprint: request_fingerprint("return", &body)?,
        reason: reason(&body.reason)?,
        amount: body.amount.get(),
        already_made: body.already_made,
        key: OperationKey::new(body.merchant_code, body.merchant_operation_number),
        limits: staff.account.limits(),
    };
    let payments = app.payments.clone();
    let work = async move { payments.record_return(&command).await };
    let returned = app.tasks.finish(work).await.ok_or(Failure::Internal)??;
    Ok((StatusCode::CREATED, Json(returned)))
}

type ReturnPath = Result<Path<String>, PathRejection>;

/// `POST /api/staff/returns/{return_id}/done`: the money was given back.
pub(super) async fn done(
    State(app): State<App>,
    staff: Staff,
    path: ReturnPath,
    JsonBody(body): JsonBody<EndReturn>,
) -> Result<Response, Failure> {
    end(&app, &staff, path, &body, ReturnEndKind::Made).await
}

/// `POST /api/staff/returns/{return_id}/given-up`: the return is not made, or was not. It takes two
/// members of staff, unless the one who reserved it gives it up.
pub(super) async fn given_up(
    State(app): State<App>,
    staff: Staff,
    path: ReturnPath,
    JsonBody(body): JsonBody<EndReturn>,
) -> Result<Response, Failure> {
    end(&app, &staff, path, &body, ReturnEndKind::GivenUp).await
}

async fn end(
    app: &App,
    staff: &Staff,
    path: ReturnPath,
    body: &EndReturn,
    kind: ReturnEndKind,
) -> Result<Response, Failure> {
    staff.must(Permission::Refund)?;
    let reason = reason(&body.reason)?;
    let Path(return_id) = path.map_err(|_| Problem::not_found())?;
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
