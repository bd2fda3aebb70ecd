//! The clocks of the machines in the world. Time passes as the paused clock of tokio says.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::Instant;

/// The wall clock of every machine when a world begins: 2026-01-01.
const BEGIN: Duration = Duration::from_secs(1_767_225_600);

/// The time of a world, which is the time of every machine whose clock is right.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorldTime {
    begun: Instant,
}

impl WorldTime {
    pub(super) fn begin() -> Self {
        Self {
            begun: Instant::now(),
        }
    }

    pub(super) fn passed(self) -> Duration {
        self.begun.elapsed()
    }

    /// The time of the world at which a clock that is right shows these milliseconds.
    pub(super) fn passed_at(millis: i64) -> Duration {
        Duration::from_millis(millis.unsigned_abs()).saturating_sub(BEGIN)
    }

    pub(super) fn wall(self) -> SystemTime {
        UNIX_EPOCH + BEGIN + self.passed()
    }
}

/// By how many milliseconds the wall clock of a machine is ahead. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Ahead(Arc<AtomicI64>);

impl Ahead {
    pub(super) fn jump(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::Relaxed);
    }

    pub(super) fn set_right(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    pub(super) fn on(&self, wall: SystemTime) -> SystemTime {
        let millis = self.0.load(Ordering::Relaxed);
        let by = Duration::from_millis(millis.unsigned_abs());
        if millis < 0 { wall - by } else { wall + by }
    }
}

/// Keeps the virtual clock from advancing while threads work that the world does not see.
pub(super) struct Brake {
    release: mpsc::Sender<()>,
    blocked: JoinHandle<()>,
}

impl Brake {
    pub(super) fn set() -> Self {
        let (release, released) = mpsc::channel::<()>();
        // The clock does not advance while such a task runs. A closed channel ends it, too.
        let blocked = spawn_blocking(move || {
            let _ = released.recv();
        });
        Self { release, blocked }
    }
}

impl Drop for Brake {
    fn drop(&mut self) {
        let _ = self.release.send(());
        // If the runtime became idle before the end of the task, it would wait for the next timer in real time.
        while !self.blocked.is_finished() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}
