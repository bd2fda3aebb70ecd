//! The server against the real sandbox, over real sockets, with a real database file.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is unexpected fails the test that meets it"
)]

mod abandoned;
mod attempts;
mod bodies;
mod cancelling;
mod clerk;
mod clients;
mod clock;
mod connections;
mod contract;
mod crash;
mod cross_site;
mod dates;
mod doubts;
mod events;
mod exceptions;
mod given_back;
mod hosts;
mod methods;
mod mismatches;
mod notifications;
mod payer;
mod paying;
mod polling;
mod program;
mod purging;
mod readiness;
mod receiver;
mod refund_doubts;
mod refund_rules;
mod refund_watch;
mod refunds;
mod releases;
mod repeated_fields;
mod resting;
mod returns;
mod reversals;
mod socket;
mod stack;
mod staff_cancels;
mod staff_devices;
mod staff_reversals;
mod staff_search;
mod staff_sessions;
mod start;
mod stores;
mod strangers;
mod token;
mod unchanged;
mod waiting;
mod withdrawing;
