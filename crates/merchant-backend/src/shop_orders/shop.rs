//! The shop's own answer about an order.

use super::facts::{ShopFacts, WrongFact, nothing_else, text};
use crate::outgoing;
use payment_model::Fields;
use payment_rules::fingerprint::fingerprint;
use reqwest::{Client, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::time::Duration;
use url::Url;

/// How long the shop may take: a payer waits for it.
const TIMEOUT: Duration = Duration::from_secs(5);
/// A larger answer is not read.
const LARGEST: usize = 64 * 1024;
/// The place of the order's id in the address.
const PLACE: &str = "{order_id}";

/// The shop, as far as this server asks it.
#[derive(Clone)]
pub(crate) struct Shop {
    client: Client,
    address: String,
    exposed: bool,
    secret: SecretString,
}

impl fmt::Debug for Shop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shop(redacted)")
    }
}

/// An answer about one order.
pub(crate) struct ShopAnswer {
    pub(crate) facts: ShopFacts,
    /// SHA-256 of the key that a page must show to pay the order.
    pub(crate) order_key_hash: String,
}

/// Why there is no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ShopError {
    /// The shop knows no such order.
    #[error("the shop knows no such order")]
    Unknown,
    /// No answer in time, or one that says that there will be one later.
    #[error("the shop gave no answer: {0}")]
    Silent(String),
    /// An answer that is wrong.
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
    /// The address cannot be used, or there is no client.
    pub(crate) fn new(address: &str, secret: &str) -> Result<Self, String> {
        const SAMPLE: &str = "sample-order";
        let url = Url::parse(&address.replace(PLACE, SAMPLE));
        let url = url.map_err(|_| "is no absolute address".to_owned())?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err("is neither http nor https".to_owned());
        }
        let names = |part: &str| part.contains(SAMPLE);
        let placed = names(url.path()) || url.query().is_some_and(names);
        if !placed || address.matches(PLACE).count() != 1 {
            return Err(format!("does not name the place of the id, {PLACE}, once"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not hold a user name or password".to_owned());
        }
        Ok(Self {
            client: outgoing::client(&url, TIMEOUT)?,
            address: address.to_owned(),
            exposed: outgoing::is_exposed(&url),
            secret: SecretString::from(secret),
        })
    }

    /// True when the secret and the payers' data would travel unencrypted, beyond this machine.
    pub(crate) fn is_exposed(&self) -> bool {
        self.exposed
    }

    /// Asks about an order. Its id needs no encoding in an address.
    pub(crate) async fn order(&self, order_id: &str) -> Result<ShopAnswer, ShopError> {
        let address = self.address.replace(PLACE, order_id);
        let request = self
            .client
            .get(address)
            .bearer_auth(self.secret.expose_secret());
        let answer = request.send().await.map_err(|error| silent(&error))?;
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND | StatusCode::GONE => return Err(ShopError::Unknown),
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                return Err(ShopError::Silent(format!("status {}", status.as_u16())));
            }
            status => return Err(ShopError::Wrong(format!("status {}", status.as_u16()))),
        }
        let body = whole(answer).await?;
        let mut fields: Fields = serde_json::from_slice(&body)
            .map_err(|_| ShopError::Wrong("it is no JSON object".to_owned()))?;
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

async fn whole(mut answer: Response) -> Result<Vec<u8>, ShopError> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| silent(&error))? {
        if body.len().saturating_add(chunk.len()) > LARGEST {
            return Err(ShopError::Wrong("it is larger than 64 KiB".to_owned()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The address is left out, since it is a setting and may hold more than the log should.
fn silent(error: &reqwest::Error) -> ShopError {
    let why = match () {
        () if error.is_timeout() => "it took longer than five seconds",
        () if error.is_connect() => "there is no connection",
        () => "the connection broke",
    };
    ShopError::Silent(why.to_owned())
}
