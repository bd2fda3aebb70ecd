//! The addresses that payers' browsers use, and the one that the payment service notifies.
//!
//! ```text
//! authorize, cancel, status, notification
//!                an act each, from the request to the answer
//! status_answer  the answer about an operation, as fresh as its payer needs it
//! session        the cookie of a payer
//! refusals       refusals of the use cases as problems
//! ```
//!
//! A payer reaches the operations of their own session, or the one that a checkout token names, and may
//! pay the order that a token or a key of the shop names, or the handle of its page. The folder knows no member of staff, takes no
//! amount from a browser, and believes no notification: a notification only makes the server ask the
//! payment service.

pub(super) mod authorize;
pub(super) mod cancel;
pub(super) mod notification;
mod refusals;
pub(super) mod session;
pub(super) mod status;
pub(super) mod status_answer;

use super::app::App;
use super::body::{Text, missing, not_allowed};
use super::problem::{Failure, Problem};
use crate::clock::now;
use crate::db::DbError;
use crate::orders::NamedOrder;
use crate::payments::checkout_token;
use axum::http::HeaderMap;
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::{FullOrderId, OrderFacts};
use session::Session;

/// The fields by which a body names an order: a signed order in `order`, which permits no other field, an id,
/// with the key that the shop gave to the page or with its store, or the handle of the server's own page of the
/// order in `pay_link`.
#[derive(Default)]
pub(super) struct OrderFields<'a> {
    pub(super) order: Option<&'a Text>,
    pub(super) order_id: Option<&'a Text>,
    pub(super) order_key: Option<&'a Text>,
    pub(super) store: Option<&'a Text>,
    pub(super) pay_link: Option<&'a Text>,
}

impl<'a> OrderFields<'a> {
    pub(super) fn named(&self) -> Result<NamedOrder<'a>, Problem> {
        let others = [
            ("order_id", self.order_id),
            ("order_key", self.order_key),
            ("store", self.store),
        ];
        let other = others.into_iter().find(|(_, value)| value.is_some());
        match (self.order, self.pay_link, other) {
            (None, Some(handle), None) => return Ok(NamedOrder::PayLink(handle)),
            (Some(token), None, None) => return Ok(NamedOrder::Token(token)),
            (None, None, _) => {}
            (_, Some(_), _) => return Err(not_allowed("pay_link")),
            (Some(_), None, Some((name, _))) => return Err(not_allowed(name)),
        }
        let order_id: &str = self.order_id.ok_or_else(|| missing("order_id"))?;
        match (self.order_key, self.store) {
            (None, store) => Ok(NamedOrder::Id {
                order_id,
                store: store.map(|store| &**store),
            }),
            (Some(order_key), None) => Ok(NamedOrder::Key {
                order_id,
                order_key,
            }),
            // The shop names the store of an order with a key.
            (Some(_), Some(_)) => Err(not_allowed("store")),
        }
    }
}

/// An operation that the session of the request may read and cancel. An unknown operation and one of
/// another session are looked up and answered in the same way.
async fn own_operation(
    app: &App,
    headers: &HeaderMap,
    key: &OperationKey,
) -> Result<(OperationRecord, Session), Failure> {
    let session = app.sessions.of(headers);
    let (record, order) = find(app, key).await?.ok_or_else(Problem::not_known)?;
    match session {
        Some(session) if app.db.session_may_access(&order, &session.hash).await? => {
            Ok((record, session))
        }
        _ => Err(Problem::not_known().into()),
    }
}

/// An operation that the request may read by its session or by its checkout token. Returns a name of
/// the reader too, for the limits.
async fn readable_operation(
    app: &App,
    headers: &HeaderMap,
    key: &OperationKey,
) -> Result<(OperationRecord, String), Failure> {
    let token = headers
        .get(checkout_token::HEADER)
        .and_then(|value| value.to_str().ok());
    let named = token.and_then(|token| checkout_token::open(&app.cookie_key, token, now()));
    if named.as_ref() == Some(key) {
        let (record, _) = find(app, key).await?.ok_or_else(Problem::not_known)?;
        let reader = format!("token {} {}", key.merchant_code, key.number);
        return Ok((record, reader));
    }
    let (record, session) = own_operation(app, headers, key).await?;
    Ok((record, session.hash))
}

async fn find(
    app: &App,
    key: &OperationKey,
) -> Result<Option<(OperationRecord, OrderFacts)>, DbError> {
    let record = app.db.operation(key).await?;
    // An unknown operation costs the second look, too, so that its answer takes as long.
    let of_unknown = || FullOrderId::new("", "");
    let order_id = record
        .as_ref()
        .map_or_else(of_unknown, OperationRecord::full_order_id);
    let order = app.db.order(&order_id).await?;
    Ok(record.zip(order))
}
