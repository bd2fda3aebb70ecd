//! Saves an order as its shop describes it, in a signed token or in an answer to this server. The
//! newest description counts until the first operation, which fixes the price.

use super::OrderFacts;
use payment_model::Timestamp;
use std::time::Duration;

/// How far a shop's clock may be ahead of the server's.
pub const MAX_SHOP_CLOCK_SKEW: Duration = Duration::from_secs(60);

/// An order as its shop describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopOrder {
    /// The order as described; its `described_at` is when the description came.
    pub order: OrderFacts,
    /// When the shop signed the facts or was asked for them. The facts were true then or later.
    pub since: Timestamp,
    /// For how long an order without an end of its own can be paid, from when it was stored first.
    pub time_to_pay: Option<Duration>,
}

/// The result of saving a shop's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveOrderOutcome {
    /// The stored order: with these facts, or with newer ones.
    Saved(Box<OrderFacts>),
    /// The older facts stay, because an operation was made of them. Their price is another one.
    PriceFixed(Box<OrderFacts>),
    /// The description differs from the stored facts, and which are newer is not known.
    Unclear,
    /// The merchant's program registered an order of this id.
    NotAShopOrder,
}

/// What has to be written to save a shop's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveOrder {
    /// Write nothing: this is the result.
    Nothing(SaveOrderOutcome),
    /// Insert the order as a new row.
    Insert(Box<OrderFacts>),
    /// Replace the stored facts by these.
    Replace(Box<OrderFacts>),
}

/// How a description compares with the stored facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Freshness {
    Newer,
    /// The stored facts are newer, or the same.
    Older,
    /// The two differ, and which one is newer is not known.
    Unclear,
}

impl ShopOrder {
    /// Decides what to write over the stored order of the same id, if there is one.
    pub fn save_over(
        &self,
        stored: Option<&OrderFacts>,
        has_operations: bool,
        now: Timestamp,
    ) -> SaveOrder {
        let Some(stored) = stored else {
            return SaveOrder::Insert(Box::new(self.new_facts()));
        };
        let kept = || Box::new(stored.clone());
        SaveOrder::Nothing(if stored.described_at.is_none() {
            SaveOrderOutcome::NotAShopOrder
        } else {
            match self.freshness(stored, now) {
                Freshness::Unclear => SaveOrderOutcome::Unclear,
                Freshness::Older => SaveOrderOutcome::Saved(kept()),
                Freshness::Newer if !has_operations => {
                    return SaveOrder::Replace(Box::new(OrderFacts {
                        created_at: stored.created_at,
                        pay_until: self.order.pay_until.or(stored.pay_until),
                        unpaid_at: stored.unpaid_at,
                        ..self.order.clone()
                    }));
                }
                Freshness::Newer if self.order.has_facts_of(stored) => {
                    let end = self.order.pay_until.or(stored.pay_until);
                    if end == stored.pay_until {
                        return SaveOrder::Nothing(SaveOrderOutcome::Saved(kept()));
                    }
                    // An operation fixes the price and not the end.
                    return SaveOrder::Replace(Box::new(OrderFacts {
                        pay_until: end,
                        described_at: self.order.described_at,
                        ..stored.clone()
                    }));
                }
                Freshness::Newer => SaveOrderOutcome::PriceFixed(kept()),
            }
        })
    }

    /// The facts of an order that is stored for the first time.
    pub fn new_facts(&self) -> OrderFacts {
        let created_at = self.order.created_at;
        let default_end = self.time_to_pay.map(|time| created_at.saturating_add(time));
        OrderFacts {
            pay_until: self.order.pay_until.or(default_end),
            ..self.order.clone()
        }
    }

    fn freshness(&self, stored: &OrderFacts, now: Timestamp) -> Freshness {
        // Facts with an instant in the future were stored before the clock was set back, so their
        // instant proves nothing.
        let stored_at = stored
            .described_at
            .filter(|at| *at <= now.saturating_add(MAX_SHOP_CLOCK_SKEW));
        if stored_at.is_none_or(|at| at < self.since) {
            return Freshness::Newer;
        }
        // The age of a signed token is known. The answer about an order with a key may have been
        // sent before the stored one, although it came later.
        let is_signed = stored.order_key_hash.is_none() && self.order.order_key_hash.is_none();
        if self.order.has_facts_of(stored) || (is_signed && self.order.described_at < stored_at) {
            Freshness::Older
        } else {
            Freshness::Unclear
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Freshness, SaveOrder, SaveOrderOutcome, ShopOrder};
    use crate::order::OrderFacts;
    use crate::order::fixture::order;
    use crate::timing::instant;
    use payment_model::Timestamp;
    use std::time::Duration;

    fn told(amount: u64, at: i64) -> OrderFacts {
        OrderFacts {
            amount,
            described_at: Some(instant(at)),
            ..order("order")
        }
    }

    fn asked(amount: u64, at: i64) -> OrderFacts {
        OrderFacts {
            order_key_hash: Some("hash".to_owned()),
            ..told(amount, at)
        }
    }

    fn freshness(order: OrderFacts, since: i64, stored: &OrderFacts, now: i64) -> Freshness {
        let since = instant(since);
        let time_to_pay = None;
        let described = ShopOrder {
            order,
            since,
            time_to_pay,
        };
        described.freshness(stored, instant(now))
    }

    #[test]
    fn two_tokens_of_one_second_are_unclear_and_otherwise_the_later_one_counts() {
        let kept = told(5, 2000);
        for (amount, at, stands) in [
            (6, 3000, Freshness::Newer),
            (5, 3000, Freshness::Newer),
            (6, 1000, Freshness::Older),
            (6, 2000, Freshness::Unclear),
            (5, 2000, Freshness::Older),
        ] {
            let found = freshness(told(amount, at), at, &kept, 4000);
            assert_eq!(found, stands, "{amount} {at}");
        }
    }

    #[test]
    fn an_answer_is_newer_than_what_had_come_before_its_question() {
        // The kept answer came at 2000.
        let kept = asked(5, 2000);
        for (amount, since, at, stands) in [
            (6, 2001, 2500, Freshness::Newer),
            // Both were on the way at once.
            (6, 1000, 2500, Freshness::Unclear),
            (6, 1000, 1500, Freshness::Unclear),
            (6, 2000, 2500, Freshness::Unclear),
            (5, 1000, 2500, Freshness::Older),
        ] {
            let found = freshness(asked(amount, at), since, &kept, 3000);
            assert_eq!(found, stands, "{amount} {since}");
        }
    }

    #[test]
    fn an_older_token_and_an_answer_that_differ_are_unclear() {
        let answer = asked(5, 2000);
        let token = freshness(told(6, 1500), 1500, &answer, 3000);
        assert_eq!(token, Freshness::Unclear);
    }

    #[test]
    fn facts_from_the_future_are_old() {
        let kept = told(5, 1_000_000);
        let newer = freshness(told(6, 100_000), 100_000, &kept, 100_000);
        assert_eq!(newer, Freshness::Newer);
        // A shop's clock may be a little ahead, and its older token stays old.
        let kept = told(5, 130_000);
        let older = freshness(told(6, 90_000), 90_000, &kept, 100_000);
        assert_eq!(older, Freshness::Older);
        assert_eq!(
            freshness(told(6, 7), 7, &order("order"), Timestamp::MAX.as_millis()),
            Freshness::Newer
        );
    }

    #[test]
    fn the_newest_description_is_written_until_an_operation_fixes_the_price() {
        let described = |amount: u64, at: i64| ShopOrder {
            order: OrderFacts {
                created_at: instant(at),
                ..told(amount, at)
            },
            since: instant(at),
            time_to_pay: None,
        };
        let now = instant(9000);
        let first = described(5, 2000);
        let inserted = first.save_over(None, false, now);
        assert_eq!(inserted, SaveOrder::Insert(Box::new(first.order.clone())));
        let stored = &first.order;
        let newer = described(6, 3000);
        let SaveOrder::Replace(replaced) = newer.save_over(Some(stored), false, now) else {
            panic!("a newer description is written");
        };
        assert_eq!((replaced.amount, replaced.created_at), (6, instant(2000)));
        let saved = SaveOrder::Nothing(SaveOrderOutcome::Saved(Box::new(stored.clone())));
        let fixed = SaveOrder::Nothing(SaveOrderOutcome::PriceFixed(Box::new(stored.clone())));
        assert_eq!(newer.save_over(Some(stored), true, now), fixed);
        assert_eq!(described(5, 3000).save_over(Some(stored), true, now), saved);
        assert_eq!(
            described(6, 1000).save_over(Some(stored), false, now),
            saved
        );
        let unclear = SaveOrder::Nothing(SaveOrderOutcome::Unclear);
        assert_eq!(
            described(6, 2000).save_over(Some(stored), false, now),
            unclear
        );
        // The end may change after an operation; the price may not.
        let mut longer = described(5, 3000);
        longer.order.pay_until = Some(instant(60_000));
        let changed = OrderFacts {
            pay_until: Some(instant(60_000)),
            described_at: Some(instant(3000)),
            ..stored.clone()
        };
        let replaced = SaveOrder::Replace(Box::new(changed.clone()));
        assert_eq!(longer.save_over(Some(stored), true, now), replaced);
        let known = SaveOrder::Nothing(SaveOrderOutcome::Saved(Box::new(changed.clone())));
        let unchanged = described(5, 4000).save_over(Some(&changed), true, now);
        assert_eq!(unchanged, known);
        let registered = OrderFacts {
            described_at: None,
            ..stored.clone()
        };
        let refused = SaveOrder::Nothing(SaveOrderOutcome::NotAShopOrder);
        assert_eq!(newer.save_over(Some(&registered), false, now), refused);
    }

    #[test]
    fn an_order_without_an_end_of_its_own_gets_the_default_when_it_is_stored_first() {
        let described = |pay_until: Option<i64>, at: i64| ShopOrder {
            order: OrderFacts {
                created_at: instant(at),
                pay_until: pay_until.map(instant),
                ..told(5, at)
            },
            since: instant(at),
            time_to_pay: Some(Duration::from_secs(60)),
        };
        let written = |save| match save {
            SaveOrder::Insert(facts) | SaveOrder::Replace(facts) => *facts,
            SaveOrder::Nothing(outcome) => panic!("{outcome:?}"),
        };
        let now = instant(9000);
        let first = written(described(None, 1000).save_over(None, false, now));
        assert_eq!(first.pay_until, Some(instant(61_000)));
        let again = written(described(None, 2000).save_over(Some(&first), false, now));
        assert_eq!(again.pay_until, Some(instant(61_000)));
        let sooner = written(described(Some(5000), 3000).save_over(Some(&again), false, now));
        assert_eq!(sooner.pay_until, Some(instant(5000)));
        assert!(!sooner.has_ended(instant(4999)) && sooner.has_ended(instant(5000)));
    }
}
