use super::call::{Answer, Call};
use super::error::{ServiceError, accepted};
use payment_model::QueryResponse;

/// `GET /charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`.
pub(super) fn query(call: &mut Call<'_>) -> Result<Answer, ServiceError> {
    let key = call.key_of_path();
    let transaction_id = call.path.get(2).map_or("", String::as_str);
    let charge = call
        .world
        .charge(&key, call.now)
        .filter(|charge| charge.transaction_id.as_str() == transaction_id)
        .ok_or(ServiceError::UnknownOperation)?;
    call.effect.note_charge(charge);
    Answer::ok(&QueryResponse {
        success: true,
        merchant_code: key.merchant_code,
        operation: charge.operation(call.public_url),
        meta: accepted(),
    })
}
