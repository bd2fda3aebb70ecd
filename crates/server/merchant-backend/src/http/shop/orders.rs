//! `GET /api/shop/orders/{order_id}`: the truth about an order; `GET /api/shop/orders`: all of them; `POST /api/shop/orders/{order_id}/cancel`
//! closes it.

use super::{ShopProgram, read_number};
use crate::clock::now;
use crate::db::{DbError, OrderPage, UntriedCursor};
use crate::http::app::App;
use crate::http::body::wrong_query;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::payments::{CloseOutcome, QueryError};
use crate::random::identifier;
use crate::single_flight::Freshness;
use crate::wakeups::Topic;
use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use payment_model::{
    MerchantOperationNumber, Outcome, PaymentMethodName, Timestamp, TransactionId, TransactionState,
};
use payment_rules::api_key::ApiPermission;
use payment_rules::ledger::Balance;
use payment_rules::order::OrderState;
use payment_rules::payment::{Order, OrderOutcome, Payment};
use payment_rules::timing::rfc3339;
use serde::{Deserialize, Serialize};
use staff_model::AuditAction;
use std::time::Duration;

/// How to read an order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShowQuery {
    /// `fresh` or `fresh=`: the payment service is asked about every operation first.
    fresh: Option<String>,
}

/// An order for a program of the shop. Amounts are cents, as text; instants are by RFC 3339.
#[derive(Serialize)]
pub(super) struct ShownOrder {
    order_id: String,
    label: Option<String>,
    merchant_code: String,
    amount: String,
    currency: String,
    created_at: String,
    outcome: OrderOutcome,
    state: OrderState,
    /// No attempt to pay begins any more: the shop closed it, or its time to pay has passed.
    closed: bool,
    /// No attempt to pay begins at or after this instant.
    pay_until: Option<String>,
    /// An operation can still be paid, or its outcome is unknown.
    payment_may_come: bool,
    paid_twice: bool,
    given_back: ShownBalance,
    /// The oldest first.
    operations: Vec<ShownOperation>,
}

#[derive(Serialize)]
struct ShownBalance {
    /// Certainly given back.
    made: String,
    /// Cents of refunds in progress.
    pending: String,
    /// Cents of refunds whose outcome is unknown.
    unknown: String,
}

#[derive(Serialize)]
struct ShownOperation {
    merchant_operation_number: MerchantOperationNumber,
    transaction_id: Option<TransactionId>,
    method_name: PaymentMethodName,
    /// The state in the service's last answer.
    state: Option<TransactionState>,
    /// How it ended; absent while that is unknown.
    outcome: Option<Outcome>,
    /// The payer can pay it now.
    live: bool,
    /// It may be paid, and the server does not know.
    unconfirmed: bool,
    created_at: String,
    /// Until when the payer can pay it.
    expires_at: Option<String>,
    /// When the service was last asked about it: the age of what is said here.
    queried_at: Option<String>,
    /// When staff ended its watch, since the service gave no usable answer and nothing was paid.
    watch_ended_at: Option<String>,
    given_back: ShownBalance,
}

/// The most orders of one answer.
const PAGE_ORDERS: usize = 50;

/// Where to read on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    /// `next` of the last answer; absent for the first order.
    after: Option<String>,
    /// `untried` or `untried=`: the orders from before their first attempt to pay, in place of all others.
    untried: Option<String>,
}

/// An order that is stored at this moment may come before one that was listed already.
const LISTED_AFTER: Duration = Duration::from_mins(1);

#[derive(Serialize)]
pub(super) struct OrderList {
    orders: Vec<ShownOrder>,
    /// The cursor to read on from, also if there is nothing new.
    next: String,
    /// More orders may be there now.
    more: bool,
}

/// Lists the orders of the key's store that somebody tried to pay, each as it is now.
pub(super) async fn list(
    State(app): State<App>,
    program: ShopProgram,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<OrderList>, Failure> {
    program.must(ApiPermission::Read)?;
    let wrong = "`after` and `untried` are the only parameters";
    let Query(query) = query.map_err(|_| wrong_query(wrong))?;
    match query.untried.as_deref() {
        None => {}
        Some("") => return untried(&app, &program, query.after.as_deref()).await,
        Some(_) => return Err(wrong_query("`untried` has no value").into()),
    }
    let no_cursor = || wrong_query("`after` is no cursor of an earlier answer");
    let after = match query.after.as_deref() {
        None => 0,
        Some(cursor) => read_number(cursor).ok_or_else(no_cursor)?,
    };
    let page = app
        .db
        .orders_after(&program.0.merchant_code, after, PAGE_ORDERS);
    let Some(OrderPage { orders, next }) = page.await? else {
        let detail = "No order has this cursor yet. Read on without `after`.";
        return Err(Problem::new(ProblemKind::CursorTooOld, detail).into());
    };
    Ok(Json(OrderList {
        more: orders.len() == PAGE_ORDERS,
        orders: orders.into_iter().map(shown).collect(),
        next: next.to_string(),
    }))
}

/// Lists the orders of the key's store that nobody tried to pay: a shop that lost its records finds the links that it gave
/// out, and ends them.
async fn untried(
    app: &App,
    program: &ShopProgram,
    after: Option<&str>,
) -> Result<Json<OrderList>, Failure> {
    let read = |cursor: &str| {
        let (stored, order_id) = cursor.split_once('.')?;
        Some(UntriedCursor {
            stored_ms: read_number(stored)?,
            // Empty where nothing was listed yet.
            order_id: match order_id {
                "" => String::new(),
                order_id => identifier(order_id).ok()?,
            },
        })
    };
    let no_cursor = || wrong_query("`after` is no cursor of an earlier answer with `untried`");
    let after = match after {
        None => UntriedCursor::default(),
        Some(cursor) => read(cursor).ok_or_else(no_cursor)?,
    };
    let before = now().saturating_sub(LISTED_AFTER);
    let code = &program.0.merchant_code;
    let listed = app
        .db
        .untried_orders_after(code, &after, before, PAGE_ORDERS);
    let (orders, next) = listed.await?;
    Ok(Json(OrderList {
        more: orders.len() == PAGE_ORDERS,
        orders: orders.into_iter().map(shown).collect(),
        next: format!("{}.{}", next.stored_ms, next.order_id),
    }))
}

/// How far the closing of an order is.
#[derive(Serialize)]
pub(super) struct Closing {
    order_id: String,
    /// `closed`, `closing` while a payment may still arrive, or `paid`.
    result: &'static str,
    /// A payment of the order was given back, maybe one that came while its code was being cancelled.
    given_back: bool,
}

/// Closes an order of the key's store, also one that the server has not seen yet: its payer may hold a
/// signed order. An order of another store is no exception, and is not touched.
pub(super) async fn cancel(
    State(app): State<App>,
    program: ShopProgram,
    path: Result<Path<String>, PathRejection>,
) -> Result<(StatusCode, Json<Closing>), Failure> {
    program.must(ApiPermission::Cancel)?;
    let Path(order_id) = path.map_err(|_| Problem::not_found())?;
    if identifier(&order_id).is_err() {
        return Err(Problem::not_found().into());
    }
    let order = program.full_order_id(&order_id);
    let closed_by = program.name();
    let work = {
        let payments = app.payments.clone();
        async move {
            let act = AuditAction::Cancel;
            payments.close_order(&order, &closed_by, act).await
        }
    };
    let (status, result, given_back) = match app.finish(work).await?? {
        CloseOutcome::Closed { given_back } => (StatusCode::OK, "closed", given_back),
        CloseOutcome::Closing => (StatusCode::ACCEPTED, "closing", false),
        CloseOutcome::Paid => (StatusCode::OK, "paid", false),
    };
    app.wakeups.wake(&Topic::Desk);
    let closing = Closing {
        order_id,
        result,
        given_back,
    };
    Ok((status, Json(closing)))
}

/// Shows an order of the key's store.
pub(super) async fn show(
    State(app): State<App>,
    program: ShopProgram,
    path: Result<Path<String>, PathRejection>,
    query: Result<Query<ShowQuery>, QueryRejection>,
) -> Result<Json<ShownOrder>, Failure> {
    program.must(ApiPermission::Read)?;
    let Path(order_id) = path.map_err(|_| Problem::not_found())?;
    let Query(query) = query.map_err(|_| wrong_query("`fresh` is the only parameter"))?;
    let is_fresh = match query.fresh.as_deref() {
        None => false,
        Some("") => true,
        Some(_) => return Err(wrong_query("`fresh` has no value").into()),
    };
    let mut order = program.order(&app, &order_id).await?;
    if is_fresh {
        ask_service(&app, &order).await?;
        order = program.order(&app, &order_id).await?;
    }
    Ok(Json(shown(order)))
}

/// Asks the service about every operation that it knows, behind waiting payers.
async fn ask_service(app: &App, order: &Order) -> Result<(), Failure> {
    for payment in &order.payments {
        let record = payment.operation.clone();
        if record.transaction().is_none() {
            continue;
        }
        let payments = app.payments.clone();
        let work = async move { payments.query(record, Freshness::ForProgram).await };
        if let Err(error) = app.finish(work).await? {
            return Err(not_asked(error)?.into());
        }
    }
    Ok(())
}

fn not_asked(error: QueryError) -> Result<Problem, DbError> {
    let wait = error.retry_after()?;
    let detail = "The payment service did not answer about every operation of this order, so nothing newer is known. Ask again after the time in Retry-After, or without `fresh`.";
    Ok(Problem::new(ProblemKind::ServiceUnavailable, detail).retry_after(wait))
}

fn shown(order: Order) -> ShownOrder {
    let summary = order.summary(now());
    let facts = order.facts;
    let closed = order.closed_at.is_some() || facts.has_ended(now());
    ShownOrder {
        order_id: facts.order_id,
        label: facts.label,
        merchant_code: facts.merchant_code,
        amount: facts.amount.to_string(),
        currency: facts.currency,
        created_at: rfc3339(facts.created_at),
        outcome: summary.outcome,
        state: facts.state,
        closed,
        pay_until: facts.pay_until.map(rfc3339),
        payment_may_come: summary.payment_may_come,
        paid_twice: facts.paid_twice,
        given_back: ShownBalance::of(summary.given_back),
        operations: order.payments.iter().map(ShownOperation::of).collect(),
    }
}

impl ShownBalance {
    fn of(balance: Balance) -> Self {
        Self {
            made: balance.given_back.to_string(),
            pending: balance.reserved.to_string(),
            unknown: balance.unknown.to_string(),
        }
    }
}

impl ShownOperation {
    fn of(payment: &Payment) -> Self {
        let operation = &payment.operation;
        let text = |at: Option<Timestamp>| at.map(rfc3339);
        Self {
            merchant_operation_number: operation.key.number.clone(),
            transaction_id: operation.transaction_id().cloned(),
            method_name: operation.method.clone(),
            state: operation.state().cloned(),
            outcome: operation.outcome(),
            live: operation.live,
            unconfirmed: payment.is_unconfirmed(now()),
            created_at: rfc3339(operation.created_at),
            expires_at: text(operation.expires_at()),
            queried_at: text(operation.queried_at),
            watch_ended_at: text(operation.watch_ended_at),
            given_back: ShownBalance::of(payment.ledger.balance()),
        }
    }
}
