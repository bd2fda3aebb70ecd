//! The programs around a test, and the people and systems that talk to the server.
//!
//! A test starts a `stack`. It takes orders and payments from `sales` or a browser from `payer`, signs staff in
//! by `roles`, lets the payment service go wrong by a `fault`, and waits for a condition by `wait`.

pub(crate) mod accounts;
pub(crate) mod database;
pub(crate) mod event_receiver;
pub(crate) mod fault;
pub(crate) mod notification;
pub(crate) mod order_token;
pub(crate) mod page_visitor;
pub(crate) mod payer;
pub(crate) mod program;
pub(crate) mod roles;
pub(crate) mod sales;
pub(crate) mod second_factor;
pub(crate) mod shop_program;
pub(crate) mod socket;
pub(crate) mod stack;
pub(crate) mod staff_client;
pub(crate) mod wait;
pub(crate) mod wire;
