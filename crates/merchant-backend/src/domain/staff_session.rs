//! How long somebody of the staff stays signed in.

use crate::clock::Millis;

/// The longest time of a session, whatever is done in it.
pub(crate) const LONGEST_SESSION: Millis = 8 * 3600 * 1000;
/// The longest time of a session in which nothing is done.
pub(crate) const LONGEST_IDLE: Millis = 30 * 60 * 1000;
