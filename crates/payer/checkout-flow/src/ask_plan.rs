use crate::time::FlowTime;

/// When the flow asks the status endpoint about an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskPlan {
    /// When to ask next; `None` for never again.
    pub(crate) due: Option<FlowTime>,
    /// True when the flow has to ask about this operation before any other.
    pub(crate) urgent: bool,
    /// When the operation began to wait, ended, or was left by the payer: the longer ago, the rarer the
    /// questions.
    pub(crate) since: FlowTime,
    /// How often the server answered that it does not know the operation, since it last knew it.
    pub(crate) not_found: u32,
    /// When it first did.
    pub(crate) not_found_since: Option<FlowTime>,
}

impl AskPlan {
    /// Asks about a new operation at once.
    pub(crate) fn new(now: FlowTime) -> Self {
        Self {
            due: Some(now),
            urgent: false,
            since: now,
            not_found: 0,
            not_found_since: None,
        }
    }

    /// The server does not know the operation.
    pub(crate) fn was_not_found(&mut self, now: FlowTime) {
        self.not_found = self.not_found.saturating_add(1);
        self.not_found_since.get_or_insert(now);
    }

    /// The server knows the operation.
    pub(crate) fn was_found(&mut self) {
        (self.not_found, self.not_found_since) = (0, None);
    }

    /// Asks now, before any other operation.
    pub(crate) fn ask_now(&mut self, now: FlowTime) {
        (self.due, self.urgent) = (Some(now), true);
    }

    /// The question is on its way.
    pub(crate) fn asked(&mut self) {
        (self.due, self.urgent) = (None, false);
    }
}
