//! Starts the flow: from the snapshot, the page's attributes and the return token.

use super::{Flow, Phase};
use crate::failure::ErrorCode;
use crate::live_operation::{LiveOperation, Origin};
use crate::notice::Notice;
use crate::start::{Snapshot, Start};
use crate::tracked_operation::Knowledge;
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
}
