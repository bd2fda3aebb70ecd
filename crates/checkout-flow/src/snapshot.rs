use crate::{Attempt, ClockOffset, OperationRef};
use payment_model::Timestamp;
use serde::{Deserialize, Serialize};

/// The data that survives a reload in the tab's session storage: numbers and times, nothing about
/// persons or money. The flow asks the server again before it shows anything as a result.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Snapshot {
    /// The form of this snapshot; another one is not read.
    pub version: u32,
    /// The attempt whose answer has not come.
    #[serde(default)]
    pub attempt: Option<Attempt>,
    /// The operation in front.
    #[serde(default)]
    pub operation: Option<OperationRef>,
    /// Until when it can be paid, by the server's clock.
    #[serde(default)]
    pub deadline: Option<Timestamp>,
    /// By how much the server's clock is ahead of this browser's.
    #[serde(default)]
    pub server_offset: Option<ClockOffset>,
    /// True when only a return token led to the operation. This browser may then not cancel it.
    #[serde(default)]
    pub read_only: bool,
    /// Operations that were in front before.
    #[serde(default)]
    pub superseded: Vec<OperationRef>,
}

/// The present form.
pub(crate) const VERSION: u32 = 1;
/// No payer leaves more operations than this behind.
pub(crate) const MOST_SUPERSEDED: usize = 16;

impl Snapshot {
    /// True when the values have the form that the flow writes. Any script of the page can write to
    /// a tab's storage.
    pub(crate) fn is_sound(&self) -> bool {
        let key = self
            .attempt
            .as_ref()
            .is_none_or(|attempt| attempt.key.is_well_formed());
        self.version == VERSION && key && self.superseded.len() <= MOST_SUPERSEDED
    }

    /// True when both are equal except for the clock, which changes with every answer.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let Self {
            version,
            attempt,
            operation,
            deadline,
            server_offset: _,
            read_only,
            superseded,
        } = self;
        *version == other.version
            && *attempt == other.attempt
            && *operation == other.operation
            && *deadline == other.deadline
            && *read_only == other.read_only
            && *superseded == other.superseded
    }
}
