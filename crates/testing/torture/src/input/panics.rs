//! Records panics of the programs under test. The server catches those of a request and answers 500; one of a
//! background task would leave no trace.

use crate::shared::lock;
use std::panic;
use std::sync::{Arc, Mutex};

/// Records the panics of the whole process while it lives.
#[derive(Debug)]
pub(super) struct Watch(Arc<Mutex<Vec<String>>>);

impl Watch {
    pub(super) fn begin() -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (watch, usual) = (Self(Arc::clone(&seen)), panic::take_hook());
        panic::set_hook(Box::new(move |panic| {
            // A failed test of this crate and its reader of the contract are no programs under test.
            let own = [
                "crates/testing/torture/",
                "crates/server/merchant-backend/tests/",
            ];
            let place = panic.location().map_or("", |place| place.file());
            if own.iter().any(|own| place.contains(own)) {
                usual(panic);
                return;
            }
            let text = panic.to_string().replace('\n', " ");
            let mut seen = lock(&seen);
            seen.push(text);
        }));
        watch
    }

    /// The panics since the last call.
    pub(super) fn take(&self) -> Vec<String> {
        let mut seen = lock(&self.0);
        std::mem::take(&mut seen)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A thread that panics may not change what happens then.
        if !std::thread::panicking() {
            let _ = panic::take_hook();
        }
    }
}
