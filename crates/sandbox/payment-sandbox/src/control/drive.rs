//! Changes the state of an operation or of a refund, as the service would by itself.

use super::error::ControlError;
use super::operations::{Merchant, OperationView, find};
use crate::charge::Step;
use crate::refund::RefundStep;
use crate::{Sandbox, json};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use payment_model::Refund;
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct DriveRequest {
    /// With `pay`: the payment arrives after the operation has ended without one.
    #[serde(default)]
    late: bool,
}

/// `POST /sandbox/operations/{number}/{pay|decline|expire|settle|reverse|invalidate}`.
pub(super) async fn drive_operation(
    State(sandbox): State<Sandbox>,
    Path((name, step)): Path<(String, String)>,
    Query(merchant): Query<Merchant>,
    body: Bytes,
) -> Result<Json<OperationView>, ControlError> {
    let request = if body.is_empty() {
        DriveRequest::default()
    } else {
        json::read(&body).map_err(ControlError::bad_request)?
    };
    let step = match step.as_str() {
        "pay" if request.late => Step::PayLate,
        "pay" => Step::Pay,
        "decline" => Step::Decline,
        "expire" => Step::Expire,
        "settle" => Step::Settle,
        "reverse" => Step::Reverse,
        "invalidate" => Step::Invalidate,
        _ => {
            return Err(ControlError::not_found(
                "an operation is driven by pay, decline, expire, settle, reverse or invalidate",
            ));
        }
    };
    let key = find(&sandbox.world(), &name, &merchant)?;
    let path = format!("/sandbox/operations/{name}/{}", step.name());
    let view = sandbox.move_on(&key, step, &path, |charge| {
        OperationView::of(charge, &sandbox)
    });
    view.ok_or_else(|| ControlError::not_found("there is no such operation"))?
        .map(Json)
        .map_err(|refusal| ControlError::conflict(refusal.to_string()))
}

/// `POST /sandbox/refunds/{refund_id}/{process|resolve|reject}`.
pub(super) async fn drive_refund(
    State(sandbox): State<Sandbox>,
    Path((refund_id, word)): Path<(String, String)>,
) -> Result<Json<Refund>, ControlError> {
    let step = match word.as_str() {
        "process" => RefundStep::Process,
        "resolve" => RefundStep::Resolve,
        "reject" => RefundStep::Reject,
        _ => {
            return Err(ControlError::not_found(
                "a refund is driven by process, resolve or reject",
            ));
        }
    };
    let path = format!("/sandbox/refunds/{refund_id}/{word}");
    let (refund, accepted) = sandbox
        .move_refund(&refund_id, step, &path)
        .ok_or_else(|| ControlError::not_found("there is no such refund"))?;
    if accepted {
        Ok(Json(refund))
    } else {
        let reason = format!("\"{word}\" is not possible: the refund is {}", refund.state);
        Err(ControlError::conflict(reason))
    }
}
