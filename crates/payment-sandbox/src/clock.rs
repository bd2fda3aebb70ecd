use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The sandbox's clock: a source of time, moved by an offset that tests set.
pub struct Clock {
    source: Box<dyn Fn() -> i64 + Send + Sync>,
    offset_ms: AtomicI64,
}

impl Clock {
    /// A clock over the system's.
    #[must_use]
    pub fn system() -> Self {
        Self::new(|| {
            // A system clock before 1970 is read as 1970.
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| {
                    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
                })
        })
    }

    /// A clock over any source of milliseconds since 1970.
    #[must_use]
    pub fn new(source: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self {
            source: Box::new(source),
            offset_ms: AtomicI64::new(0),
        }
    }

    /// The sandbox's time, in milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.unmoved()
            .saturating_add(self.offset_ms.load(Ordering::Relaxed))
    }

    /// The time without the offset, for the journal, whose order must survive a moved clock.
    pub(crate) fn unmoved(&self) -> i64 {
        (self.source)()
    }

    pub(crate) fn move_by(&self, offset_ms: i64) {
        self.offset_ms.store(offset_ms, Ordering::Relaxed);
    }
}
