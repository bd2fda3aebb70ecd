//! `POST /api/shop/refunds` gives money of an order back; `GET /api/shop/refunds/{refund_id}` says what
//! became of it.

use super::ShopProgram;
use crate::http::app::App;
use crate::http::body::idempotency_key;
use crate::http::body::{CentsOrAll, JsonBody, Text};
use crate::http::problem::{Failure, Problem, ProblemKind as Kind};
use crate::payments::{RefundError, ShopRefundCommand};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use payment_model::MerchantOperationNumber;
use payment_rules::api_key::ApiPermission;
use payment_rules::fingerprint;
use payment_rules::ledger::{
    ByHandReason, NoRefundWay, RefundProgress, RefundWay, Requester, ShopRefund,
};
use payment_rules::operation::OperationKey;
use payment_rules::payment::{Payment, RequestKind};
use payment_rules::timing::rfc3339;
use serde::{Deserialize, Serialize};
use std::time::Duration;

const UNCONFIRMED_RETRY_AFTER: Duration = Duration::from_secs(10);

/// What to give back.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RefundBody {
    order_id: Text,
    /// `all` for everything that is left.
    amount: CentsOrAll,
    /// Needed only if several payments of the order are in force.
    merchant_operation_number: Option<Text>,
}

/// A refund for a program of the shop. Amounts are cents, as text; instants are by RFC 3339.
#[derive(Serialize)]
pub(super) struct ShownRefund {
    refund_id: String,
    order_id: String,
    merchant_operation_number: MerchantOperationNumber,
    /// `refund` or `reversal`.
    way: &'static str,
    amount: String,
    currency: String,
    state: RefundProgress,
    detail: String,
    requested_at: String,
}

/// Gives money back, or answers what became of the same request before.
pub(super) async fn refund(
    State(app): State<App>,
    program: ShopProgram,
    headers: HeaderMap,
    JsonBody(body): JsonBody<RefundBody>,
) -> Result<Json<ShownRefund>, Failure> {
    program.must(ApiPermission::Refund)?;
    let requester = Requester {
        staff: program.store(),
        key: idempotency_key(&headers)?,
    };
    // An order of another store is not found, as with every other request.
    program.order(&app, &body.order_id).await?;
    let written = serde_json::to_value(&body).map_err(|_| Failure::Internal)?;
    let command = ShopRefundCommand {
        requester,
        fingerprint: fingerprint(&format!("shop refund {written}")),
        order: program.full_order_id(&body.order_id),
        number: body
            .merchant_operation_number
            .map(|number| number.to_string()),
        amount: body.amount.cents(),
        limits: program.0.limits,
    };
    let (payments, name) = (app.payments.clone(), program.name());
    let work = async move { payments.refund_for_shop(&command, &name, word).await };
    let refund_id = app.finish(work).await??;
    shown(&app, &program, &refund_id).await
}

/// Shows a refund or a reversal of the key's store.
pub(super) async fn show(
    State(app): State<App>,
    program: ShopProgram,
    path: Result<Path<String>, PathRejection>,
) -> Result<Json<ShownRefund>, Failure> {
    program.must(ApiPermission::Read)?;
    let Path(refund_id) = path.map_err(|_| Problem::not_found())?;
    shown(&app, &program, &refund_id).await
}

async fn shown(
    app: &App,
    program: &ShopProgram,
    refund_id: &str,
) -> Result<Json<ShownRefund>, Failure> {
    let key = match app
        .db
        .operation_of_request(RequestKind::Refund, refund_id)
        .await?
    {
        Some(key) => Some(key),
        None => {
            app.db
                .operation_of_request(RequestKind::Reversal, refund_id)
                .await?
        }
    };
    let not_found = || {
        let detail = "The store of this API key has no such refund.";
        Problem::new(Kind::NotFound, detail)
    };
    let own = |key: &OperationKey| key.merchant_code.as_str() == program.0.merchant_code;
    let key = key.filter(own).ok_or_else(not_found)?;
    let order_id = app.db.operation(&key).await?.map(|record| record.order_id);
    let order = program.order(app, &order_id.ok_or_else(not_found)?).await?;
    let payment = order.payment(&key).ok_or_else(not_found)?;
    let refund = payment
        .ledger
        .shop_refund(refund_id)
        .ok_or_else(not_found)?;
    Ok(Json(ShownRefund::of(payment, refund)))
}

impl ShownRefund {
    fn of(payment: &Payment, refund: ShopRefund) -> Self {
        let operation = &payment.operation;
        Self {
            refund_id: refund.id,
            order_id: operation.order_id.clone(),
            merchant_operation_number: operation.key.number.clone(),
            way: match refund.way {
                RefundWay::Refund { .. } => "refund",
                RefundWay::Reversal => "reversal",
            },
            amount: refund.amount.to_string(),
            currency: operation.currency.clone(),
            state: refund.progress,
            detail: refund.detail,
            requested_at: rfc3339(refund.at),
        }
    }
}

/// The word of a refusal in the audit record.
fn word(error: &RefundError) -> &'static str {
    match error {
        RefundError::NoWay(reason) => Problem::from(*reason).word(),
        RefundError::Reversal(error) => Problem::from(error.clone()).word(),
        _ => "refused",
    }
}

#[rustfmt::skip]
impl From<NoRefundWay> for Problem {
    fn from(reason: NoRefundWay) -> Self {
        use NoRefundWay as Why;
        match reason {
            Why::NotPaid => Self::new(Kind::OrderNotPaid, "No payment of this order is in force, so there is nothing to give back."),
            Why::SeveralPayments => Self::new(Kind::SeveralPayments, "Several payments of this order are in force: name the one to give back in `merchant_operation_number`."),
            Why::MoreThanIsLeft { left } => Self::new(Kind::MoreThanIsLeft, format!("Only {left} cents can still be given back; nothing was sent.")).with("left", left),
            Why::Unconfirmed => Self::new(Kind::RefundUnconfirmed, "It is not known whether this order is paid, or whether its payment is being given back already, so nothing was sent; ask again after the time in Retry-After.").retry_after(UNCONFIRMED_RETRY_AFTER),
            Why::ByHand(reason) => {
                let detail = match reason {
                    ByHandReason::MethodNotRefundable => "The payment service has no refund for this method, and a reversal gives back the whole of a payment that is not settled: ask for the whole before it is settled, or let staff give the money back by other means and record the return.",
                    ByHandReason::ReversalNotPermitted => "This was paid in cash or by a transfer and is not settled, and REVERSE_CASH does not permit programs to reverse such payments: let staff reverse it, or give the money back by other means and record the return.",
                    ByHandReason::NotSettled => "The payment is not settled, and a reversal gives back the whole amount only: ask again once it is settled, or let staff give the part back by other means and record the return.",
                };
                Self::new(Kind::ReturnByHand, detail).with("reason", serde_json::json!(reason))
            }
        }
    }
}
