//! Waits for a condition instead of a time.

use std::time::{Duration, Instant};

/// How long a condition may take to come true.
const LONGEST: Duration = Duration::from_secs(20);

/// Repeats until the condition is true.
pub(crate) async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    until_some(what, async || condition().await.then_some(())).await;
}

/// Repeats until there is a value.
pub(crate) async fn until_some<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = ask().await {
            return value;
        }
        assert!(start.elapsed() < LONGEST, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
