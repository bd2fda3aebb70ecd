//! The notifications that the merchant gets when an operation changes.

mod delivery;

pub(crate) use delivery::deliver;

use crate::charge::Charge;
use payment_model::{MerchantCode, MerchantOperationNumber, TransactionId, TransactionState};
use serde::Serialize;

/// A notification on its way. The specification does not show its payload: numbers and the state
/// are enough, since every merchant must ask again.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Notification {
    #[serde(skip)]
    pub(crate) callback_url: String,
    merchant_code: MerchantCode,
    pub(crate) merchant_operation_number: MerchantOperationNumber,
    transaction_id: TransactionId,
    state: TransactionState,
}

impl Notification {
    /// The notification about a charge, if its merchant wants one.
    pub(crate) fn about(charge: &Charge) -> Option<Self> {
        Some(Self {
            callback_url: charge.callback_url()?.to_owned(),
            merchant_code: charge.asked.key.merchant_code.clone(),
            merchant_operation_number: charge.asked.key.number.clone(),
            transaction_id: charge.transaction_id.clone(),
            state: charge.state.clone(),
        })
    }
}
