use payment_model::Timestamp;
use serde::{Deserialize, Serialize};

/// By how much one wall clock is ahead of another one, or behind it. It is stored as a number of
/// milliseconds, which is negative when the clock is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClockOffset(i64);

impl ClockOffset {
    /// So many milliseconds ahead.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// By how much a clock that shows `this` is ahead of a clock that shows `other`.
    pub(crate) fn between(this: Timestamp, other: Timestamp) -> Self {
        Self(this.as_millis().saturating_sub(other.as_millis()))
    }

    /// The time that this clock shows when the other one shows `other`.
    pub(crate) fn shown_at(self, other: Timestamp) -> Timestamp {
        Timestamp::from_millis(other.as_millis().saturating_add(self.0))
    }
}
