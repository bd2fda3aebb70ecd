use super::Staff;
use super::details::shown;
use super::reason::reason;
use super::search::unsettled_since;
use crate::clock::now;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::{JsonBody, wrong};
use crate::http::problem::{Problem, ProblemKind};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use payment_rules::audit::AuditRecord;
use payment_rules::operation::OperationKey;
use staff_model::{AuditAction, ExceptionKind, Exceptions, Permission, ResolveException};

/// `GET /api/staff/exceptions`.
pub(super) async fn exceptions(
    State(app): State<App>,
    staff: Staff,
) -> Result<Json<Exceptions>, Failure> {
    let among = staff.codes.clone();
    let (listed, counts) = app.db.exceptions(&among, unsettled_since(&app)).await?;
    Ok(Json(Exceptions {
        counts,
        exceptions: listed
            .into_iter()
            .map(|(found, row)| shown(found, row))
            .collect(),
    }))
}

/// `POST /api/staff/exceptions/resolve`: a member of staff with the permission to handle an
/// exception may resolve it.
pub(super) async fn resolve(
    State(app): State<App>,
    staff: Staff,
    JsonBody(mut wanted): JsonBody<ResolveException>,
) -> Result<StatusCode, Failure> {
    let refund = staff.must(Permission::Refund);
    refund.or_else(|_| staff.must(Permission::Cancel))?;
    if wanted.kind == ExceptionKind::Unknown {
        return Err(wrong("kind", "the kind of an exception").into());
    }
    wanted.reason = reason(&wanted.reason)?;
    let key = OperationKey::new(&*wanted.merchant_code, &*wanted.merchant_operation_number);
    let page = app.db.operation_page(&key, unsettled_since(&app)).await?;
    let page = page.filter(|_| staff.sees(&wanted.merchant_code));
    let page = page.ok_or_else(Problem::not_found)?;
    if !page.payment.ledger.can_resolve(wanted.kind) {
        let detail =
            "What is unknown or under way stays on the list until it is known, ended or released.";
        return Err(Problem::new(ProblemKind::NotResolvable, detail).into());
    }
    let found = page
        .exceptions
        .into_iter()
        .find(|found| found.kind == wanted.kind);
    // Another member of staff may have been faster, which is no error.
    if let Some(found) = found {
        let audit_record = AuditRecord {
            staff: staff.name().to_owned(),
            action: AuditAction::Resolve,
            key: Some(key.clone()),
            detail: format!("{}: {}", wanted.kind.as_str(), wanted.reason),
        };
        let db = &app.db;
        db.resolve(&key, &wanted, found.since, &audit_record, now())
            .await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
