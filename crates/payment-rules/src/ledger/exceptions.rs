use super::{AttemptRecord, Ledger};
use staff_model::ExceptionKind;

impl Ledger {
    /// True when staff may take an exception of this kind off the list. One about an unknown outcome stays until the
    /// outcome is known.
    pub fn can_resolve(&self, kind: ExceptionKind) -> bool {
        match kind {
            // The query after the doubt, the end of the return and the shop's acceptance of the event resolve these.
            ExceptionKind::InDoubt | ExceptionKind::ReturnOpen | ExceptionKind::EventRefused => {
                false
            }
            ExceptionKind::ReversalUnknown => self.pending_reversal().is_none(),
            // Without a pending attempt the refund appeared after its release, which somebody has to see.
            ExceptionKind::RefundUnknown => !self.attempts.iter().any(AttemptRecord::is_pending),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ledger::Purpose;
    use crate::ledger::fixture::{doubtful, ledger, reversal};
    use crate::operation::fixture::reading;
    use crate::reading::instant;
    use staff_model::ExceptionKind;

    #[test]
    fn an_exception_about_an_unknown_outcome_stays_until_the_outcome_is_known() {
        let (known, refund_unknown) = (ledger(), doubtful("a", 100, instant(1)));
        let mut reversal_unknown = ledger();
        let new = reversal("v", Purpose::Reverse, instant(1));
        reversal_unknown.reserve_reversal(new, reading(instant(1)));
        for (kind, resolvable) in [
            (ExceptionKind::PaidTwice, [true, true, true]),
            (ExceptionKind::RefundUnknown, [true, false, true]),
            (ExceptionKind::ReversalUnknown, [true, true, false]),
            (ExceptionKind::InDoubt, [false, false, false]),
            (ExceptionKind::ReturnOpen, [false, false, false]),
            (ExceptionKind::EventRefused, [false, false, false]),
        ] {
            let found = [&known, &refund_unknown, &reversal_unknown];
            assert_eq!(
                found.map(|ledger| ledger.can_resolve(kind)),
                resolvable,
                "{kind:?}"
            );
        }
    }
}
