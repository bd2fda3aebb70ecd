use super::call::{Answer, Call};
use super::error::{ServiceError, accepted};
use payment_model::{Refund, RefundQueryResponse};

/// `GET /refund/{merchant_code}/{merchant_operation_number}`: the refunds of an operation, the oldest first.
pub(super) fn query(call: &mut Call<'_>) -> Result<Answer, ServiceError> {
    let key = call.key_of_path();
    let charge = call
        .world
        .charge(&key, call.now)
        .ok_or(ServiceError::UnknownOperation)?;
    call.effect.note_charge(charge);
    let operations: Vec<Refund> = call.world.refunds_of(&key).cloned().collect();
    Answer::ok(&RefundQueryResponse {
        success: true,
        merchant_code: key.merchant_code,
        operations_count: operations.len().to_string(),
        operations,
        meta: accepted(),
    })
}
