//! Payment links that staff make by hand.

use super::{Staff, request_fingerprint};
use crate::clock::now;
use crate::db::{MakeLinkOutcome, NewStaffLink, StaffLinkCursor, StoredStaffLink};
use crate::http::app::App;
use crate::http::body::{JsonBody, idempotency_key, wrong, wrong_fact, wrong_query};
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::orders::{LinkOrderError, link_order};
use crate::payments::CloseOutcome;
use crate::random::identifier;
use crate::wakeups::Topic;
use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use pay_page::qr_path;
use payment_model::{Cents, Currency, Timestamp};
use payment_rules::order::{FullOrderId, payer_of};
use payment_rules::staff_link::{link_state, main_operation};
use staff_model::{
    AuditAction, LinkRefused, LinksQuery, MakeLink, PaymentLink, PaymentLinks, Permission, QrPath,
};

/// The links of one page of the list.
const PAGE_LINKS: usize = 20;

/// `POST /api/staff/links`: makes a link. A repetition under the same key gets the same link.
pub(super) async fn make(
    State(app): State<App>,
    staff: Staff,
    headers: HeaderMap,
    JsonBody(body): JsonBody<MakeLink>,
) -> Result<(StatusCode, Json<PaymentLink>), Failure> {
    staff.must(Permission::Link)?;
    let key = idempotency_key(&headers)?;
    staff.must_see(&body.merchant_code)?;
    let stores = &app.config.stores;
    let store = stores.of_code(&body.merchant_code);
    let store = store.ok_or_else(|| wrong("merchant_code", "a store that takes payments"))?;
    let fingerprint = request_fingerprint("link", &body)?;
    // A repetition gets its link also when it would not be made any more.
    let repeated = app.db.repeated_staff_link(staff.name(), &key, &fingerprint);
    if let Some(repeated) = repeated.await? {
        return made(&app, &staff, repeated).await;
    }
    let order = link_order(body, store, stores, app.config.pay_link_age).map_err(refused)?;
    if app.offer(&order, true).await?.methods.is_empty() {
        let detail = "The field `amount` must be one that a payment method of the store takes; METHOD_LIMITS has its limits.";
        return Err(Problem::bad_request(detail).with("field", "amount").into());
    }
    let work = {
        let (db, name) = (app.db.clone(), staff.name().to_owned());
        let limits = staff.account.link_limits();
        async move {
            db.make_staff_link(NewStaffLink {
                staff: &name,
                key: &key,
                fingerprint: &fingerprint,
                order: &order,
                limits,
            })
            .await
        }
    };
    let outcome = app.finish(work).await??;
    app.wakeups.wake(&Topic::Desk);
    made(&app, &staff, outcome).await
}

async fn made(
    app: &App,
    staff: &Staff,
    outcome: MakeLinkOutcome,
) -> Result<(StatusCode, Json<PaymentLink>), Failure> {
    let order = match outcome {
        MakeLinkOutcome::Made(order) => order,
        MakeLinkOutcome::KeyReused => {
            let detail =
                "This Idempotency-Key was used for another link; use a new key for a new link.";
            return Err(Problem::new(ProblemKind::KeyReused, detail).into());
        }
        MakeLinkOutcome::OverLimit { left } => {
            let detail = format!(
                "This account may make a link of at most {left} cents now; no link was made."
            );
            let left = Cents::new(left);
            let problem = Problem::new(ProblemKind::LinkRefused, detail);
            return Err(problem.carrying(&LinkRefused { left }).into());
        }
    };
    app.orders.pay_links().of(&order).await?;
    let link = one(app, staff, &order).await?;
    Ok((StatusCode::CREATED, Json(link)))
}

fn refused(error: LinkOrderError) -> Failure {
    match error {
        LinkOrderError::Wrong(wrong) => wrong_fact(&wrong).into(),
        LinkOrderError::NoRandomness(error) => error.into(),
    }
}

/// `GET /api/staff/links`: the links of the stores that the account sees.
pub(super) async fn list(
    State(app): State<App>,
    staff: Staff,
    query: Result<Query<LinksQuery>, QueryRejection>,
) -> Result<Json<PaymentLinks>, Failure> {
    let Query(query) = query.map_err(|_| wrong_query("`cursor` is the only parameter"))?;
    let after = match query.cursor.as_str() {
        "" => None,
        cursor => Some(read_cursor(cursor).ok_or_else(|| {
            wrong_query("`cursor` must be the `next_cursor` of an earlier answer")
        })?),
    };
    let found = app.db.staff_links(&staff.codes, after.as_ref(), PAGE_LINKS);
    let found = found.await?;
    let last = found.last().filter(|_| found.len() == PAGE_LINKS);
    let next_cursor = last.map(|last| {
        let id = &last.order.facts.order_id;
        format!("{}.{id}", last.made_at.as_millis())
    });
    let mut links = Vec::with_capacity(found.len());
    for stored in found {
        links.push(shown(&app, &staff, stored).await?);
    }
    Ok(Json(PaymentLinks { links, next_cursor }))
}

fn read_cursor(text: &str) -> Option<StaffLinkCursor> {
    let (made, order_id) = text.split_once('.')?;
    Some(StaffLinkCursor {
        made_ms: made.parse().ok()?,
        order_id: identifier(order_id).ok()?,
    })
}

/// `GET /api/staff/links/{merchant_code}/{order_id}`: one link with the QR of its address.
pub(super) async fn show(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<PaymentLink>, Failure> {
    let order = order_of(&staff, path)?;
    Ok(Json(one(&app, &staff, &order).await?))
}

/// `POST /api/staff/links/{merchant_code}/{order_id}/end`: no attempt to pay begins any more, and the code that a payer
/// has is cancelled. A repetition is answered in the same way.
pub(super) async fn end(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<(StatusCode, Json<PaymentLink>), Failure> {
    staff.must(Permission::Link)?;
    let order = order_of(&staff, path)?;
    app.db
        .staff_link(&order)
        .await?
        .ok_or_else(Problem::not_found)?;
    let work = {
        let (payments, name) = (app.payments.clone(), staff.name().to_owned());
        let order = order.clone();
        async move {
            let act = AuditAction::EndLink;
            payments.close_order(&order, &name, act).await
        }
    };
    let status = match app.finish(work).await?? {
        CloseOutcome::Closed { .. } | CloseOutcome::Paid => StatusCode::OK,
        CloseOutcome::Closing => StatusCode::ACCEPTED,
    };
    app.wakeups.wake(&Topic::Desk);
    Ok((status, Json(one(&app, &staff, &order).await?)))
}

/// An order of a store that the account sees.
fn order_of(
    staff: &Staff,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<FullOrderId, Problem> {
    let path = path.map_err(|_| Problem::not_found())?;
    let Path((merchant_code, order_id)) = path;
    match staff.sees(&merchant_code) {
        true => Ok(FullOrderId::new(merchant_code, order_id)),
        false => Err(Problem::not_found()),
    }
}

async fn one(app: &App, staff: &Staff, order: &FullOrderId) -> Result<PaymentLink, Failure> {
    let stored = app.db.staff_link(order).await?;
    let stored = stored.ok_or_else(Problem::not_found)?;
    let mut link = shown(app, staff, stored).await?;
    link.qr = link
        .url
        .as_deref()
        .and_then(qr_path)
        .map(|(size, path)| QrPath { size, path });
    Ok(link)
}

async fn shown(app: &App, staff: &Staff, stored: StoredStaffLink) -> Result<PaymentLink, Failure> {
    let at = now();
    let state = link_state(&stored.order, stored.opened_at.is_some(), at);
    let operation = main_operation(&stored.order).map(str::to_owned);
    let facts = stored.order.facts;
    let url = match staff.must(Permission::Link) {
        Ok(()) => app.orders.pay_links().existing(&facts.full_id()).await?,
        Err(_) => None,
    };
    Ok(PaymentLink {
        amount: Cents::new(facts.amount),
        currency: Currency::new(&*facts.currency),
        customer_name: payer_of(&facts.customer).map(|payer| payer.name),
        pay_until: facts.pay_until.unwrap_or(Timestamp::from_secs(0)),
        merchant_code: facts.merchant_code,
        order_id: facts.order_id,
        label: facts.label.unwrap_or_default(),
        state,
        made_by: stored.made_by,
        made_at: stored.made_at,
        ended_by: stored.closed_by,
        merchant_operation_number: operation,
        url: url.map(|link| link.url),
        qr: None,
    })
}
