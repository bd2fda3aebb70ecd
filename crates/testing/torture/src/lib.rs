//! Looks for money that moves twice or vanishes from sight.
//!
//! Each part of a run is a function from a [`report::Budget`] to a [`report::Part`].

mod answer;
mod calls;
mod disk;
pub mod input;
pub mod parsers;
pub mod processes;
pub mod race;
mod receiver;
pub mod report;
mod request;
mod service;
mod settings;
mod shared;
mod stack;
pub mod world;
