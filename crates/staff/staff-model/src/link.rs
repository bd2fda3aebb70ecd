//! Payment links that a member of staff makes: an order of the server's own, and the address of its page.

use crate::QrPath;
use crate::word::words;
use payment_model::{Cents, Currency, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The body of `POST /staff/links`. The currency is that of the store.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MakeLink {
    /// The store that sells: one of [`StaffSession::stores`](crate::StaffSession::stores).
    pub merchant_code: String,
    /// The amount in cents.
    pub amount: Cents,
    /// What is paid for, as the payer reads it: 1 to 40 characters in one line.
    pub label: String,
    /// No attempt to pay begins at or after this instant, which is at most [`LONGEST_LINK_DAYS`] days away.
    pub pay_until: Timestamp,
    /// The customer's name; absent for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer_name: Option<String>,
}

/// For how many days a link may take payments.
pub const LONGEST_LINK_DAYS: u32 = 30;

impl fmt::Debug for MakeLink {
    /// Leaves the customer and what is paid for out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MakeLink")
            .field("amount", &self.amount)
            .field("pay_until", &self.pay_until)
            .finish_non_exhaustive()
    }
}

words! {
    /// How far a payment link is.
    pub enum LinkState {
        /// Nobody has opened the page. Previews of chats do not count.
        NotOpened = "not_opened",
        /// The page was opened, and a payment may come.
        Waiting = "waiting",
        /// The order is paid.
        Paid = "paid",
        /// No payment can come any more: somebody ended the link, or its time is over.
        Over = "over",
    }
}

/// A payment link.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentLink {
    /// The store that sells.
    pub merchant_code: String,
    /// The server's id of the order.
    pub order_id: String,
    /// The amount in cents.
    pub amount: Cents,
    /// The currency.
    pub currency: Currency,
    /// What is paid for.
    pub label: String,
    /// The customer's name, until the server forgets its payers.
    #[serde(default)]
    pub customer_name: Option<String>,
    /// No attempt to pay begins at or after this instant.
    pub pay_until: Timestamp,
    /// How far it is.
    pub state: LinkState,
    /// The name of the account that made it.
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// The name of the account that ended it; a code that a payer has may still be paid while the state is `waiting`.
    #[serde(default)]
    pub ended_by: Option<String>,
    /// The operation to look at: the one that is paid, or else the newest; `null` before the first one.
    #[serde(default)]
    pub merchant_operation_number: Option<String>,
    /// The address of the page, which permits whoever has it to pay the order and to read its state. `null` for an account
    /// that may make no links, and for an address that leads nowhere any more.
    #[serde(default)]
    pub url: Option<String>,
    /// The address as a QR code, where one link was asked for.
    #[serde(default)]
    pub qr: Option<QrPath>,
}

impl fmt::Debug for PaymentLink {
    /// Leaves the address, the customer and what is paid for out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaymentLink")
            .field("order_id", &self.order_id)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// The query of `GET /staff/links`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinksQuery {
    /// `next_cursor` of the previous page; empty for the first one.
    pub cursor: String,
}

/// A page of the links of the stores that the account sees, the newest first: the answer of `GET /staff/links`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentLinks {
    /// The links.
    pub links: Vec<PaymentLink>,
    /// The cursor of the next page; `null` on the last one.
    #[serde(default)]
    pub next_cursor: Option<String>,
}
