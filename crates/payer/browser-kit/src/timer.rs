//! Timers that stop when they are dropped.

use gloo_timers::callback::Timeout;
use std::time::Duration;

/// Browsers count the milliseconds of a timer in 31 bits.
const LONGEST: u32 = i32::MAX as u32;

/// Calls `wake` once after this time.
#[must_use = "a timer that is dropped never wakes anybody"]
pub fn after(time: Duration, wake: impl FnOnce() + 'static) -> Timeout {
    let millis = u32::try_from(time.as_millis()).unwrap_or(LONGEST);
    Timeout::new(millis.min(LONGEST), wake)
}
