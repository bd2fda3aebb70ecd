use super::payment_attempt::{SOON, Undecided};
use crate::payment_service::ServiceError;
use std::time::Duration;
use tokio::time::Instant;

/// Counts the requests of one attempt. After a quick failure a second request with a fresh number
/// follows, so that a hiccup costs the payer nothing; after that the browser repeats its request.
pub(super) struct Retries {
    made: u32,
    /// How many numbers had been used before.
    taken: u32,
    begun: Instant,
    patience: Duration,
}

/// So many random numbers in a row cannot have been used before: the service must mean something
/// else by that status.
const MOST_TAKEN: u32 = 3;

impl Retries {
    pub(super) fn new(patience: Duration) -> Self {
        Self {
            made: 0,
            taken: 0,
            begun: Instant::now(),
            patience,
        }
    }

    pub(super) fn again(&mut self, error: &ServiceError) -> Result<(), Undecided> {
        self.made += 1;
        let wait = error.retry_after();
        if self.made < 2 && wait.is_none() && self.begun.elapsed() < self.patience {
            return Ok(());
        }
        Err(Undecided::Unavailable(wait.unwrap_or(SOON)))
    }

    pub(super) fn with_another_number(&mut self) -> Result<(), Undecided> {
        self.taken += 1;
        if self.taken < MOST_TAKEN {
            return Ok(());
        }
        Err(Undecided::Unavailable(SOON))
    }
}
