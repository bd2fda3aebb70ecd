//! Turns Ctrl-C and similar signals into a flag that loops can read.

use anyhow::{Context, Result, bail};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From here on this program notes a signal to stop instead of ending at once, so that it stops its
/// servers first.
pub fn listen() -> Result<()> {
    let requested = REQUESTED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(requested))
            .context("could not listen for Ctrl-C")?;
    }
    Ok(())
}

/// True when a person asked this program to stop.
pub fn requested() -> bool {
    REQUESTED
        .get()
        .is_some_and(|requested| requested.load(Ordering::Relaxed))
}

/// Ends a chore between two steps when a person asked for it.
pub fn check() -> Result<()> {
    if requested() {
        bail!("stopped");
    }
    Ok(())
}
