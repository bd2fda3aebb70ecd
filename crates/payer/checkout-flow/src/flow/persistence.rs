//! The snapshot that the next page of this tab needs.

use super::{Flow, Phase};
use crate::command::Command;
use crate::start::{MOST_SUPERSEDED, Snapshot, VERSION};

impl Flow {
    /// Stores the snapshot, if it changed.
    pub(super) fn persist(&mut self) {
        let wanted = self.snapshot();
        match (&wanted, &self.saved) {
            (Some(wanted), Some(saved)) if wanted.says_the_same(saved) => return,
            (None, None) => return,
            (Some(snapshot), _) => self.commands.push(Command::Save(snapshot.clone())),
            (None, Some(_)) => self.commands.push(Command::Forget),
        }
        self.saved = wanted;
    }

    fn snapshot(&self) -> Option<Snapshot> {
        let attempt = match &self.phase {
            Phase::Authorizing(authorizing) => Some(authorizing.attempt.clone()),
            Phase::AskingToReplace { attempt, .. } => Some(attempt.clone()),
            Phase::Failed { attempt, .. } => attempt.clone(),
            // After a reload the payer still sees why the attempt ended, until the order is paid.
            Phase::Ended { slot } if self.operations[*slot].is_failed_attempt() => None,
            Phase::Ended { .. } => return None,
            Phase::New | Phase::Choosing | Phase::AskingPage(_) | Phase::Live(_) => {
                self.kept_attempt.clone()
            }
        };
        // The next page must not show it, and would not know the wrong amount.
        let front = self.front_slot().filter(|slot| {
            !self.operations[*slot]
                .offer
                .is_authorized_wrongly(&self.settings)
        });
        let mut superseded = self
            .operations
            .others(front)
            .map(|tracked| tracked.operation.clone())
            .collect::<Vec<_>>();
        // A snapshot with more operations would not be read. The payer most likely pays one of the newest.
        superseded.drain(..superseded.len().saturating_sub(MOST_SUPERSEDED));
        let front = front.map(|slot| &self.operations[slot]);
        if attempt.is_none() && front.is_none() && superseded.is_empty() {
            return None;
        }
        Some(Snapshot {
            version: VERSION,
            attempt,
            operation: front.map(|tracked| tracked.operation.clone()),
            deadline: front.and_then(|tracked| tracked.offer.deadline),
            server_offset: self.time.server_offset(),
            read_only: self.is_read_only(),
            superseded,
        })
    }
}
