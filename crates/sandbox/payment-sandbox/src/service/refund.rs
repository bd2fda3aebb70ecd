use super::call::{Answer, Call};
use super::error::{ServiceError, accepted};
use crate::charge::Key;
use crate::journal::RefundNote;
use crate::refund::KeptRefund;
use payment_model::{
    Refund, RefundAction, RefundItem, RefundQueryResponse, RefundRefusal, RefundRequest,
    RefundResponse, RefundState,
};

/// `POST /refund`: checks each item together with the items before it, and registers all items only if none breaks
/// a rule.
pub(super) fn refund(call: &mut Call<'_>) -> Result<Answer, ServiceError> {
    let request: RefundRequest = call.json()?;
    let Some(first) = request.operations.first() else {
        return Err(ServiceError::WrongField(
            "operations must not be empty".to_owned(),
        ));
    };
    if request.operations.len() == 1 {
        call.effect.merchant_operation_number = Some(first.merchant_operation_number.to_string());
        call.effect.amount = Some(first.refund_amount.to_string());
    }
    let mut fresh = Vec::new();
    for (at, item) in request.operations.iter().enumerate() {
        let key = Key {
            merchant_code: request.merchant_code.clone(),
            number: item.merchant_operation_number.clone(),
        };
        let refund = check(call, &key, item, &fresh)?
            .map_err(|reason| ServiceError::WrongField(format!("operations[{at}].{reason}")))?;
        fresh.push(refund);
    }
    call.effect.accepted = true;
    call.effect.state_after = Some(RefundState::Registered.to_string());
    call.effect.refunds = fresh
        .iter()
        .map(|kept| RefundNote::of(&kept.refund))
        .collect();
    let operations = fresh.iter().map(|kept| kept.refund.clone()).collect();
    call.world.keep_refunds(fresh);
    Answer::ok(&RefundResponse {
        success: true,
        action: RefundAction,
        merchant_code: request.merchant_code,
        operations,
        meta: accepted(),
    })
}

/// Checks an item, and creates its refund.
fn check(
    call: &mut Call<'_>,
    key: &Key,
    item: &RefundItem,
    fresh: &[KeptRefund],
) -> Result<Result<KeptRefund, String>, ServiceError> {
    let Some(charge) = call.world.charge(key, call.now).cloned() else {
        return Ok(Err(
            "merchant_operation_number: there is no such operation".to_owned()
        ));
    };
    if item
        .transaction_id
        .as_ref()
        .is_some_and(|id| *id != charge.transaction_id)
    {
        return Ok(Err("transaction_id is not of this operation".to_owned()));
    }
    if item.refund_amount.cents().is_none() {
        return Ok(Err(
            "refund_amount must be whole cents, such as \"12990\"".to_owned()
        ));
    }
    let of_request = fresh
        .iter()
        .filter(|kept| kept.key == *key)
        .map(|kept| &kept.refund);
    let earlier = call.world.refunds_of(key).chain(of_request);
    KeptRefund::register(&charge, item, earlier, call.now)
        .map(|refund| refund.map_err(refusal_of))
        .map_err(|error| ServiceError::Internal(error.to_string()))
}

/// Describes the broken rule of an item.
fn refusal_of(refusal: RefundRefusal) -> String {
    let field = match refusal {
        RefundRefusal::NotSettled | RefundRefusal::MethodNotRefundable => {
            "merchant_operation_number"
        }
        RefundRefusal::NothingAskedFor | RefundRefusal::MoreThanIsLeft { .. } => "refund_amount",
        RefundRefusal::NotTheWhole | RefundRefusal::UnknownType => "type",
    };
    format!("{field}: {refusal}")
}

/// `GET /refund/{merchant_code}/{merchant_operation_number}`: the refunds of an operation, the oldest first.
pub(super) fn refunds(call: &mut Call<'_>) -> Result<Answer, ServiceError> {
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
