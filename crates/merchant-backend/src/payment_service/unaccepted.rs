use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// So many codes of one process are alerts of their own; a service that makes up codes must not fill
/// the memory.
const MOST_CODES: usize = 64;

/// The codes of answers that were not accepted, each with the kind of request that it answered.
#[derive(Default)]
pub(super) struct Unaccepted(Mutex<HashSet<(&'static str, String)>>);

impl Unaccepted {
    /// Alerts once for each kind and code. A service that counts another code as success would
    /// otherwise leave every payment in doubt without a word.
    pub(super) fn note(&self, kind: &'static str, code: &str) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < MOST_CODES && seen.insert((kind, code.to_owned())) {
            tracing::error!(
                alert = true,
                kind,
                code,
                "the payment service answered without an accepted result: nothing that rests on such answers is decided; if this code means success, add it to ACCEPTED_CODES"
            );
        }
    }
}
