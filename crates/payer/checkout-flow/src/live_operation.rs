use crate::cancel::Cancel;
use crate::tracked_operations::Slot;

/// An operation that is in front and has not ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LiveOperation {
    /// Which of the tracked operations.
    pub(crate) slot: Slot,
    pub(crate) origin: Origin,
    pub(crate) cancel: Cancel,
    /// True when the last cancellation failed.
    pub(crate) cancel_failed: bool,
    /// True when this page sent the payer to the continue URL.
    pub(crate) left: bool,
}

/// How the flow came to know the operation in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The server named it in the answer to an authorize request.
    Authorized,
    /// The page's attributes name it.
    Attributes,
    /// A snapshot or a return token names it. They may be old, and a token may be forged.
    Remembered,
}

impl LiveOperation {
    pub(crate) fn new(slot: Slot, origin: Origin) -> Self {
        Self {
            slot,
            origin,
            cancel: Cancel::No,
            cancel_failed: false,
            left: false,
        }
    }
}
