use super::from_program::checked_order;
use crate::clock::now;
use crate::config::Config;
use crate::db::{Db, DbError, Proof};
use crate::random::identifier;
use crate::shop_orders::{OrderKeys, OrderSource, Shop, ShopError, TokenRefusal, read_token};
use payment_model::Timestamp;
use payment_rules::fingerprint;
use payment_rules::order::{OrderFacts, SaveOrderOutcome, ShopOrder};

/// How a page identifies the order that it wants to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedOrder<'a> {
    /// A token that the shop signed.
    Token(&'a str),
    /// An order id without a proof. The session must have proven its right with an earlier request. The store
    /// need not be named, unless the session has orders with this id of several stores.
    Id {
        order_id: &'a str,
        /// The key of the store in the settings.
        store: Option<&'a str>,
    },
    /// An order id, with the key that the shop gave to the page.
    Key {
        order_id: &'a str,
        order_key: &'a str,
    },
    /// The handle of the server's own page of the order.
    PayLink(&'a str),
}

impl NamedOrder<'_> {
    /// What the page shows to be let in.
    pub(crate) fn proof(&self) -> Proof {
        match self {
            Self::PayLink(handle) => Proof::PayLink {
                handle_hash: fingerprint(handle),
            },
            Self::Token(_) | Self::Key { .. } => Proof::OfShop,
            Self::Id { .. } => Proof::Nothing,
        }
    }
}

/// An order, with what the page may do with it.
#[derive(Debug)]
pub(crate) struct PayableOrder {
    pub(crate) order: OrderFacts,
    pub(crate) right: Right,
}

/// What a page may do with an order.
#[derive(Debug)]
pub(crate) enum Right {
    /// Start a payment.
    Pay,
    /// Start a payment, after the shop's new description of the order was saved with [`save`].
    PayOnceSaved(Box<ShopOrder>),
    /// Get the stored answer of an idempotency key, but start no payment, for this reason.
    Repeat(OrderRefusal),
}

impl PayableOrder {
    fn that_repeats(order: OrderFacts, why: impl Into<OrderRefusal>) -> Self {
        Self {
            order,
            right: Right::Repeat(why.into()),
        }
    }
}

/// A reason for which a page may not pay an order.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OrderRefusal {
    /// The order does not exist, or the page has not proven its right to it.
    #[error("there is no such order for this page")]
    NotFound,
    /// The request identifies the order by this field, but this server has another source of orders.
    #[error("this server has no source of orders for `{0}`")]
    OtherSource(&'static str),
    #[error("{0}")]
    Token(#[from] TokenRefusal),
    /// The shop changed the order after the first operation fixed its price.
    #[error("the order has another price")]
    Changed,
    /// The shop gave two different descriptions at the same time, and it is unknown which is newer.
    #[error("the shop changes the order at this moment")]
    Unclear,
    /// The shop signed two different descriptions within one second, the resolution of `iat`.
    #[error("the shop signed two prices in one second")]
    TwoPrices,
    #[error("{0}")]
    Shop(#[from] ShopError),
    #[error(transparent)]
    Database(#[from] DbError),
}

/// Finds the order that a page may pay. A signed order is read from its token; about others the shop is
/// asked.
pub(crate) async fn payable(
    source: &OrderSource,
    db: &Db,
    config: &Config,
    named: NamedOrder<'_>,
) -> Result<PayableOrder, OrderRefusal> {
    match (source, named) {
        (OrderSource::Signed(keys), NamedOrder::Token(token)) => {
            signed(db, config, keys, token).await
        }
        (
            OrderSource::Shop(shop),
            NamedOrder::Key {
                order_id,
                order_key,
            },
        ) => asked(db, config, shop, order_id, order_key).await,
        (_, NamedOrder::Token(_)) => Err(OrderRefusal::OtherSource("order")),
        (_, NamedOrder::Key { .. }) => Err(OrderRefusal::OtherSource("order_key")),
        // The caller has already looked for a right of the session, or for the order of the page.
        (_, NamedOrder::Id { .. } | NamedOrder::PayLink(_)) => Err(OrderRefusal::NotFound),
    }
}

async fn signed(
    db: &Db,
    config: &Config,
    keys: &OrderKeys,
    token: &str,
) -> Result<PayableOrder, OrderRefusal> {
    let signed = read_token(keys, config.public_url.as_str(), token, now())?;
    if signed.expired {
        let since = signed.issued_at;
        let order = checked_order(signed.facts, &config.stores, since, now());
        let order = order.map_err(TokenRefusal::Claim)?;
        let stored = db.order(&order.full_id()).await?;
        // Only orders from a shop have `described_at`: a token gives no right to a registered order.
        return match stored.filter(|order| order.described_at.is_some()) {
            Some(order) => Ok(PayableOrder::that_repeats(order, TokenRefusal::Expired)),
            None => Err(TokenRefusal::Expired.into()),
        };
    }
    let since = signed.issued_at;
    let order =
        checked_order(signed.facts, &config.stores, since, now()).map_err(TokenRefusal::Claim)?;
    payable_as_described(db, config, order, since).await
}

async fn asked(
    db: &Db,
    config: &Config,
    shop: &Shop,
    order_id: &str,
    order_key: &str,
) -> Result<PayableOrder, OrderRefusal> {
    if identifier(order_id).is_err() {
        return Err(OrderRefusal::NotFound);
    }
    let shown = fingerprint(order_key);
    let mut begun = db.begun_orders(order_id).await?;
    // The shop has one order of this id. Those that programs gave are orders of their own.
    begun.retain(|order| order.order_key_hash.is_some());
    let has_other_key = |order: &OrderFacts| order.order_key_hash.as_ref() != Some(&shown);
    if begun.iter().any(has_other_key) {
        return Err(OrderRefusal::NotFound);
    }
    let since = now();
    // The shop is asked even about an order whose price is fixed, since it may have cancelled the order.
    let begun = begun.pop();
    let store = begun.as_ref().map(|order| order.merchant_code.clone());
    let answer = match (shop.order(order_id).await, begun) {
        (Ok(answer), _) => answer,
        (Err(error), Some(order)) => return Ok(PayableOrder::that_repeats(order, error)),
        (Err(error), None) => return Err(error.into()),
    };
    if answer.order_key_hash != shown {
        return Err(OrderRefusal::NotFound);
    }
    let described_at = now();
    let mut order = checked_order(answer.facts, &config.stores, described_at, described_at)
        .map_err(ShopError::from)?;
    if store.is_some_and(|store| store != order.merchant_code) {
        return Err(OrderRefusal::Changed);
    }
    order.order_key_hash = Some(answer.order_key_hash);
    payable_as_described(db, config, order, since).await
}

/// Decides what a page may do with an order that the shop described. It writes nothing, since the
/// limits have not counted the request yet.
async fn payable_as_described(
    db: &Db,
    config: &Config,
    order: OrderFacts,
    since: Timestamp,
) -> Result<PayableOrder, OrderRefusal> {
    let described = ShopOrder {
        order,
        since,
        time_to_pay: config.time_to_pay,
    };
    let Some(outcome) = db.saved_shop_order(&described).await? else {
        return Ok(PayableOrder {
            order: described.order.clone(),
            right: Right::PayOnceSaved(Box::new(described)),
        });
    };
    match outcome {
        SaveOrderOutcome::Saved(order) => Ok(PayableOrder {
            order: *order,
            right: Right::Pay,
        }),
        SaveOrderOutcome::PriceFixed(order) => {
            Ok(PayableOrder::that_repeats(*order, OrderRefusal::Changed))
        }
        // A repeated request can still get the stored answer of its idempotency key.
        SaveOrderOutcome::Unclear => {
            let why = unclear(&described);
            Ok(PayableOrder::that_repeats(described.order, why))
        }
        SaveOrderOutcome::NotAShopOrder => Err(OrderRefusal::NotFound),
    }
}

/// Saves an order that the shop described, and returns the stored order.
pub(crate) async fn save(db: &Db, described: &ShopOrder) -> Result<OrderFacts, OrderRefusal> {
    match db.save_shop_order(described).await? {
        SaveOrderOutcome::Saved(order) => Ok(*order),
        SaveOrderOutcome::PriceFixed(_) => Err(OrderRefusal::Changed),
        SaveOrderOutcome::Unclear => Err(unclear(described)),
        SaveOrderOutcome::NotAShopOrder => Err(OrderRefusal::NotFound),
    }
}

/// A conflict of answers ends when the request is repeated, since the shop is asked again. A conflict of
/// tokens does not.
fn unclear(described: &ShopOrder) -> OrderRefusal {
    if described.order.order_key_hash.is_some() {
        OrderRefusal::Unclear
    } else {
        OrderRefusal::TwoPrices
    }
}
