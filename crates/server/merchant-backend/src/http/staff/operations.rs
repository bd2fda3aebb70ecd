//! Shows staff one operation with all its details, and the exceptions of all operations; resolves an
//! exception.

use super::{Staff, reason};
use crate::db::OperationPage;
use crate::http::app::App;
use crate::http::body::{JsonBody, wrong};
use crate::http::operation_key;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::payments::Resolved;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use payment_model::Cents;
use payment_rules::ledger::{Purpose, ReversalRecord};
use payment_rules::operation::OperationKey;
use payment_rules::order::{OrderState, payer_of};
use payment_rules::payment::{FoundException, Payment};
use qr_verdict::Verdict;
use staff_model::{
    AuditAction, Exception, ExceptionKind, Exceptions, OperationDetails, OperationRow, OrderLine,
    OrderSummary, Permission, ResolveException, ReversalState,
};

/// `GET /api/staff/operations/{merchant_code}/{merchant_operation_number}`: one operation with all its
/// details.
pub(super) async fn details(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<OperationDetails>, Failure> {
    let key = operation_key(path)?;
    let OperationPage {
        order,
        payment: Payment {
            operation, ledger, ..
        },
        audit,
        row,
        exceptions,
        of_order,
    } = staff.operation_page(&app, &key).await?;
    Ok(Json(OperationDetails {
        exceptions: exceptions
            .into_iter()
            .map(|found| shown(found, row.clone()))
            .collect(),
        row,
        operation: operation.operation,
        queried_at: operation.queried_at,
        trouble: operation
            .failure_note
            .or(operation.answer_mismatch.map(|found| found.detail))
            .or_else(|| {
                let is_unread = operation.code == Some(Verdict::Unreadable);
                is_unread.then(|| "its QR could not be read before its payer saw it".to_owned())
            }),
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

/// False for failed cancellations by which the server settles an unknown outcome: it sends many, and the
/// service has none of them.
fn is_shown(reversal: &ReversalRecord) -> bool {
    reversal.purpose != Purpose::SettleDoubt || reversal.state != ReversalState::NotDone
}

fn shown(found: FoundException, row: OperationRow) -> Exception {
    Exception {
        kind: found.kind,
        since: found.since,
        detail: found.detail,
        operation: row,
    }
}

/// `GET /api/staff/exceptions`: the exceptions of all operations that the account may see.
pub(super) async fn exceptions(
    State(app): State<App>,
    staff: Staff,
) -> Result<Json<Exceptions>, Failure> {
    let since = app.unsettled_since();
    let (listed, counts) = app.db.exceptions(&staff.codes, since).await?;
    Ok(Json(Exceptions {
        counts,
        exceptions: listed
            .into_iter()
            .map(|(found, row)| shown(found, row))
            .collect(),
    }))
}

/// `POST /api/staff/exceptions/resolve`: resolves an exception by hand, which takes one of the permissions
/// to refund and to cancel.
pub(super) async fn resolve(
    State(app): State<App>,
    staff: Staff,
    JsonBody(mut wanted): JsonBody<ResolveException>,
) -> Result<StatusCode, Failure> {
    let own = &staff.account.permissions;
    let cancels = own.contains(&Permission::Cancel) && !own.contains(&Permission::Refund);
    let permission = if cancels {
        Permission::Cancel
    } else {
        Permission::Refund
    };
    let act = AuditAction::Resolve;
    staff.must_now(&app, permission, &act).await?;
    if wanted.kind == ExceptionKind::Unknown {
        return Err(wrong("kind", "the kind of an exception").into());
    }
    wanted.reason = reason(&wanted.reason)?;
    let key = OperationKey::new(&*wanted.merchant_code, &*wanted.merchant_operation_number);
    let page = staff.operation_page(&app, &key).await?;
    let payments = app.payments.clone();
    let resolve = async move {
        payments
            .resolve_exception(page, &wanted, staff.name())
            .await
    };
    match app.finish(resolve).await?? {
        Resolved::Done => Ok(StatusCode::NO_CONTENT),
        Resolved::StaysListed => {
            let detail = "What is unknown or under way stays on the list until it is known, ended or released.";
            Err(Problem::new(ProblemKind::NotResolvable, detail).into())
        }
    }
}
