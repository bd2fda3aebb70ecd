//! A second member of staff ends an unknown outcome or a block, and says why.

use super::{Staff, reason};
use crate::http::app::App;
use crate::http::body::JsonBody;
use crate::http::operation_key;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::payments::ReleaseCommand;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use payment_rules::payment::{BlockReleaseOutcome, RequestKind};
use staff_model::{
    AuditAction, OrderRelease, Permission, RefundAttempt, ReleaseAttempt, ReleaseOrder,
    ReleaseReversal, Reversal,
};

/// `POST /api/staff/operations/{merchant_code}/{merchant_operation_number}/release`: releases the order
/// that this operation has blocked for long. It takes two members of staff.
pub(super) async fn order(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
    JsonBody(body): JsonBody<ReleaseOrder>,
) -> Result<Response, Failure> {
    let act = AuditAction::ReleaseOrder;
    staff.must_now(&app, Permission::Cancel, &act).await?;
    let reason = reason(&body.reason)?;
    let key = operation_key(path)?;
    staff.operation(&app, &key).await?;
    let release = app.payments.release_block(&key, staff.name(), &reason);
    match release.await? {
        BlockReleaseOutcome::Asked => {
            let answer = Json(OrderRelease { released: false });
            Ok((StatusCode::ACCEPTED, answer).into_response())
        }
        BlockReleaseOutcome::Released => Ok(Json(OrderRelease { released: true }).into_response()),
        BlockReleaseOutcome::SamePerson => {
            let detail = "You asked for it; somebody else must give the order free.";
            Err(Problem::new(ProblemKind::SecondPerson, detail).into())
        }
        BlockReleaseOutcome::NotBlocked => {
            let detail = "This operation blocks no order, or not for 15 minutes yet.";
            Err(Problem::new(ProblemKind::NotBlocked, detail).into())
        }
    }
}

/// `POST /api/staff/refund-attempts/{attempt_id}/release`: releases the amount of a refund that the
/// service may have.
pub(super) async fn refund_attempt(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody<ReleaseAttempt>,
) -> Result<Json<RefundAttempt>, Failure> {
    let act = AuditAction::ReleaseAttempt;
    staff.must_now(&app, Permission::Refund, &act).await?;
    let command = command(&app, staff, RequestKind::Refund, path, &body.reason).await?;
    let payments = app.payments.clone();
    let work = async move { payments.release_refund_attempt(&command).await };
    Ok(Json(app.finish(work).await??))
}

/// `POST /api/staff/reversals/{reversal_id}/release`: releases the amount of a reversal that the service
/// may carry out.
pub(super) async fn reversal(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody<ReleaseReversal>,
) -> Result<Json<Reversal>, Failure> {
    let act = AuditAction::ReleaseReversal;
    staff.must_now(&app, Permission::Cancel, &act).await?;
    let command = command(&app, staff, RequestKind::Reversal, path, &body.reason).await?;
    let payments = app.payments.clone();
    let work = async move { payments.release_reversal(&command).await };
    Ok(Json(app.finish(work).await??))
}

/// The command for the request of this kind with the id in the path, if the account may see its operation.
async fn command(
    app: &App,
    staff: Staff,
    kind: RequestKind,
    path: Result<Path<String>, PathRejection>,
    given: &str,
) -> Result<ReleaseCommand, Failure> {
    let reason = reason(given)?;
    let Path(id) = path.map_err(|_| Problem::not_found())?;
    let key = staff.visible(app.db.operation_of_request(kind, &id).await?)?;
    Ok(ReleaseCommand {
        key,
        id,
        staff: staff.account.name,
        reason,
    })
}
