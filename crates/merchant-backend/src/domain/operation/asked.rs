use payment_model::Timestamp;

/// The request that an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asked {
    /// When it began; its answer may say what was true then.
    pub(super) began: Timestamp,
    pub(super) is_query: bool,
}

impl Asked {
    pub(crate) fn query(began: Timestamp) -> Self {
        Self {
            began,
            is_query: true,
        }
    }

    pub(crate) fn cancellation(began: Timestamp) -> Self {
        Self {
            began,
            is_query: false,
        }
    }
}
