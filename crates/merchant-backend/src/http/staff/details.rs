use super::Staff;
use super::search::unsettled_since;
use crate::db::{FoundException, OperationPage};
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
use payment_rules::payment::Payment;
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
    let page = app.db.operation_page(&key, unsettled).await?;
    let OperationPage {
        order,
        payment: Payment {
            operation, ledger, ..
        },
        audit,
        row,
        exceptions,
        of_order,
    } = page.ok_or_else(Problem::not_found)?;
    Ok(Json(OperationDetails {
        exceptions: exceptions
            .into_iter()
            .map(|found| shown(found, row.clone()))
            .collect(),
        row,
        operation: operation.operation,
        queried_at: operation.queried_at,
        trouble: operation.trouble.or(operation.mismatch),
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
        refundable: Cents::new(ledger.refundable()),
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
        audit,
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
