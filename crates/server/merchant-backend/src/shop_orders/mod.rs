//! Reads orders that a shop describes, in a signed token or in the answer to a request.
//!
//! ```text
//! facts       parses and checks the facts of an order
//! token       reads a signed order
//! keys        the shop's keys, and the check of its signatures
//! shop        which source of orders the server uses; requests an order from the shop
//! ```
//!
//! The module knows neither the database nor the merchant's stores: `orders` stores the facts.

mod keys;
mod read_facts;
mod shop;
mod token;

pub(crate) use keys::OrderKeys;
pub(crate) use read_facts::{
    ShopFacts, UniqueFields, WrongFact, instant as read_instant, nothing_else,
};
pub(crate) use shop::OrderSource;
pub(crate) use shop::{Shop, ShopError};
pub(crate) use token::{TokenRefusal, read as read_token};
