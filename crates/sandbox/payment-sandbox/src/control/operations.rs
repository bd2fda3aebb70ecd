use super::error::ControlError;
use crate::Sandbox;
use crate::charge::{Charge, Key};
use crate::world::{NotFound, World};
use axum::Json;
use axum::extract::{Path, Query, State};
use payment_model::{MerchantCode, Operation};
use serde::{Deserialize, Serialize};

/// An operation in the answers of the control interface, with the codes that a payer would see.
#[derive(Serialize)]
pub(super) struct OperationView {
    merchant_code: MerchantCode,
    operation: Operation,
    /// The identifier in the QR code.
    qr_id: String,
    /// The content of the QR code.
    qr_content: String,
    /// The cash code.
    cip: String,
}

impl OperationView {
    pub(super) fn of(charge: &Charge, sandbox: &Sandbox) -> Self {
        let public_url = sandbox.public_url();
        let payee = sandbox.payee(&charge.asked.key.merchant_code);
        Self {
            merchant_code: charge.asked.key.merchant_code.clone(),
            operation: charge.operation(public_url),
            qr_id: charge.processor_id.clone(),
            qr_content: charge.qr_content(public_url, payee, None),
            cip: charge.cip.clone(),
        }
    }
}

/// The query with the merchant of an operation, which is needed only if several merchants use the same number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Merchant {
    merchant_code: Option<MerchantCode>,
}

/// Finds the key of the operation with this number or transaction id.
pub(super) fn find(world: &World, name: &str, merchant: &Merchant) -> Result<Key, ControlError> {
    world
        .find(name, merchant.merchant_code.as_ref())
        .map_err(|reason| match reason {
            NotFound::Unknown => ControlError::not_found(format!("there is no operation {name}")),
            NotFound::Ambiguous => ControlError::conflict(format!(
                "several merchants have an operation {name}: add ?merchant_code="
            )),
        })
}

/// `GET /sandbox/operations`: all operations, the newest first.
pub(super) async fn list(State(sandbox): State<Sandbox>) -> Json<Vec<OperationView>> {
    let now = sandbox.now();
    let mut world = sandbox.world();
    let views = world
        .newest_first(now)
        .map(|charge| OperationView::of(charge, &sandbox));
    Json(views.collect())
}

/// `GET /sandbox/operations/{number}`, by number or by transaction id.
pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    Path(name): Path<String>,
    Query(merchant): Query<Merchant>,
) -> Result<Json<OperationView>, ControlError> {
    let now = sandbox.now();
    let mut world = sandbox.world();
    let key = find(&world, &name, &merchant)?;
    let charge = world
        .charge(&key, now)
        .ok_or_else(|| ControlError::not_found("there is no such operation"))?;
    Ok(Json(OperationView::of(charge, &sandbox)))
}
