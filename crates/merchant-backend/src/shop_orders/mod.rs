//! Orders in the words of a shop: in a signed token that its page shows, or in its answer.
//!
//! ```text
//! source      which of the two a server has
//! facts       the facts of an order, checked
//! token       reads a signed order;  keys: those of the shop;  signatures: the cryptography
//! shop        asks the shop
//! ```
//!
//! It knows no database, no store of the merchant and no page: `orders` makes a row of the facts.

mod facts;
mod keys;
mod shop;
mod signatures;
mod source;
mod token;

pub(crate) use facts::{ShopFacts, WrongFact};
pub(crate) use keys::OrderKeys;
pub(crate) use shop::{Shop, ShopError};
pub(crate) use source::OrderSource;
pub(crate) use token::{TokenRefusal, read as read_token};
