//! Stores orders, whose facts come from the merchant's program or from the shop.
//!
//! ```text
//! register, new_order    orders that the merchant's program registers
//! source                 orders that the shop describes, in a signed token or in an answer
//! from_program           checks what a shop describes; orders that a program of the shop gives to the server
//! staff_link             orders that staff make by hand, to be paid by a link
//! pay_link               the address of the server's own page of an order
//! ```
//!
//! The module copies the facts of an order into a row. It knows no catalog, payment or status code.

mod from_program;
mod pay_link;
mod register;
mod source;
mod staff_link;

pub(crate) use from_program::{GivenOrderError, given_by_program};
pub(crate) use pay_link::{PayLink, PayLinks};
pub(crate) use register::register;
pub use register::{NewOrder, RegisterError};
pub(crate) use source::{NamedOrder, OrderRefusal, PayableOrder, Right, payable, save};
pub(crate) use staff_link::{LinkOrderError, link_order};
