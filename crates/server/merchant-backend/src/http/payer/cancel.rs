//! `DELETE /api/charges/{merchant_code}/{merchant_operation_number}`: a payer cancels an operation.

use super::own_operation;
use super::refusals::order_paid;
use crate::http::app::App;
use crate::http::operation_key;
use crate::http::problem::{Failure, Problem};
use crate::payments::CancelOutcome;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use payment_rules::idempotency::Numbers;
use payment_rules::ledger::EndCause;

/// Cancels an unpaid operation of the request's session. A checkout token permits only reading.
pub(in crate::http) async fn cancel(
    State(app): State<App>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let key = operation_key(path)?;
    let (record, _) = own_operation(&app, &headers, &key).await?;
    let payments = app.payments.clone();
    let work = async move { payments.cancel_unpaid(record, EndCause::Payer).await };
    match app.finish(work).await?? {
        CancelOutcome::Ended(record) => {
            let body = record.cancel_response().ok_or_else(Problem::not_known)?;
            Ok(Json(body).into_response())
        }
        CancelOutcome::Paid(record) => Err(order_paid(&Numbers::of(&record)).into()),
        CancelOutcome::Unconfirmed(why) => Err(Problem::from(why).into()),
    }
}
