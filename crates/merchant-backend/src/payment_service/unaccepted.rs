use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Bounds the memory if the service sends ever new codes; further codes raise no alert.
const MAX_CODES: usize = 64;

/// The kinds of requests and codes for which an alert was logged.
#[derive(Default)]
pub(super) struct Unaccepted(Mutex<HashSet<(&'static str, String)>>);

impl Unaccepted {
    /// Logs an alert once for each kind and code. A service whose code for success is not in
    /// `ACCEPTED_CODES` would otherwise leave every payment in doubt silently.
    pub(super) fn note(&self, kind: &'static str, code: &str) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < MAX_CODES && seen.insert((kind, code.to_owned())) {
            tracing::error!(
                alert = true,
                kind,
                code,
                "the payment service answered without an accepted result: nothing that rests on such answers is decided; if this code means success, add it to ACCEPTED_CODES"
            );
        }
    }
}
