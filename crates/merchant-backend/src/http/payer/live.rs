use super::entity_tag::Known;
use super::named_order::named_order;
use super::status_answer::look;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::{JsonBody, Text};
use crate::http::caller::Caller;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_rules::operation::{ends_unpaid, to_show};
use serde::Deserialize;

/// The body, with the fields of [`named_order`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct LiveBody {
    order: Option<Text>,
    order_id: Option<Text>,
    order_key: Option<Text>,
}

/// `POST /api/charges/live`: the status of the operation that the payer of an order should see, for
/// a page that remembers none, or nothing. It begins nothing and keeps no
/// order; a browser with the shop's right to pay is let in, as by an authorization.
pub(in crate::http) async fn live(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<LiveBody>,
) -> Result<Response, Failure> {
    let (order, order_id) = (body.order.as_ref(), body.order_id.as_ref());
    let named = named_order(order, order_id, body.order_key.as_ref())?;
    let order = app.orders.to_look(&headers, caller.0, named).await?;
    let operations = app.db.operations_of(&order.order_id).await?;
    let Some(record) = to_show(&operations) else {
        return Ok(nothing());
    };
    let looked = look(&app, record.clone(), caller).await;
    if ends_unpaid(&looked.record) {
        return Ok(nothing());
    }
    // The page asks at the status address from now on, which knows only browsers that were let in.
    let new = match app.orders.is_in(&headers, &order).await? {
        true => None,
        false => Some(app.orders.let_in(&headers, &order).await?),
    };
    let known = Known::of(&HeaderMap::new());
    let mut response = looked.answer(&app, &known).await?;
    if let Some(payer) = new {
        payer.set_cookie(response.headers_mut());
    }
    Ok(response)
}

fn nothing() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
