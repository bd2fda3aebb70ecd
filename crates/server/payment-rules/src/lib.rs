//! The rules of the merchant server: plain data and functions over it, without input or output, a clock or randomness.
//!
//! ```text
//! payment            the order with all its payments: the aggregate that is loaded, changed and saved
//! operation          an attempt to pay: what answers change, and when to poll again
//! ledger             the money of one operation: paid, given back, reserved, unknown
//! outgoing           the protocol of every request that moves money
//! order              an order's facts, as the merchant registered them or as its shop describes them
//! offer              the methods by which an order can be paid
//! event              which changes the merchant's webhook receives, and their bodies
//! idempotency        a request under an idempotency key, and its final answer
//! service_answers    which answers of the payment service count, and the unit of their amounts
//! search, staff      the searches of staff; their sessions and audit records
//! staff_link         how far a payment link of a member of staff is
//! second_factor      what the codes of staff change, how long they count, and what a wrong one costs
//! forget_payer       removes the payer's data from stored answers
//! timing             proven lengths of time, and the pauses between two polls
//! planted_mistakes    mistakes that tests plant in the rules
//! ```
//!
//! It knows `payment-model`, `staff-model` and `qr-verdict`. It must not know the database, the network or HTTP:
//! every instant and every random value is given to it.

// A clock or a date of the service may have any value: sums of times saturate.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

pub mod api_key;
pub mod event;
pub mod forget_payer;
pub mod idempotency;
pub mod ledger;
pub mod offer;
pub mod operation;
pub mod order;
pub mod outgoing;
pub mod payment;
pub mod planted_mistakes;
pub mod search;
pub mod second_factor;
pub mod service_answers;
pub mod staff;
pub mod staff_link;
pub mod timing;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;

/// SHA-256 in base64url: the store has these instead of values that grant access.
pub fn fingerprint(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, text.as_bytes()))
}
