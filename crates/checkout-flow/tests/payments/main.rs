//! Payments from the payer's side, against a merchant's server that is simulated: as scripts
//! that read like stories, and as random ones that are held against the flow's invariants.
//!
//! Every event of every test goes through [`witness::Witness`], which knows the invariants.

#[cfg(test)]
mod attention;
#[cfg(test)]
mod browser;
#[cfg(test)]
mod cancels;
#[cfg(test)]
mod charge;
#[cfg(test)]
mod clock;
#[cfg(test)]
mod expires;
#[cfg(test)]
mod fails;
#[cfg(test)]
mod installment;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod late;
#[cfg(test)]
mod page;
#[cfg(test)]
mod polls;
#[cfg(test)]
mod qr;
#[cfg(test)]
mod random;
#[cfg(test)]
mod resumes;
#[cfg(test)]
mod server;
#[cfg(test)]
mod sight;
#[cfg(test)]
mod states;
#[cfg(test)]
mod step;
#[cfg(test)]
mod transition;
#[cfg(test)]
mod unchanged;
#[cfg(test)]
mod withheld;
#[cfg(test)]
mod witness;
