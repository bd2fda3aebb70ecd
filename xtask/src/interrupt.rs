//! Ctrl-C and its relatives, turned into a question that loops can ask.

use anyhow::{Context, Result, bail};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From here on a signal to stop is remembered instead of ending this program at once,
/// so that the servers it started are stopped first.
pub(crate) fn listen() -> Result<()> {
    let requested = REQUESTED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(requested))
            .context("could not listen for Ctrl-C")?;
    }
    Ok(())
}

/// True when a person asked this program to stop.
pub(crate) fn requested() -> bool {
    REQUESTED
        .get()
        .is_some_and(|requested| requested.load(Ordering::Relaxed))
}

/// Ends a chore between two steps when a person asked for it.
pub(crate) fn check() -> Result<()> {
    if requested() {
        bail!("stopped");
    }
    Ok(())
}
