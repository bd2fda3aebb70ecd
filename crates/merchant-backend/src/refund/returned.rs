use super::attempt::{Asker, AttemptRecord};
use super::ledger::{Ledger, RefundRecord};
use crate::clock::Millis;
use payment_model::RefundState;
use staff_model::{AttemptState, ManualReturn};

/// Money that somebody gave back where the service cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnRecord {
    pub(crate) amount: u64,
    pub(crate) reason: String,
    pub(crate) asker: Asker,
    pub(crate) at: Millis,
}

/// A return that is to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewReturn {
    pub(crate) amount: u64,
    pub(crate) reason: String,
    pub(crate) asker: Asker,
}

/// Why a return is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnRefusal {
    /// Nobody paid, or the payment was reversed.
    NotPaid,
    /// The service refunds it, and would not know of this.
    Refundable,
    NothingAskedFor,
    MoreThanIsLeft {
        left: u64,
    },
}

impl ReturnRecord {
    /// The return as staff see it.
    pub(crate) fn shown(&self) -> ManualReturn {
        ManualReturn {
            amount: self.amount,
            reason: self.reason.clone(),
            staff: self.asker.staff.clone(),
            at: self.at,
        }
    }
}

impl Ledger {
    /// Whether the service gives money of this operation back, as far as anybody knows: once
    /// it said no to a refund, there must be another way.
    fn is_refundable(&self) -> bool {
        let rejected = |record: &RefundRecord| record.refund.state == RefundState::Rejected;
        let refused = |attempt: &AttemptRecord| {
            attempt.state == AttemptState::Refused && attempt.begun_at.is_some()
        };
        self.method.is_refundable()
            && !self.refunds.iter().any(rejected)
            && !self.attempts.iter().any(refused)
    }

    /// Records a return.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub(crate) fn give_back(
        &mut self,
        new: NewReturn,
        now: Millis,
    ) -> Result<ReturnRecord, ReturnRefusal> {
        if !self.paid {
            return Err(ReturnRefusal::NotPaid);
        }
        if self.is_refundable() {
            return Err(ReturnRefusal::Refundable);
        }
        if new.amount == 0 {
            return Err(ReturnRefusal::NothingAskedFor);
        }
        let left = self.left();
        if new.amount > left {
            return Err(ReturnRefusal::MoreThanIsLeft { left });
        }
        let record = ReturnRecord {
            amount: new.amount,
            reason: new.reason,
            asker: new.asker,
            at: now,
        };
        self.returns.push(record.clone());
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::{NewReturn, ReturnRefusal};
    use crate::amount_units::AmountUnits::Cents;
    use crate::refund::Ledger;
    use crate::refund::fixture::{asker, ledger, refund};
    use payment_model::PaymentMethodName;

    fn give_back(ledger: &mut Ledger, amount: u64) -> Result<(), ReturnRefusal> {
        let new = NewReturn {
            amount,
            reason: "by transfer".to_owned(),
            asker: asker("ana"),
        };
        ledger.give_back(new, 0).map(|_| ())
    }

    #[test]
    fn what_the_service_cannot_refund_is_returned_up_to_what_was_paid() {
        for method in ["QR", "CASHCODE", "BANK_TRANSFER", "NEW"] {
            let mut ledger = ledger();
            ledger.method = PaymentMethodName::from(method);
            assert_eq!(
                give_back(&mut ledger, 0),
                Err(ReturnRefusal::NothingAskedFor)
            );
            assert_eq!(give_back(&mut ledger, 400), Ok(()), "{method}");
            let left = ReturnRefusal::MoreThanIsLeft { left: 600 };
            assert_eq!(give_back(&mut ledger, 601), Err(left));
            assert_eq!(give_back(&mut ledger, 600), Ok(()));
            ledger.paid = false;
            assert_eq!(give_back(&mut ledger, 1), Err(ReturnRefusal::NotPaid));
        }
    }

    #[test]
    fn what_the_service_refunds_is_returned_only_after_it_said_no() {
        let mut ledger = ledger();
        assert_eq!(give_back(&mut ledger, 1), Err(ReturnRefusal::Refundable));
        ledger.take(&[refund("r", "RESOLVED", "300")], Cents, 0);
        assert_eq!(give_back(&mut ledger, 1), Err(ReturnRefusal::Refundable));
        ledger.take(&[refund("s", "REJECTED", "700")], Cents, 0);
        let left = ReturnRefusal::MoreThanIsLeft { left: 700 };
        assert_eq!(give_back(&mut ledger, 701), Err(left));
        assert_eq!(give_back(&mut ledger, 700), Ok(()));
    }
}
