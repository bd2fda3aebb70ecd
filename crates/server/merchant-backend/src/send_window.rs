//! The send window: the time within which a request that moves money, or an event, may be sent.

use crate::ambient;
use payment_rules::planted_mistakes::{Mistake, planted};
use std::time::{Duration, SystemTime};

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
    /// By the steady clock of the node.
    opened_after: Duration,
    /// Both clocks are needed, since on some machines the steady clock stops during sleep.
    opened_at: SystemTime,
}

impl SendWindow {
    /// Opens a window now.
    pub(crate) fn open() -> Self {
        ambient::with(|node| Self {
            opened_after: node.steady(),
            opened_at: node.wall(),
        })
    }

    /// True while the request may be sent. A wall clock that was set back is ignored.
    pub(crate) fn is_open(&self) -> bool {
        let now = Self::open();
        let by_wall = now.opened_at.duration_since(self.opened_at);
        let by_steady = now.opened_after.saturating_sub(self.opened_after);
        let is_young = by_steady.max(by_wall.unwrap_or_default()) <= WINDOW;
        is_young || planted(Mistake::SendWindowNeverCloses)
    }

    /// The window that closes first, for a request that two facts justify.
    pub(crate) fn and(self, other: Self) -> Self {
        if other.opened_after < self.opened_after {
            other
        } else {
            self
        }
    }
}

#[cfg(test)]
impl SendWindow {
    /// A window that was opened this long ago.
    pub(crate) fn ago(time: Duration) -> Self {
        let now = Self::open();
        Self {
            opened_at: now.opened_at - time,
            ..now
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SendWindow;
    use crate::ambient::{TestMachine, on};
    use std::time::Duration;

    #[test]
    fn either_clock_closes_it() {
        let (none, long) = (Duration::ZERO, Duration::from_secs(3));
        let short = Duration::from_secs(1);
        for (wall, steady, open) in [
            (none, none, true),
            (none, long, false),
            (long, none, false),
            (short, short, true),
        ] {
            let machine = TestMachine::new();
            on(&machine, || {
                let window = SendWindow::open();
                machine.passes(wall, steady);
                assert_eq!(window.is_open(), open, "{wall:?} {steady:?}");
            });
        }
    }

    #[test]
    fn a_wall_clock_that_was_set_back_neither_closes_it_nor_keeps_it_open() {
        let machine = TestMachine::new();
        on(&machine, || {
            let window = SendWindow::open();
            machine.is_set_back(Duration::from_hours(1));
            assert!(window.is_open());
            machine.passes(Duration::ZERO, Duration::from_secs(3));
            assert!(!window.is_open());
        });
    }

    #[test]
    fn of_two_the_older_one_counts() {
        let machine = TestMachine::new();
        on(&machine, || {
            let old = SendWindow::open();
            machine.passes(Duration::ZERO, Duration::from_secs(3));
            let new = SendWindow::open();
            assert!(!old.and(new).is_open() && !new.and(old).is_open());
            assert!(new.and(new).is_open());
        });
    }
}
