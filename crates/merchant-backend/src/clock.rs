use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, as the store keeps instants.
pub(crate) type Millis = i64;

/// Now. A clock before 1970 reads as 1970, one beyond the range of [`Millis`] as its end.
pub(crate) fn now() -> Millis {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Millis::try_from(elapsed.as_millis()).unwrap_or(Millis::MAX)
}

/// The milliseconds of a duration.
pub(crate) fn millis(duration: std::time::Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}
