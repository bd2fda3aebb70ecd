//! Tells whether the database takes writes, with one probe for all callers.

use crate::db::{Db, DbError};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// How long an answer serves other callers.
const FRESH: Duration = Duration::from_secs(5);
/// How long a write may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The last probe, shared by all callers.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<Probe>>);

#[derive(Clone, Copy)]
struct Probe {
    at: Instant,
    ready: bool,
}

impl Readiness {
    /// True if the database takes writes now; callers at the same time share one probe.
    pub(crate) async fn of(&self, db: &Db) -> bool {
        let mut last = self.0.lock().await;
        if let Some(probe) = last.filter(|probe| probe.at.elapsed() < FRESH) {
            return probe.ready;
        }
        let written = timeout(PATIENCE, db.ready()).await;
        let written = written.unwrap_or_else(|_| Err(DbError::slow()));
        if let Err(error) = &written {
            tracing::error!(%error, "not ready");
        }
        let ready = written.is_ok();
        let at = Instant::now();
        *last = Some(Probe { at, ready });
        ready
    }
}
