use super::look_up_answer::{LookUpError, LookedUp};
use crate::domain::operation::OperationKey;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;

/// The last look-up of an operation, for those who waited while it ran.
pub(super) struct Round {
    pub(super) began: Instant,
    pub(super) answer: Result<LookedUp, LookUpError>,
}

type Place = Arc<tokio::sync::Mutex<Option<Round>>>;

/// One look-up at a time for each operation, whoever asks.
#[derive(Default)]
pub(crate) struct LookUps(Mutex<HashMap<OperationKey, Place>>);

impl LookUps {
    /// The place at which to queue.
    pub(super) fn place(&self, key: &OperationKey) -> Place {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Places that nobody is at any more are swept here, so that none pile up.
        if places.len() >= 64 && places.len().is_power_of_two() {
            places.retain(|_, place| Arc::strong_count(place) > 1);
        }
        Arc::clone(places.entry(key.clone()).or_default())
    }
}
