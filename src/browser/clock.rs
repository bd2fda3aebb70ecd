//! The times that the flow works by.

use browser_kit::clock;
use checkout_flow::{Moment, MonotonicTime};

/// Returns the times of both clocks now.
pub(crate) fn now() -> Moment {
    Moment {
        wall: clock::wall(),
        monotonic: MonotonicTime::after_start(clock::monotonic()),
    }
}
