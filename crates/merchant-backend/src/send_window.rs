//! The send window: the time within which a request that moves money, or an event, may be sent.

use std::time::{Duration, Instant, SystemTime};

/// Long enough for a slow disk, and shorter than every lease: while the window is open, no other process
/// takes the claim over.
const WINDOW: Duration = Duration::from_secs(2);

/// Permission to send a request that moves money, or an event, for a short time after the fact that
/// justifies it: a claim or a lease in the database, or an answer of the service.
///
/// A process can be suspended at any line. A request that is sent long after could undo what other
/// processes did in the meantime.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SendWindow {
    steady: Instant,
    /// Both clocks are needed, since on some machines the steady clock stops during sleep.
    wall: SystemTime,
}

impl SendWindow {
    /// Opens a window now.
    pub(crate) fn open() -> Self {
        Self {
            steady: Instant::now(),
            wall: SystemTime::now(),
        }
    }

    /// True while the request may be sent. A wall clock that was set back is ignored.
    pub(crate) fn is_open(&self) -> bool {
        self.steady
            .elapsed()
            .max(self.wall.elapsed().unwrap_or_default())
            <= WINDOW
    }

    /// The window that closes first, for a request that two facts justify.
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
    /// A window that was opened this long ago, by each clock.
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
