//! `POST /api/shop/orders`: a program of the shop gives an order to the server, and gets the address of the
//! page that its customer pays at; `POST /api/shop/orders/{order_id}/link` renews or revokes that address.

use super::ShopProgram;
use crate::clock::now;
use crate::db::DbError;
use crate::http::app::App;
use crate::http::body::{JsonBody, Text, wrong_fact};
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::orders::{GivenOrderError, PayLink, given_by_program};
use crate::shop_orders::{UniqueFields, WrongFact, read_instant};
use crate::wakeups::Topic;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use payment_model::{ProblemMoney, Timestamp};
use payment_rules::api_key::ApiPermission;
use payment_rules::order::OrderFacts;
use payment_rules::timing::rfc3339;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The page of an order. Instants are by RFC 3339.
#[derive(Serialize)]
pub(super) struct ShownLink {
    order_id: String,
    /// The address of the page; `None` once it was revoked.
    pay_url: Option<String>,
    /// Until when the page can be read.
    readable_until: Option<String>,
    /// No attempt to pay begins at or after this instant.
    pay_until: Option<String>,
    /// True if the order is closed: its page takes no payment.
    closed: bool,
}

/// Takes an order, which has the facts of a signed order. A repetition with the same facts gets the same
/// answer.
pub(super) async fn create(
    State(app): State<App>,
    program: ShopProgram,
    JsonBody(UniqueFields(fields)): JsonBody<UniqueFields>,
) -> Result<Json<ShownLink>, Failure> {
    program.must(ApiPermission::Order)?;
    let given = given_by_program(&app.db, &app.config, &program.0.merchant_code, fields).await;
    let order = given.map_err(refused)?;
    let link = app.orders.pay_links().of(&order.full_id()).await?;
    Ok(Json(shown(&app, &order, order.pay_until, link).await?))
}

/// What happens to the address of an order's page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkBody {
    /// `renew` or `revoke`.
    action: Text,
    /// A new end of the order, in whole seconds since 1970 or by RFC 3339.
    pay_until: Option<Value>,
}

/// Gives the page of an order another address, or takes the address away. Earlier addresses lead nowhere
/// afterwards; a code that a payer has can still be paid.
pub(super) async fn link(
    State(app): State<App>,
    program: ShopProgram,
    path: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody<LinkBody>,
) -> Result<Json<ShownLink>, Failure> {
    program.must(ApiPermission::Order)?;
    let Path(order_id) = path.map_err(|_| Problem::not_found())?;
    let facts = program.order(&app, &order_id).await?.facts;
    let end = body.pay_until.as_ref();
    let end = end.map(|value| read_instant("pay_until", value));
    let end = end.transpose().map_err(|wrong| wrong_fact(&wrong))?;
    if end.is_some_and(|end| end <= now()) {
        return Err(wrong_fact(&WrongFact::new("pay_until", "is in the past")).into());
    }
    let renews = match &*body.action {
        "renew" => true,
        "revoke" if end.is_none() => false,
        "revoke" => return Err(crate::http::body::not_allowed("pay_until").into()),
        _ => {
            let detail = "The field `action` must be `renew` or `revoke`.";
            return Err(Problem::bad_request(detail).with("field", "action").into());
        }
    };
    let (links, id, name) = (app.orders.pay_links(), facts.full_id(), program.name());
    if !renews {
        links.revoke(&id, &name).await?;
        app.wakeups.wake(&Topic::Desk);
        return Ok(Json(shown(&app, &facts, facts.pay_until, None).await?));
    }
    let link = links.renew(&id, end, &name).await?.ok_or_else(|| {
        let detail = "The order ended unpaid, and the event order.unpaid said so; give a new order to the server.";
        let ended = Problem::new(ProblemKind::OrderChanged, detail);
        ended.money(ProblemMoney::NothingCharged)
    })?;
    app.wakeups.wake(&Topic::Desk);
    Ok(Json(
        shown(&app, &facts, end.or(facts.pay_until), Some(link)).await?,
    ))
}

async fn shown(
    app: &App,
    order: &OrderFacts,
    pay_until: Option<Timestamp>,
    link: Option<PayLink>,
) -> Result<ShownLink, DbError> {
    let readable_until = link.as_ref().map(|link| rfc3339(link.readable_until));
    Ok(ShownLink {
        order_id: order.order_id.clone(),
        pay_url: link.map(|link| link.url),
        readable_until,
        pay_until: pay_until.map(rfc3339),
        closed: app.db.is_closed(&order.full_id()).await?,
    })
}

fn refused(error: GivenOrderError) -> Failure {
    match error {
        GivenOrderError::Wrong(wrong) => wrong_fact(&wrong).into(),
        GivenOrderError::OtherFacts => {
            let detail = "An order of this id has another amount, currency, store, end, label, methods or other products. Give the changed order an id of its own, or change its end with `POST /api/shop/orders/{order_id}/link`.";
            Problem::new(ProblemKind::OrderChanged, detail).into()
        }
        GivenOrderError::Database(error) => error.into(),
    }
}
