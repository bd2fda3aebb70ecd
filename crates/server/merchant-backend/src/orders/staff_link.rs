//! The order of a payment link that a member of staff makes.

use super::from_program::checked_order;
use crate::clock::now;
use crate::config::{MerchantStore, MerchantStores};
use crate::random::{NoRandomness, readable};
use crate::shop_orders::{ShopFacts, WrongFact};
use payment_model::Person;
use payment_rules::order::{MAX_AMOUNT_CENTS, OrderFacts, is_label};
use payment_rules::staff_link::{LINK_ORDER_PREFIX, MAX_CUSTOMER_NAME_CHARACTERS};
use staff_model::{LONGEST_LINK_DAYS, MakeLink};
use std::time::Duration;

/// How far the clock of a member of staff may be ahead: the end of a link comes from there.
const MAX_STAFF_CLOCK_SKEW: Duration = Duration::from_hours(1);

/// Why a link has no order.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LinkOrderError {
    #[error("{0}")]
    Wrong(#[from] WrongFact),
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

/// Checks the request for a link, and makes its order under a random id. The caller stores it.
pub(crate) fn link_order(
    wanted: MakeLink,
    store: &MerchantStore,
    stores: &MerchantStores,
    page_is_readable_for: Duration,
) -> Result<OrderFacts, LinkOrderError> {
    let amount = wanted.amount.get();
    if !(1..=MAX_AMOUNT_CENTS).contains(&amount) {
        return Err(WrongFact::new("amount", "must be at least 1 cent").into());
    }
    if !is_label(&wanted.label) {
        let why = "must be 1 to 40 characters in one line, without blanks around them";
        return Err(WrongFact::new("label", why).into());
    }
    let at = now();
    let days = Duration::from_hours(24).saturating_mul(LONGEST_LINK_DAYS);
    let longest = days.saturating_add(MAX_STAFF_CLOCK_SKEW);
    let latest = at.saturating_add(longest.min(page_is_readable_for));
    if wanted.pay_until <= at || wanted.pay_until > latest {
        let why = "must be in the future, and at most 30 days and PAY_LINK_DAYS away";
        return Err(WrongFact::new("pay_until", why).into());
    }
    let name = wanted.customer_name.map(|name| name.trim().to_owned());
    let is_name = |name: &String| {
        let length = name.chars().count();
        length <= MAX_CUSTOMER_NAME_CHARACTERS && !name.contains(char::is_control)
    };
    if !name.as_ref().is_none_or(is_name) {
        let why = "must be at most 60 characters in one line";
        return Err(WrongFact::new("customer_name", why).into());
    }
    let payer = Person {
        first_name: name.filter(|name| !name.is_empty()),
        ..Person::default()
    };
    let facts = ShopFacts {
        order_id: format!("{LINK_ORDER_PREFIX}{}", readable()?),
        label: Some(wanted.label),
        amount,
        currency: store.currency.clone(),
        merchant_code: Some(store.merchant_code.clone()),
        payer,
        products: Vec::new(),
        methods: None,
        pay_until: Some(wanted.pay_until),
    };
    Ok(checked_order(facts, stores, at, at)?)
}
