//! Looks for money that moves twice or vanishes from sight.
//!
//! Each part of a run is a function from a [`report::Budget`] to a [`report::Part`].

pub mod faults;
pub mod input;
pub mod parsers;
pub mod race;
pub mod report;
pub mod stack;
