//! What the flow starts with, from the page and from an earlier page of the tab.

use crate::operation_ref::{Attempt, OperationRef};
use crate::time::ClockOffset;
use payment_model::{Money, PaymentMethodName, Timestamp};
use serde::{Deserialize, Serialize};

/// The page's settings for the flow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The methods on offer, in the order shown.
    pub methods: Vec<PaymentMethodName>,
    /// The hosts that a continue URL may lead to; empty for any.
    pub hosts: Vec<String>,
    /// The page's price. An operation with another authorized amount is not shown to the payer.
    pub price: Option<Money>,
    /// True when the page wants to be asked before each new attempt.
    pub asks_page: bool,
    /// True when the page shows a choice of methods of its own in place of the flow's.
    pub hides_choice: bool,
}

impl Settings {
    /// True when this is the page's price, or the page gives no price.
    pub(crate) fn is_price(&self, money: &Money) -> bool {
        let price = self.price.as_ref();
        price.is_none_or(|price| price.same_as(money))
    }
}

/// The facts that are known when the element starts.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The snapshot that an earlier page of this tab kept.
    pub snapshot: Option<Snapshot>,
    /// The operation that the page's attributes name.
    pub resume: Option<OperationRef>,
    /// The operation that a return token names.
    pub returned: Option<OperationRef>,
    /// True when a setting of the page is missing or wrong. The flow then begins nothing.
    pub misconfigured: bool,
    /// True when the server can be asked which operation of the order its payer should see.
    pub asks_live: bool,
}

/// The data that the tab's session storage keeps over a reload: numbers and times, nothing about persons or
/// money. The flow asks the server again before it shows a result.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Snapshot {
    /// The version of this form. The flow ignores other versions.
    pub version: u32,
    /// The attempt that was not answered yet.
    #[serde(default)]
    pub attempt: Option<Attempt>,
    /// The operation in front.
    #[serde(default)]
    pub operation: Option<OperationRef>,
    /// Until when it can be paid, by the server's clock.
    #[serde(default)]
    pub deadline: Option<Timestamp>,
    /// By how much the server's clock is ahead of this browser's.
    #[serde(default)]
    pub server_offset: Option<ClockOffset>,
    /// True when only a return token led to the operation. This browser may then not cancel it.
    #[serde(default)]
    pub read_only: bool,
    /// Operations that were in front before.
    #[serde(default)]
    pub superseded: Vec<OperationRef>,
}

/// The version that the flow writes.
pub(crate) const VERSION: u32 = 1;
/// The most operations that a snapshot keeps.
pub(crate) const MOST_SUPERSEDED: usize = 16;

impl Snapshot {
    /// True when the values look as if the flow had written them: any script of the page can write to the tab's
    /// storage.
    pub(crate) fn is_sound(&self) -> bool {
        let key = self
            .attempt
            .as_ref()
            .is_none_or(|attempt| attempt.key.is_well_formed());
        self.version == VERSION && key && self.superseded.len() <= MOST_SUPERSEDED
    }

    /// True when both are equal except for the clock offset, which changes with every answer.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let Self {
            version,
            attempt,
            operation,
            deadline,
            server_offset: _,
            read_only,
            superseded,
        } = self;
        *version == other.version
            && *attempt == other.attempt
            && *operation == other.operation
            && *deadline == other.deadline
            && *read_only == other.read_only
            && *superseded == other.superseded
    }
}
