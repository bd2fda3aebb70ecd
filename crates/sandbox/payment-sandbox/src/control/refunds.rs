use super::error::ControlError;
use crate::Sandbox;
use crate::refund::RefundStep;
use axum::Json;
use axum::extract::{Path, State};
use payment_model::Refund;

/// `POST /sandbox/refunds/{refund_id}/{process|resolve|reject}`.
pub(super) async fn drive(
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
