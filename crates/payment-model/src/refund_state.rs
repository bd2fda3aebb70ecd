use crate::wire_enum::wire_enum;

mod state {
    use super::wire_enum;

    wire_enum! {
        /// The state of a refund (Refund operation).
        pub enum RefundState as "'REGISTERED' | 'IN_PROCESS' | 'RESOLVED' | 'REJECTED' | (string & {})" {
            /// The request for it was taken.
            Registered = "REGISTERED",
            /// Under way.
            InProcess = "IN_PROCESS",
            /// The money was given back.
            Resolved = "RESOLVED",
            /// It was not given back.
            Rejected = "REJECTED",
        }
    }
}

mod kind {
    use super::wire_enum;

    wire_enum! {
        /// The kind of a refund (`type`): it gives back all of a transaction or a part.
        pub enum RefundType as "'TOTAL' | 'PARTIAL' | (string & {})" {
            /// The whole amount of the transaction.
            Total = "TOTAL",
            /// A part of it.
            Partial = "PARTIAL",
        }
    }
}

pub use kind::RefundType;
pub use state::RefundState;

impl RefundState {
    /// True when the refund will change no more.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Resolved | Self::Rejected)
    }

    /// True when the refund takes from what is left to refund. Only a rejected one does not. An
    /// unknown state does, since counting it as free could give money back twice.
    #[must_use]
    pub fn reserves_its_amount(&self) -> bool {
        !matches!(self, Self::Rejected)
    }
}

#[cfg(test)]
mod tests {
    use super::RefundState;

    #[test]
    fn a_refund_is_final_once_the_money_is_given_back_or_kept() {
        for (state, last) in [
            ("REGISTERED", false),
            ("IN_PROCESS", false),
            ("RESOLVED", true),
            ("REJECTED", true),
            ("NEW", false),
        ] {
            assert_eq!(RefundState::from(state).is_final(), last, "{state}");
        }
    }
}
