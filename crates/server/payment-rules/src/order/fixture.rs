//! An order for tests.

use super::{OrderFacts, OrderState};
use crate::timing::instant;
use payment_model::Person;

/// An open order of the amount of the operations for tests.
pub fn order(id: &str) -> OrderFacts {
    OrderFacts {
        order_id: id.to_owned(),
        label: None,
        session_hash: "hash".to_owned(),
        created_at: instant(0),
        amount: 38_700,
        currency: "PEN".to_owned(),
        merchant_code: "shop".to_owned(),
        items: Vec::new(),
        customer: Person::default(),
        state: OrderState::Open,
        paid_twice: false,
        described_at: None,
        order_key_hash: None,
        methods: None,
        pay_until: None,
        unpaid_at: None,
    }
}
