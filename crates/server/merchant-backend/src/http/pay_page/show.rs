//! Draws the page of an order as it is now. A request by GET may make the server query the payment service, and
//! changes nothing else.

use super::answer::{PageAnswer, Visitor};
use super::state::{live, whole};
use super::state::{needs_query, state, waiting};
use super::{Handle, order_of};
use crate::clock::now;
use crate::db::DbError;
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::payer::status_answer::look;
use crate::random::token;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use checkout_flow::QrImage;
use pay_page::{Message, State as Shown};
use payment_rules::operation::to_show;
use payment_rules::order::OrderFacts;

/// `GET /api/pay/{handle}`.
pub(super) async fn page(
    State(app): State<App>,
    visitor: Visitor,
    Handle(handle): Handle,
) -> Result<PageAnswer, PageAnswer> {
    let facts = order_of(&app, &visitor, &handle).await?;
    let drawn = draw(&app, &visitor, &handle, &facts).await;
    drawn.map_err(|error| {
        tracing::error!(%error, "the page of an order cannot be drawn");
        visitor.message(&app, Message::TryAgain)
    })
}

async fn draw(
    app: &App,
    visitor: &Visitor,
    handle: &str,
    facts: &OrderFacts,
) -> Result<PageAnswer, DbError> {
    let mut order = whole(app, facts).await?;
    let mut is_stale = false;
    if let Some(record) = to_show(order.operations())
        && needs_query(record, app.config.timing.query_interval, now())
    {
        let looked = look(app, record.clone(), Caller(visitor.client)).await;
        is_stale = looked.is_stale();
        order = whole(app, facts).await?;
    }
    // Without randomness the form has no key, and its answer asks to try again.
    let key = token().unwrap_or_default();
    let offer = app.config.offer(facts, true, order.refused_codes);
    let state = state(&order, offer, key, is_stale, now());
    let elsewhere = visitor.another_address(app, handle, &state);
    Ok(elsewhere.unwrap_or_else(|| visitor.page(app, handle, facts, &state)))
}

/// `GET /api/pay/{handle}/cancel` asks whether the code shall end; without one it leads to the page.
pub(super) async fn ask_to_cancel(
    State(app): State<App>,
    visitor: Visitor,
    Handle(handle): Handle,
) -> Result<Response, PageAnswer> {
    let facts = order_of(&app, &visitor, &handle).await?;
    match live(&app, &facts).await {
        Ok(Some(record)) => {
            let number = record.key.number.as_str().to_owned();
            let asking = Shown::AskingToCancel { number };
            let page = visitor.page(&app, &handle, &facts, &asking);
            Ok(page.into_response())
        }
        Ok(None) => Ok(visitor.see_page(&app, &handle)),
        Err(error) => {
            tracing::error!(%error, "the page of an order cannot be drawn");
            Err(visitor.message(&app, Message::TryAgain))
        }
    }
}

/// `GET /api/pay/{handle}/qr.png`: the picture as a file, for a gallery from which an app reads it.
pub(super) async fn qr(
    State(app): State<App>,
    visitor: Visitor,
    Handle(handle): Handle,
) -> Result<Response, PageAnswer> {
    let facts = order_of(&app, &visitor, &handle).await?;
    let record = live(&app, &facts).await.ok().flatten();
    let uri = record.and_then(|record| waiting(&record, false).qr_uri);
    let picture = uri.and_then(|uri| QrImage::parse(&uri));
    let Some(picture) = picture.as_ref().map(QrImage::png) else {
        return Ok(visitor.see_page(&app, &handle));
    };
    let headers = [
        (CONTENT_TYPE, "image/png"),
        (CONTENT_DISPOSITION, "attachment; filename=\"qr.png\""),
    ];
    Ok((StatusCode::OK, headers, picture).into_response())
}
