//! A sandbox for a test.

pub(crate) mod harness;
