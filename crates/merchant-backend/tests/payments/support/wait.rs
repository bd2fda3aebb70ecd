//! Waits for a condition instead of a time.

use std::time::{Duration, Instant};

/// How long a condition may take to come true.
const LONGEST: Duration = Duration::from_secs(20);

/// Repeats until there is an answer.
pub(crate) async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(start.elapsed() < LONGEST, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
