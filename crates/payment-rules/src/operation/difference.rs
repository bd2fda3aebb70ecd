//! What does not fit: an answer that is not the order's, and more money given back than stands paid. Another sentence is
//! another exception, also after staff resolved the first one; the same sentence stays as old as it is.

use super::OperationRecord;
use payment_model::Timestamp;
use serde::{Deserialize, Serialize};

/// A difference between an answer and the order, or between the money given back and the payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// When it was found first.
    pub at: Timestamp,
    /// What differs, in a sentence in English for staff.
    pub detail: String,
}

impl Difference {
    /// A difference that is found now.
    pub fn new(detail: impl Into<String>, now: Timestamp) -> Self {
        Self {
            at: now,
            detail: detail.into(),
        }
    }

    fn renewed(known: Option<Self>, detail: String, now: Timestamp) -> Self {
        // A purge has emptied the sentence of an earlier time.
        let same = known.filter(|known| known.detail == detail || known.detail.is_empty());
        let at = same.map_or(now, |known| known.at);
        Self { at, detail }
    }
}

impl OperationRecord {
    pub(super) fn note_mismatch(&mut self, detail: String, now: Timestamp) {
        let known = self.answer_mismatch.take();
        self.answer_mismatch = Some(Difference::renewed(known, detail, now));
    }

    /// Stores [`Ledger::excess`](crate::ledger::Ledger::excess), which is `None` without an excess.
    pub(crate) fn note_excess(&mut self, detail: Option<String>, now: Timestamp) {
        let known = self.excess.take();
        self.excess = detail.map(|detail| Difference::renewed(known, detail, now));
    }
}
