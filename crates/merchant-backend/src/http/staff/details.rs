use super::Staff;
use super::search::unsettled_since;
use crate::db::{FoundException, OperationSummary};
use crate::http::Failure;
use crate::http::app::App;
use crate::http::problem::Problem;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use payment_model::Cents;
use payment_rules::ledger::{Purpose, ReversalRecord};
use payment_rules::operation::OperationKey;
use payment_rules::order::{OrderState, payer_of};
use staff_model::{
    Exception, OperationDetails, OperationRow, OrderLine, OrderSummary, ReversalState,
};

/// `GET /api/staff/operations/{merchant_code}/{merchant_operation_number}`.
pub(super) async fn details(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<OperationDetails>, Failure> {
    let key = operation_key(path)?;
    if !staff.sees(key.merchant_code.as_str()) {
        return Err(Problem::not_found().into());
    }
    let unsettled = unsettled_since(&app);
    let summary = app.db.summary(&key, unsettled).await?;
    let summary = summary.ok_or_else(Problem::not_found)?;
    let record = app.db.operation(&key).await?;
    let record = record.ok_or_else(Problem::not_found)?;
    let order = app.db.order(&record.order_id).await?;
    let order = order.ok_or_else(Problem::not_found)?;
    let ledger = app.db.ledger(&key).await?;
    let ledger = ledger.ok_or_else(Problem::not_found)?;
    let OperationSummary {
        row,
        exceptions,
        of_order,
    } = summary;
    Ok(Json(OperationDetails {
        exceptions: exceptions
            .into_iter()
            .map(|found| shown(found, row.clone()))
            .collect(),
        row,
        operation: record.operation,
        queried_at: record.queried_at,
        trouble: record.trouble.or(record.mismatch),
        order: OrderSummary {
            order_id: order.order_id,
            label: order.label,
            state: match order.state {
                OrderState::Open => staff_model::OrderState::Open,
                OrderState::Paid => staff_model::OrderState::Paid,
            },
            paid_twice: order.paid_twice,
            payer: payer_of(&order.customer),
            lines: order
                .items
                .into_iter()
                .map(|item| OrderLine {
                    name: item.name,
                    quantity: item.quantity,
                    unit_price: Cents::new(item.unit_price),
                })
                .collect(),
            operations: of_order,
        },
        // An unpaid operation has nothing to give back.
        refundable: Cents::new(if ledger.is_paid() { ledger.left() } else { 0 }),
        refunds: ledger
            .refunds
            .iter()
            .map(|record| record.refund.clone())
            .collect(),
        attempts: ledger
            .attempts
            .iter()
            .rev()
            .map(|attempt| attempt.shown())
            .collect(),
        returns: ledger
            .returns
            .iter()
            .map(|returned| returned.shown())
            .collect(),
        reversals: ledger
            .reversals
            .iter()
            .rev()
            .filter(|reversal| is_shown(reversal))
            .map(|reversal| reversal.shown())
            .collect(),
        audit: app.db.audit_entries(&key).await?,
    }))
}

/// While the server settles a doubt, it sends cancellations often, and the service knows of none of
/// them.
fn is_shown(reversal: &ReversalRecord) -> bool {
    reversal.purpose != Purpose::SettleDoubt || reversal.state != ReversalState::NotDone
}

pub(super) fn shown(found: FoundException, row: OperationRow) -> Exception {
    Exception {
        kind: found.kind,
        since: found.since,
        detail: found.detail,
        operation: row,
    }
}

pub(super) fn operation_key(
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<OperationKey, Problem> {
    let Path((merchant_code, number)) = path.map_err(|_| Problem::not_found())?;
    Ok(OperationKey::new(merchant_code, number))
}
