//! The times that the flow works by.

use browser_kit::clock;
use checkout_flow::Moment;

/// Returns the times of both clocks now.
pub(crate) fn now() -> Moment {
    Moment {
        wall: clock::wall(),
        monotonic: clock::monotonic(),
    }
}
