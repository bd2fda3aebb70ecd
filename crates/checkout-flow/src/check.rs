use crate::operations::Slot;
use crate::schedule;

/// The payer's own question, "check now", and what became of it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Check {
    /// When it was asked last, in the flow's time.
    last: Option<i64>,
    /// Whether its answer has not come.
    pub(crate) awaited: bool,
    /// The operation that still waited, and the server's clock when it said so.
    nothing_new: Option<(Slot, i64)>,
}

impl Check {
    /// Whether the payer may ask.
    pub(crate) fn is_open(&self, now: i64) -> bool {
        self.last
            .is_none_or(|last| now.saturating_sub(last) >= schedule::CHECK)
    }

    pub(crate) fn asked(&mut self, now: i64) {
        (self.last, self.awaited) = (Some(now), true);
    }

    /// The server answered about the operation in front, which still waits.
    pub(crate) fn answered(&mut self, slot: Slot, server_now: i64) {
        if std::mem::take(&mut self.awaited) {
            self.nothing_new = Some((slot, server_now));
        }
    }

    /// When the server said last to the payer's question that this operation still waits.
    pub(crate) fn nothing_new(&self, slot: Slot) -> Option<i64> {
        self.nothing_new
            .filter(|(of, _)| *of == slot)
            .map(|(_, at)| at)
    }
}
