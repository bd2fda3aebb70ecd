use crate::event::CallId;
use crate::time::FlowTime;

/// The progress of a cancellation by the payer: the payer confirms it, the flow asks for the state, cancels, and
/// asks for the state again. The payer sees no result before the last answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Cancel {
    /// There is none.
    #[default]
    No,
    /// The payer is asked to confirm the cancellation.
    Asking { intent: Intent },
    /// The flow asks for the state, since the operation may be paid.
    Checking { intent: Intent, failures: u32 },
    /// The cancellation is on its way.
    Sending {
        intent: Intent,
        call: CallId,
        lost_at: FlowTime,
    },
    /// The flow asks for the state, since only the state shows how the cancellation ended.
    Verifying { intent: Intent, failures: u32 },
}

/// What the payer wants after the cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Not to pay.
    Stop,
    /// To pay by another method.
    AnotherWay,
}

impl Cancel {
    /// True while a cancellation is under way.
    pub(crate) fn is_running(self) -> bool {
        !matches!(self, Self::No | Self::Asking { .. })
    }

    /// The wish that the payer is asked to confirm.
    pub(crate) fn asked(self) -> Option<Intent> {
        match self {
            Self::Asking { intent } => Some(intent),
            _ => None,
        }
    }

    /// The wish that is being carried out.
    pub(crate) fn intent(self) -> Option<Intent> {
        match self {
            Self::No | Self::Asking { .. } => None,
            Self::Checking { intent, .. }
            | Self::Sending { intent, .. }
            | Self::Verifying { intent, .. } => Some(intent),
        }
    }
}
