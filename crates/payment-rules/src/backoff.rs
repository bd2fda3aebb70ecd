//! The pauses between two queries, which grow with age and after failures.

use std::time::Duration;

pub(super) const SECOND: Duration = Duration::from_secs(1);
pub(super) const MINUTE: Duration = Duration::from_mins(1);
pub(super) const HOUR: Duration = Duration::from_hours(1);
pub(super) const DAY: Duration = Duration::from_hours(24);

/// The pause of the first step that ends after this age; `None` after the last step.
pub(super) fn stepped(age: Duration, steps: &[(Duration, Duration)]) -> Option<Duration> {
    let step = steps.iter().find(|(end, _)| age < *end);
    step.map(|(_, pause)| *pause)
}

/// Doubles the pause with each failure, up to the longest.
pub(super) fn doubled(first: Duration, failures: u32, longest: Duration) -> Duration {
    let times = 2_u32.saturating_pow(failures);
    first.saturating_mul(times).min(longest)
}

/// A pause of a fraction of the age, within two bounds.
pub(super) fn fraction(age: Duration, of: u32, bounds: [Duration; 2]) -> Duration {
    let [shortest, longest] = bounds;
    age.checked_div(of)
        .unwrap_or(longest)
        .clamp(shortest, longest)
}
