//! The addresses under `/api/shop`, for programs of the shop, which send an API key.
//!
//! ```text
//! orders    the truth about an order; closes an order
//! pay_links takes an order, and gives it a page of the server's own
//! events    reads missed events, sends one again
//! refunds   gives money back
//! ```
//!
//! A handler that takes [`ShopProgram`] is for a valid key only; [`ShopProgram::must`] demands a permission.
//! A program never learns whether an order of another store exists.

mod events;
mod orders;
mod pay_links;
mod refunds;

use super::app::App;
use super::doors::{Door, JSON_BYTES, Rate};
use super::problem::{Failure, Problem, ProblemKind};
use crate::api_keys::secret_hash;
use axum::extract::FromRequestParts;
use axum::handler::Handler;
use axum::http::header::{AUTHORIZATION, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use payment_model::ProblemMoney;
use payment_rules::api_key::{ApiKey, ApiPermission};
use payment_rules::order::FullOrderId;
use payment_rules::payment::Order;

#[rustfmt::skip]
pub(super) fn doors() -> Vec<Door> {
    vec![
        door(Method::GET, "/events", 0, events::list),
        door(Method::POST, "/events/{event_id}/resend", 0, events::resend),
        door(Method::GET, "/orders", 0, orders::list),
        door(Method::POST, "/orders", JSON_BYTES, pay_links::create),
        door(Method::GET, "/orders/{order_id}", 0, orders::show),
        door(Method::POST, "/orders/{order_id}/cancel", 0, orders::cancel),
        door(Method::POST, "/orders/{order_id}/link", JSON_BYTES, pay_links::link),
        door(Method::POST, "/refunds", JSON_BYTES, refunds::refund),
        door(Method::GET, "/refunds/{refund_id}", 0, refunds::show),
    ]
}

fn door<T: 'static>(
    method: Method,
    path: &str,
    body_bytes: usize,
    handler: impl Handler<T, App>,
) -> Door {
    Door::new(method, path, body_bytes, Rate::Program, handler)
}

/// A program of the shop, by the API key of its request.
#[derive(Debug)]
struct ShopProgram(ApiKey);

impl ShopProgram {
    /// The key as the actor of an audit record. No account of staff has a colon in its name.
    fn name(&self) -> String {
        format!("key:{}", self.0.name)
    }

    /// All programs of the store, to which idempotency keys and daily limits belong.
    fn store(&self) -> String {
        format!("shop:{}", self.0.merchant_code)
    }

    /// Demands a permission.
    fn must(&self, permission: ApiPermission) -> Result<(), Problem> {
        if self.0.permissions.contains(&permission) {
            return Ok(());
        }
        let word = permission.as_str();
        let detail = format!("This API key may not {word}; make one with `key new --may {word}`.");
        Err(Problem::new(ProblemKind::ApiKeyPermission, detail).with("permission", word))
    }

    fn full_order_id(&self, order_id: &str) -> FullOrderId {
        FullOrderId::new(&*self.0.merchant_code, order_id)
    }

    /// An order of the key's store.
    async fn order(&self, app: &App, order_id: &str) -> Result<Order, Failure> {
        let order = app
            .db
            .order_with_payments(&self.full_order_id(order_id))
            .await?;
        Ok(order.ok_or_else(|| {
            let detail = "The store of this API key has no such order.";
            // After a restore it may be paid all the same.
            Problem::new(ProblemKind::NotFound, detail).money(ProblemMoney::Unknown)
        })?)
    }
}

impl FromRequestParts<App> for ShopProgram {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        // A page leaves the origin out of a GET to its own one. Programs send `Sec-Fetch-Mode`, too: Node.js does.
        if parts.headers.contains_key(ORIGIN) || parts.headers.contains_key("sec-fetch-site") {
            let detail = "A page in a browser sent this request. An API key belongs on a server: everybody can read the key of a page.";
            return Err(Problem::new(ProblemKind::CrossSite, detail).into());
        }
        let hash = bearer(&parts.headers).and_then(secret_hash);
        let key = match hash {
            Some(hash) => app.db.api_key(&hash).await?,
            None => None,
        };
        let key = key.ok_or_else(|| {
            let detail = "Send an API key that is in force, as `Authorization: Bearer shopkey_…`; the command `key new` makes one.";
            Problem::new(ProblemKind::ApiKeyRequired, detail)
        })?;
        app.limits.api_key(&key.name)?;
        Ok(Self(key))
    }
}

/// The token of the one header `Authorization: Bearer`.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let is_bearer = scheme.eq_ignore_ascii_case("bearer") && values.next().is_none();
    is_bearer.then(|| token.trim())
}

/// A number of a cursor.
fn read_number(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::bearer;
    use axum::http::HeaderMap;
    use axum::http::header::AUTHORIZATION;

    #[test]
    fn one_bearer_token_is_read_whatever_the_case_of_its_scheme() {
        let read = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, value.parse().unwrap());
            }
            bearer(&headers).map(str::to_owned)
        };
        for good in ["Bearer a", "bearer a", "BEARER  a "] {
            assert_eq!(read(&[good]).as_deref(), Some("a"), "{good}");
        }
        for odd in [
            &["Basic a"][..],
            &["Bearer"],
            &[],
            &["Bearer a", "Bearer a"],
        ] {
            assert_eq!(read(odd), None, "{odd:?}");
        }
    }
}
