//! The time in which a request may leave that must not come late: one that moves money, or an event.

use std::time::{Duration, Instant, SystemTime};

/// How long a window is open. It covers a slow disk, and no process that was halted: in that time
/// nobody else takes over what it holds.
const OPEN: Duration = Duration::from_secs(2);

/// Permission to send a request that moves money, or an event, from the moment on which it rests: a
/// claim or a lease in the database, or an answer of the service. A process can be halted at any line, and the world goes
/// on; a request that leaves too late could undo what others did meanwhile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SendWindow {
    steady: Instant,
    /// The steady clock stands still while some machines sleep.
    wall: SystemTime,
}

impl SendWindow {
    /// Opens now.
    pub(crate) fn open() -> Self {
        Self {
            steady: Instant::now(),
            wall: SystemTime::now(),
        }
    }

    /// True while the request may leave. A wall clock that was set back tells nothing.
    pub(crate) fn is_open(&self) -> bool {
        self.steady
            .elapsed()
            .max(self.wall.elapsed().unwrap_or_default())
            <= OPEN
    }

    /// The older one of two, for a request that rests on both.
    pub(crate) fn and(self, other: Self) -> Self {
        if other.steady < self.steady {
            other
        } else {
            self
        }
    }
}

#[cfg(test)]
impl SendWindow {
    /// A window that opened so long ago, by each clock.
    pub(crate) fn ago(steady: Duration, wall: Duration) -> Self {
        Self {
            steady: Instant::now().checked_sub(steady).unwrap(),
            wall: SystemTime::now() - wall,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SendWindow;
    use std::time::{Duration, SystemTime};

    #[test]
    fn either_clock_closes_it() {
        let (none, long) = (Duration::ZERO, Duration::from_secs(3));
        assert!(SendWindow::open().is_open());
        for (steady, wall, open) in [
            (none, none, true),
            (long, none, false),
            (none, long, false),
            (Duration::from_secs(1), Duration::from_secs(1), true),
        ] {
            let window = SendWindow::ago(steady, wall);
            assert_eq!(window.is_open(), open, "{steady:?} {wall:?}");
        }
        let set_back = SendWindow {
            wall: SystemTime::now() + long,
            ..SendWindow::open()
        };
        assert!(set_back.is_open());
    }

    #[test]
    fn of_two_the_older_one_counts() {
        let (old, new) = (
            SendWindow::ago(Duration::from_secs(3), Duration::ZERO),
            SendWindow::open(),
        );
        assert!(!old.and(new).is_open() && !new.and(old).is_open());
        assert!(new.and(new).is_open());
    }
}
