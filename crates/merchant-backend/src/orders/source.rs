use super::order_of_shop::order_of_shop;
use crate::clock::now;
use crate::config::MerchantStores;
use crate::db::{Db, DbError};
use crate::identifier::identifier;
use crate::shop_orders::{OrderKeys, OrderSource, Shop, ShopError, TokenRefusal, read_token};
use payment_rules::fingerprint::fingerprint;
use payment_rules::order::{OrderFacts, SaveOrderOutcome, ShopOrder};

/// An order as a page names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedOrder<'a> {
    /// By a signed token.
    Token(&'a str),
    /// By its id alone: the session must have shown its right before.
    Id(&'a str),
    /// By its id, and the key that the shop gave to the page.
    Key {
        order_id: &'a str,
        order_key: &'a str,
    },
}

/// An order that a page may pay.
#[derive(Debug)]
pub(crate) struct PayableOrder {
    pub(crate) order: OrderFacts,
    pub(crate) right: Right,
}

/// What a page may do with an order.
#[derive(Debug)]
pub(crate) enum Right {
    /// Begin to pay it.
    Pay,
    /// Begin to pay it, once this description of the shop is saved with [`save`].
    PayOnceSaved(Box<ShopOrder>),
    /// Repeat the answer of a key, and begin nothing new for this reason.
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

/// Why a page may not pay an order.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OrderRefusal {
    /// There is none, or not for this page.
    #[error("there is no such order for this page")]
    NotFound,
    /// The server has another source of orders; the field that it does not take.
    #[error("this server has no source of orders for `{0}`")]
    OtherSource(&'static str),
    #[error("{0}")]
    Token(#[from] TokenRefusal),
    /// An operation was made of other facts.
    #[error("the order has another price")]
    Changed,
    /// The shop described the order twice at once, and which one is newer is not known.
    #[error("the shop changes the order at this moment")]
    Unclear,
    /// The shop signed two descriptions in one second.
    #[error("the shop signed two prices in one second")]
    TwoPrices,
    #[error("{0}")]
    Shop(#[from] ShopError),
    #[error(transparent)]
    Database(#[from] DbError),
}

/// The order that a token or a key permits to pay.
pub(crate) async fn payable(
    source: &OrderSource,
    db: &Db,
    stores: &MerchantStores,
    named: NamedOrder<'_>,
) -> Result<PayableOrder, OrderRefusal> {
    match (source, named) {
        (OrderSource::Signed(keys), NamedOrder::Token(token)) => {
            signed(db, stores, keys, token).await
        }
        (
            OrderSource::Shop(shop),
            NamedOrder::Key {
                order_id,
                order_key,
            },
        ) => asked(db, stores, shop, order_id, order_key).await,
        (_, NamedOrder::Token(_)) => Err(OrderRefusal::OtherSource("order")),
        (_, NamedOrder::Key { .. }) => Err(OrderRefusal::OtherSource("order_key")),
        // Its session has to show the right, and the caller looks there.
        (_, NamedOrder::Id(_)) => Err(OrderRefusal::NotFound),
    }
}

async fn signed(
    db: &Db,
    stores: &MerchantStores,
    keys: &OrderKeys,
    token: &str,
) -> Result<PayableOrder, OrderRefusal> {
    let signed = read_token(keys, token, now())?;
    if signed.expired {
        let stored = db.order(&signed.facts.order_id).await?;
        // The time of its row tells an order of a shop from one of the program.
        return match stored.filter(|order| order.told_at.is_some()) {
            Some(order) => Ok(PayableOrder::that_repeats(order, TokenRefusal::Expired)),
            None => Err(TokenRefusal::Expired.into()),
        };
    }
    let since = signed.issued_at;
    let order = order_of_shop(signed.facts, stores, since, now()).map_err(TokenRefusal::Claim)?;
    payable_as_described(db, ShopOrder { order, since }).await
}

async fn asked(
    db: &Db,
    stores: &MerchantStores,
    shop: &Shop,
    order_id: &str,
    order_key: &str,
) -> Result<PayableOrder, OrderRefusal> {
    if identifier(order_id).is_err() {
        return Err(OrderRefusal::NotFound);
    }
    let shown = fingerprint(order_key);
    let begun = db.begun_order(order_id).await?;
    let other_key = |order: &OrderFacts| order.order_key_hash.as_ref() != Some(&shown);
    if begun.as_ref().is_some_and(other_key) {
        return Err(OrderRefusal::NotFound);
    }
    let since = now();
    // Also about an order that has a price for good: the shop may have cancelled it meanwhile.
    let answer = match (shop.order(order_id).await, begun) {
        (Ok(answer), _) => answer,
        (Err(error), Some(order)) => return Ok(PayableOrder::that_repeats(order, error)),
        (Err(error), None) => return Err(error.into()),
    };
    if answer.order_key_hash != shown {
        return Err(OrderRefusal::NotFound);
    }
    let told_at = now();
    let mut order =
        order_of_shop(answer.facts, stores, told_at, told_at).map_err(ShopError::from)?;
    order.order_key_hash = Some(answer.order_key_hash);
    payable_as_described(db, ShopOrder { order, since }).await
}

/// What a page may do with the order that a shop describes. It writes nothing, since no limit has counted
/// the request yet.
async fn payable_as_described(db: &Db, described: ShopOrder) -> Result<PayableOrder, OrderRefusal> {
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
        // The key may have its answer.
        SaveOrderOutcome::Unclear => {
            let why = unclear(&described);
            Ok(PayableOrder::that_repeats(described.order, why))
        }
        SaveOrderOutcome::NotAShopOrder => Err(OrderRefusal::NotFound),
    }
}

/// Saves the order that a shop describes, and returns the order that counts.
pub(crate) async fn save(db: &Db, described: &ShopOrder) -> Result<OrderFacts, OrderRefusal> {
    match db.save_shop_order(described).await? {
        SaveOrderOutcome::Saved(order) => Ok(*order),
        SaveOrderOutcome::PriceFixed(_) => Err(OrderRefusal::Changed),
        SaveOrderOutcome::Unclear => Err(unclear(described)),
        SaveOrderOutcome::NotAShopOrder => Err(OrderRefusal::NotFound),
    }
}

/// The shop is asked anew by a repetition. A token stays what it is.
fn unclear(described: &ShopOrder) -> OrderRefusal {
    if described.order.order_key_hash.is_some() {
        OrderRefusal::Unclear
    } else {
        OrderRefusal::TwoPrices
    }
}
