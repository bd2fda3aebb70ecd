//! Payments from the payer's side, against a simulated merchant's server: scripts that read like
//! stories, and random stories that are checked against the flow's invariants.
//!
//! Every event of every test goes through [`support::invariants::Invariants`], which knows the invariants.

#![cfg(test)]

mod another_way;
mod caches;
mod cancels;
mod entity_tags;
mod expires;
mod failed_questions;
mod failed_requests;
mod given_operations;
mod hidden_choice;
mod hidden_page;
mod installment;
mod known_money;
mod late_payments;
mod live_operations;
mod named_operations;
mod new_codes_refused;
mod new_settings;
mod no_operation_yet;
mod not_offered;
mod page_is_asked;
mod polls;
mod qr;
mod random;
mod replaced_codes;
mod resumes;
mod states;
mod support;
mod withdrawals;
