//! Where orders come from; requests an order from the shop.

use super::keys::OrderKeys;
use super::read_facts::{ShopFacts, UniqueFields, WrongFact, nothing_else, text};
use crate::http_client;
use crate::trace;
use crate::wire::{RepeatableClient, WireError};
use axum::body::Bytes;
use axum::http::header::AUTHORIZATION;
use axum::http::{Request, StatusCode};
use payment_rules::fingerprint;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Short, since a payer waits for the answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The placeholder of the order id in the address.
const ID_PLACEHOLDER: &str = "{order_id}";

/// A client of the shop's address for orders.
#[derive(Clone)]
pub(crate) struct Shop {
    client: Arc<RepeatableClient>,
    address: String,
    exposed: bool,
    secret: SecretString,
}

impl fmt::Debug for Shop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shop(redacted)")
    }
}

/// The shop's answer about an order.
pub(crate) struct ShopAnswer {
    pub(crate) facts: ShopFacts,
    /// SHA-256 of the key that a page needs to pay the order.
    pub(crate) order_key_hash: String,
}

/// A request to the shop without a usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ShopError {
    /// 404 or 410.
    #[error("the shop knows no such order")]
    Unknown,
    /// No answer in time, or 429 or 5xx: the request may be repeated later.
    #[error("the shop gave no answer: {0}")]
    Silent(String),
    /// An answer that does not have the required form.
    #[error("the shop's answer is wrong: {0}")]
    Wrong(String),
}

impl From<WrongFact> for ShopError {
    fn from(wrong: WrongFact) -> Self {
        Self::Wrong(wrong.to_string())
    }
}

impl Shop {
    /// # Errors
    /// The address is invalid, or the client cannot be built.
    pub(crate) fn new(address: &str, secret: &str) -> Result<Self, String> {
        const SAMPLE: &str = "sample-order";
        let url = Url::parse(&address.replace(ID_PLACEHOLDER, SAMPLE));
        let url = url.map_err(|_| "is no absolute address".to_owned())?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err("is neither http nor https".to_owned());
        }
        let names = |part: &str| part.contains(SAMPLE);
        let placed = names(url.path()) || url.query().is_some_and(names);
        if !placed || address.matches(ID_PLACEHOLDER).count() != 1 {
            return Err(format!(
                "does not name the place of the id, {ID_PLACEHOLDER}, once"
            ));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not hold a user name or password".to_owned());
        }
        Ok(Self {
            client: Arc::new(RepeatableClient::new(&url, ANSWER_TIMEOUT, limit)?),
            address: address.to_owned(),
            exposed: http_client::is_exposed(&url),
            secret: SecretString::from(secret),
        })
    }

    /// True when the secret and the payers' personal data leave this machine unencrypted.
    pub(crate) fn is_exposed(&self) -> bool {
        self.exposed
    }

    /// Requests an order. The characters of an order id need no encoding in an address.
    pub(crate) async fn order(&self, order_id: &str) -> Result<ShopAnswer, ShopError> {
        let address = self.address.replace(ID_PLACEHOLDER, order_id);
        let bearer = format!("Bearer {}", self.secret.expose_secret());
        let request = Request::get(address).header(AUTHORIZATION, bearer);
        let request = request.body(Bytes::new());
        let mut request = request.map_err(|_| silent(WireError::Unaddressed))?;
        trace::add_to(request.headers_mut());
        trace::add_state_to(request.headers_mut());
        let answer = self.client.exchange(request).await.map_err(silent)?;
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND | StatusCode::GONE => return Err(ShopError::Unknown),
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                return Err(ShopError::Silent(format!("status {}", status.as_u16())));
            }
            status => return Err(ShopError::Wrong(format!("status {}", status.as_u16()))),
        }
        let body = answer.into_body().map_err(silent)?;
        // Editors write a byte order mark into a file, and PHP sends it.
        let json = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body);
        let UniqueFields(mut fields) = serde_json::from_slice(json).map_err(|_| {
            let why = "it is no JSON object, or a member comes twice";
            ShopError::Wrong(why.to_owned())
        })?;
        let facts = ShopFacts::take(&mut fields)?;
        if facts.order_id != order_id {
            return Err(WrongFact::new("order_id", "is another one").into());
        }
        let order_key = text(&mut fields, "order_key")?;
        if order_key.len() < 16 {
            let why = "must be at least 16 random characters, which the page knows too";
            return Err(WrongFact::new("order_key", why).into());
        }
        nothing_else(&fields)?;
        Ok(ShopAnswer {
            facts,
            order_key_hash: fingerprint(&order_key),
        })
    }
}

/// How much of a body is read: only an answer with an order has one.
fn limit(status: StatusCode) -> usize {
    if status == StatusCode::OK {
        MAX_ANSWER_BYTES
    } else {
        0
    }
}

/// Describes a failed request for the log.
fn silent(error: WireError) -> ShopError {
    let why = match error {
        WireError::TooLarge => return ShopError::Wrong("it is larger than 64 KiB".to_owned()),
        WireError::Timeout => "it took longer than five seconds",
        WireError::Unreached => "there is no connection",
        WireError::Connection => "the connection broke",
        WireError::Unaddressed | WireError::Late => "it could not be asked",
    };
    ShopError::Silent(why.to_owned())
}

/// Where orders come from. The source provides an order's amount and payer, and decides who may pay it.
///
/// The server stores a copy of these facts. The copy follows the source until the first operation of the
/// order, and never changes afterwards: a code that is paid late must have the price with which it was
/// created.
#[derive(Debug, Clone)]
pub(crate) enum OrderSource {
    /// The merchant's program registers each order before it can be paid.
    Registered,
    /// The shop signs each order, and its page sends the signed order.
    Signed(OrderKeys),
    /// The server requests each order from the shop.
    Shop(Shop),
}
