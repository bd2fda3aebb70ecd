use super::problems::order_paid;
use crate::http::app::App;
use crate::http::problem::Problem;
use crate::http::{Failure, own_operation};
use crate::payments::CancelOutcome;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use payment_rules::idempotent_answer::Numbers;
use payment_rules::ledger::EndCause;
use payment_rules::operation::OperationKey;

/// `DELETE /api/charges/{merchant_code}/{merchant_operation_number}`, for the session only: a
/// checkout token permits reading.
pub(in crate::http) async fn cancel(
    State(app): State<App>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let Ok(Path((merchant_code, number))) = path else {
        return Err(Problem::not_found().into());
    };
    let key = OperationKey::new(merchant_code, number);
    let (record, _) = own_operation(&app, &headers, &key).await?;
    let charges = app.payments.clone();
    let work = async move { charges.cancel_unpaid(record, EndCause::Payer).await };
    match app.tasks.finish(work).await.ok_or(Failure::Internal)?? {
        CancelOutcome::Ended(record) => {
            let body = record.cancel_response().ok_or_else(Problem::not_found)?;
            Ok(Json(body).into_response())
        }
        CancelOutcome::Paid(record) => Err(order_paid(&Numbers::of(&record)).into()),
        CancelOutcome::Unconfirmed(why) => Err(Problem::from(why).into()),
    }
}
