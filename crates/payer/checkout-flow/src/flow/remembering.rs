//! Starts the flow: from the page's attributes, the return token, and the snapshot of the last page of this tab. Stores the
//! snapshot that the next page needs.

use super::tracked_operation::Knowledge;
use super::{Flow, LiveOperation, Origin, Phase};
use crate::command::Command;
use crate::failure::ErrorCode;
use crate::notice::Notice;
use crate::start::{MOST_SUPERSEDED, Snapshot, Start, VERSION};
use payment_model::ProblemMoney;

impl Flow {
    pub(super) fn start(&mut self, start: Start) {
        if !matches!(self.phase, Phase::New) {
            return;
        }
        if start.misconfigured {
            return self.fail(
                ErrorCode::Configuration,
                ProblemMoney::NothingCharged,
                None,
                None,
            );
        }
        // The flow remembers that the storage has a snapshot, so that it deletes an unusable one.
        let kept = start.snapshot.is_some();
        let snapshot = start
            .snapshot
            .filter(Snapshot::is_sound)
            .unwrap_or_default();
        self.saved = kept.then(|| snapshot.clone());
        if let Some(offset) = snapshot.server_offset {
            self.time.restore(offset);
        }
        self.report(Notice::Ready);
        for operation in snapshot.superseded {
            self.track(operation);
        }
        self.kept = snapshot.operation.map(|operation| self.track(operation));
        if let Some(slot) = self.kept {
            self.operations[slot].offer.deadline = snapshot.deadline;
        }
        self.read_only = self.kept.filter(|_| snapshot.read_only);
        let by_token = start.resume.is_none();
        let named = match (start.resume, start.returned) {
            (Some(operation), _) => Some((operation, Origin::Attributes)),
            (None, returned) => returned.map(|operation| (operation, Origin::Remembered)),
        };
        self.kept_attempt = snapshot
            .attempt
            .filter(|attempt| self.settings.methods.contains(&attempt.method));
        if let Some((operation, origin)) = named {
            let slot = self.track(operation);
            if by_token && self.kept != Some(slot) {
                self.read_only = Some(slot);
            }
            self.kept = self.kept.filter(|kept| *kept != slot);
            self.phase = Phase::Live(LiveOperation::new(slot, origin));
        } else {
            self.fall_back();
            if start.asks_live {
                self.ask_for_live();
            }
        }
    }

    /// Continues with the operation or the attempt of the snapshot, or else with the choice.
    pub(super) fn fall_back(&mut self) {
        self.phase = Phase::Choosing;
        let slot = self.kept.take();
        if let Some(slot) =
            slot.filter(|slot| self.operations[*slot].knowledge != Knowledge::UnknownToServer)
        {
            self.bring_to_front(slot, Origin::Remembered);
            self.ask_at_once();
        } else if let Some(attempt) = self.kept_attempt.take() {
            self.authorize(attempt, true);
        }
    }

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
