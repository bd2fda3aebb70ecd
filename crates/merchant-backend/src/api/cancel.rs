use super::{Failure, own_operation};
use crate::backend::Backend;
use crate::operation::OperationKey;
use crate::payment::{self, Cancelled, order_paid};
use crate::problem::Problem;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

/// `DELETE /api/charges/{merchant_code}/{merchant_operation_number}`, for the session only: a
/// checkout token reads.
pub(super) async fn cancel(
    State(backend): State<Backend>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let Ok(Path((merchant_code, number))) = path else {
        return Err(Problem::not_found().into());
    };
    let key = OperationKey::new(merchant_code, number);
    let (record, _) = own_operation(&backend, &headers, &key).await?;
    let work = {
        let backend = backend.clone();
        async move { payment::cancel(&backend, record).await }
    };
    match backend.finish(work).await.ok_or(Failure::Internal)?? {
        Cancelled::Ended(record) => {
            let body = record.cancel_response().ok_or_else(Problem::not_found)?;
            Ok(Json(body).into_response())
        }
        Cancelled::Paid(record) => Err(order_paid(&record).into()),
        Cancelled::Unconfirmed(problem) => Err(problem.into()),
    }
}
