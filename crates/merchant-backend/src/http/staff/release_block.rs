use super::Staff;
use super::details::operation_key;
use super::reason::only_reason;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::json_body::JsonBody;
use crate::http::problem::{Problem, ProblemKind};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use payment_rules::payment::BlockReleaseOutcome;
use staff_model::{OrderRelease, Permission};

/// `POST /api/staff/operations/{merchant_code}/{merchant_operation_number}/release`: releases the
/// order that this operation has blocked for long. It takes two members of staff.
pub(super) async fn release(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    staff.must(Permission::Cancel)?;
    let reason = only_reason(&body)?;
    let key = operation_key(path)?;
    let known = staff.sees(key.merchant_code.as_str()) && app.db.operation(&key).await?.is_some();
    if !known {
        return Err(Problem::not_found().into());
    }
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
