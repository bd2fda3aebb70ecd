//! A simulated page, its browser and the merchant's server, and the invariants that hold in every test.

pub(crate) mod browser;
pub(crate) mod cache;
pub(crate) mod charge;
pub(crate) mod clock;
pub(crate) mod invariants;
pub(crate) mod keys;
pub(crate) mod page;
pub(crate) mod random_step;
pub(crate) mod server;
pub(crate) mod transition;
pub(crate) mod visible_parts;
