//! Staff give money back outside of the payment service, where it cannot refund: they record a return,
//! and later that it was made or given up.

use super::{Staff, reason, request_fingerprint};
use crate::http::app::App;
use crate::http::body::{JsonBody, wrong};
use crate::http::problem::{Failure, Problem};
use crate::payments::{EndReturnCommand, RecordReturnCommand};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_rules::ledger::ReturnStep;
use payment_rules::operation::OperationKey;
use payment_rules::order::MAX_AMOUNT_CENTS;
use payment_rules::payment::{RequestKind, ReturnEndKind};
use staff_model::{AuditAction, EndReturn, ManualReturn, Permission, RecordReturn};

/// `POST /api/staff/returns`: records money that staff will give back, or gave back already.
pub(super) async fn record(
    State(app): State<App>,
    staff: Staff,
    headers: HeaderMap,
    JsonBody(body): JsonBody<RecordReturn>,
) -> Result<(StatusCode, Json<ManualReturn>), Failure> {
    let act = AuditAction::Return;
    staff.must_now(&app, Permission::Refund, &act).await?;
    let requester = staff.requester(&headers)?;
    staff.must_see(&body.merchant_code)?;
    if body.amount.get() > MAX_AMOUNT_CENTS {
        return Err(wrong("amount", "a whole number of cents").into());
    }
    let command = RecordReturnCommand {
        requester,
        fingerprint: request_fingerprint("return", &body)?,
        reason: reason(&body.reason)?,
        amount: body.amount.get(),
        already_made: body.already_made,
        key: OperationKey::new(body.merchant_code, body.merchant_operation_number),
        limits: staff.account.limits(),
    };
    let payments = app.payments.clone();
    let work = async move { payments.record_return(&command).await };
    let returned = app.finish(work).await??;
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

/// `POST /api/staff/returns/{return_id}/given-up`: the money is not given back. It takes two members of
/// staff, except for a return that was not made yet and is given up by the member who recorded it.
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
    let act = match kind {
        ReturnEndKind::Made => AuditAction::ReturnDone,
        ReturnEndKind::GivenUp => AuditAction::ReturnGivenUp,
    };
    staff.must_now(app, Permission::Refund, &act).await?;
    let reason = reason(&body.reason)?;
    let Path(return_id) = path.map_err(|_| Problem::not_found())?;
    let command = EndReturnCommand {
        key: staff.visible(
            app.db
                .operation_of_request(RequestKind::Return, &return_id)
                .await?,
        )?,
        return_id,
        kind,
        staff: staff.name().to_owned(),
        reason,
    };
    let payments = app.payments.clone();
    let work = async move { payments.end_return(command).await };
    let step = app.finish(work).await??;
    Ok(match step.map_err(Problem::from)? {
        ReturnStep::Asked(record) => (StatusCode::ACCEPTED, Json(record.shown())).into_response(),
        ReturnStep::Ended(record) | ReturnStep::Repeated(record) => {
            Json(record.shown()).into_response()
        }
    })
}
