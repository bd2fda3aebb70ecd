use payment_model::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The sandbox's clock: a source of time plus an offset that tests set.
pub struct Clock {
    source: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// Negative if the clock is behind its source.
    offset_ms: AtomicI64,
}

impl Clock {
    /// Creates a clock that follows the system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::new(|| {
            // A system clock before 1970 counts as 1970.
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            Timestamp::default().saturating_add(since.unwrap_or_default())
        })
    }

    /// Creates a clock that follows any source of time.
    #[must_use]
    pub fn new(source: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self {
            source: Box::new(source),
            offset_ms: AtomicI64::new(0),
        }
    }

    /// The sandbox's time, with the offset.
    pub(crate) fn now(&self) -> Timestamp {
        let offset = self.offset_ms.load(Ordering::Relaxed);
        Timestamp::from_millis(self.unmoved().as_millis().saturating_add(offset))
    }

    /// The time without the offset, for the journal, whose order must survive a moved clock.
    pub(crate) fn unmoved(&self) -> Timestamp {
        (self.source)()
    }

    /// Sets the offset, which is negative to put the clock back.
    pub(crate) fn move_by_seconds(&self, offset: i64) {
        let offset = offset.saturating_mul(1000);
        self.offset_ms.store(offset, Ordering::Relaxed);
    }
}
