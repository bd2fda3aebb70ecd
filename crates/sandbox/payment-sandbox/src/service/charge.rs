//! What a merchant does with a charge that exists: ask about it, and cancel it.

use super::call::{Answer, Call};
use super::error::{ServiceError, accepted};
use crate::charge::Step;
use payment_model::{CancelResponse, QueryResponse, TransactionState};

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
        operation: charge.operation(call.sandbox.public_url()),
        meta: accepted(),
    })
}

/// `DELETE /charges/{merchant_code}/{merchant_operation_number}`: cancels a waiting operation, and reverses a
/// paid one. An operation that ended without a payment or was reversed is returned unchanged, so that the client
/// sees that it has ended. Only a settled payment cannot be reversed.
pub(super) fn cancel(call: &mut Call<'_>) -> Result<Answer, ServiceError> {
    let key = call.key_of_path();
    let step = call.world.apply(&key, Step::Cancel, call.now);
    let accepted_step = step.ok_or(ServiceError::UnknownOperation)?.is_ok();
    let charge = call
        .world
        .charge(&key, call.now)
        .ok_or(ServiceError::UnknownOperation)?;
    call.effect.note_charge(charge);
    call.effect.accepted = accepted_step;
    let operation = charge.operation(call.sandbox.public_url());
    if charge.state == TransactionState::Settled {
        return Err(ServiceError::NotCancellable(Box::new(operation)));
    }
    Answer::ok(&CancelResponse {
        success: true,
        merchant_code: key.merchant_code,
        merchant_operation_number: Some(key.number),
        operation,
        meta: accepted(),
    })
}
