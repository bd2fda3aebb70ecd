//! Payments from the payer's side, against a simulated merchant's server: scripts that read like
//! stories, and random stories that are checked against the flow's invariants.
//!
//! Every event of every test goes through [`support::invariants::Invariants`], which knows the invariants.

#[cfg(test)]
mod another_way;
#[cfg(test)]
mod cancels;
#[cfg(test)]
mod entity_tags;
#[cfg(test)]
mod expires;
#[cfg(test)]
mod failed_questions;
#[cfg(test)]
mod failed_requests;
#[cfg(test)]
mod given_operations;
#[cfg(test)]
mod hidden_page;
#[cfg(test)]
mod installment;
#[cfg(test)]
mod late_payments;
#[cfg(test)]
mod live_operations;
#[cfg(test)]
mod named_operations;
#[cfg(test)]
mod new_codes_refused;
#[cfg(test)]
mod new_settings;
#[cfg(test)]
mod no_operation_yet;
#[cfg(test)]
mod polls;
#[cfg(test)]
mod qr;
#[cfg(test)]
mod random;
#[cfg(test)]
mod replaced_codes;
#[cfg(test)]
mod resumes;
#[cfg(test)]
mod states;
#[cfg(test)]
mod support;
#[cfg(test)]
mod withdrawals;
