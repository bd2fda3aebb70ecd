//! Staff query the payment service about an operation, and cancel or reverse the operation.

use super::Staff;
use super::refusals::state_not_known;
use crate::db::HintSource;
use crate::http::app::App;
use crate::http::operation_key;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::payments::{QueryError, StaffCancelCommand, StaffCancelError};
use crate::single_flight::Freshness;
use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use payment_model::{CancelResponse, QueryResponse, TransactionId};
use payment_rules::operation::OperationKey;
use staff_model::{AuditAction, CancelQuery, Intent, Permission, WHICHEVER, WrongField};

/// `GET /api/staff/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`: queries
/// the service, also if the stored state is fresh. An operation without a transaction cannot be queried;
/// staff can only cancel it.
pub(super) async fn query_anew(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String, String)>, PathRejection>,
) -> Result<Json<QueryResponse>, Failure> {
    let Path((merchant_code, number, transaction_id)) = path.map_err(|_| Problem::not_found())?;
    let key = OperationKey::new(merchant_code, number);
    let record = staff.operation(&app, &key).await?;
    let Some(id) = record.transaction_id() else {
        if transaction_id != WHICHEVER {
            let named = TransactionId::new(transaction_id);
            app.payments
                .take_transaction_hint(&key, &named, HintSource::Person)
                .await?;
        }
        let detail = "The payment service has told no transaction of this operation, so it cannot be asked about it.";
        return Err(Problem::new(ProblemKind::NoTransaction, detail).into());
    };
    if transaction_id != WHICHEVER && transaction_id != id.as_str() {
        return Err(Problem::not_found().into());
    }
    let payments = app.payments.clone();
    let query = async move { payments.query(record, Freshness::New).await };
    let record = match app.finish(query).await? {
        Ok(queried) => queried.record,
        Err(QueryError::Database(error)) => return Err(error.into()),
        Err(error) => return Err(state_not_known(&error.of_service()).into()),
    };
    let body = record.query_response().ok_or_else(Problem::not_found)?;
    Ok(Json(body))
}

/// `DELETE /api/staff/charges/{merchant_code}/{merchant_operation_number}`: cancels an operation, or
/// reverses a payment.
pub(super) async fn cancel(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
    wanted: Result<Query<CancelQuery>, QueryRejection>,
) -> Result<Json<CancelResponse>, Failure> {
    staff.must(Permission::Cancel)?;
    let intent = intent(&wanted)?;
    if intent == Intent::Reverse {
        let act = AuditAction::Reverse;
        staff.must_now(&app, Permission::Cancel, &act).await?;
    }
    let key = operation_key(path)?;
    let record = staff.operation(&app, &key).await?;
    let wanted = StaffCancelCommand {
        intent,
        staff: staff.name().to_owned(),
        claim: None,
        limits: staff.account.limits(),
    };
    let payments = app.payments.clone();
    let word = |error: &StaffCancelError| Problem::from(error.clone()).word();
    let work = async move { payments.cancel_on_record(record, wanted, word).await };
    let cancelled = app.finish(work).await??.map_err(Problem::from)?;
    let body = cancelled.cancel_response().ok_or_else(Problem::not_found)?;
    Ok(Json(body))
}

fn intent(wanted: &Result<Query<CancelQuery>, QueryRejection>) -> Result<Intent, Problem> {
    let wanted = wanted.as_ref().ok();
    let intent = wanted.and_then(|Query(wanted)| Intent::from_word(&wanted.intent));
    intent.ok_or_else(|| {
        let detail = "`intent` must be `cancel` or `reverse`, and nothing else is allowed.";
        Problem::new(ProblemKind::BadRequest, detail).carrying(&WrongField {
            field: "intent".to_owned(),
        })
    })
}
