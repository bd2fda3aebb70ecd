//! How long a member of staff stays signed in.

use std::time::Duration;

/// The longest time of a session, whatever is done in it.
pub const LONGEST_SESSION: Duration = Duration::from_hours(8);
/// The longest time of a session in which nothing is done.
pub const LONGEST_IDLE: Duration = Duration::from_mins(30);
