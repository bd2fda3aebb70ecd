//! Orders that a program of the shop gives to the server, whatever the source of other orders is.

use super::check_facts::checked_order;
use crate::clock::now;
use crate::config::Config;
use crate::db::{Db, DbError};
use crate::shop_orders::{ShopFacts, WrongFact, nothing_else, read_instant};
use payment_model::{Fields, Timestamp};
use payment_rules::order::{MAX_SHOP_CLOCK_SKEW, OrderFacts, ShopOrder};

/// Why an order of a program was not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GivenOrderError {
    #[error("{0}")]
    Wrong(#[from] WrongFact),
    /// An order of this id has other facts.
    #[error("an order of this id has other facts")]
    OtherFacts,
    #[error(transparent)]
    Database(#[from] DbError),
}

/// The time of an order whose age is not proven. The rules take no payment for what is older than the last restore.
const OLDER_THAN_ANY_RESTORE: Timestamp = Timestamp::from_secs(0);

/// Stores an order of a store, or finds the one that was stored of the same facts before.
pub(crate) async fn given_by_program(
    db: &Db,
    config: &Config,
    merchant_code: &str,
    mut fields: Fields,
) -> Result<OrderFacts, GivenOrderError> {
    let mut facts = ShopFacts::take(&mut fields)?;
    let made_at = match fields.remove("made_at") {
        Some(value) => Some(read_instant("made_at", &value)?),
        None => None,
    };
    nothing_else(&fields)?;
    let store = facts
        .merchant_code
        .get_or_insert_with(|| merchant_code.to_owned());
    if store != merchant_code {
        return Err(WrongFact::new("merchant_code", "is not that of the API key").into());
    }
    let since = now();
    // After a restore, an order that is not here may be one that the backup lacks, and paid. Only its maker can know
    // that it is newer.
    let latest = since.saturating_add(MAX_SHOP_CLOCK_SKEW);
    let is_proven_new = match db.fence().await? {
        Some(fence) => made_at.is_some_and(|at| at >= fence && at <= latest),
        None => true,
    };
    let described_at = if is_proven_new {
        since
    } else {
        OLDER_THAN_ANY_RESTORE
    };
    let described = ShopOrder {
        order: checked_order(facts, &config.stores, described_at, since)?,
        since,
        time_to_pay: config.time_to_pay,
    };
    let stored = db.insert_shop_order(&described).await?;
    let given = &described.order;
    let same_end = given.pay_until.is_none() || given.pay_until == stored.pay_until;
    let same_contents = (&given.label, &given.items) == (&stored.label, &stored.items);
    match given.has_facts_of(&stored) && same_end && same_contents {
        true => Ok(stored),
        false => Err(GivenOrderError::OtherFacts),
    }
}
