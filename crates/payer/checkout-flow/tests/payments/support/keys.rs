use checkout_flow::{Failure, IdempotencyKey, Problem, Start};
use payment_model::ProblemMoney;

/// Checks that an attempt has one key, also across pages.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    used: Vec<IdempotencyKey>,
    /// True when the attempt of the last key is over.
    pub(crate) closed: bool,
    /// True when this page began with an operation. Once the server knows it, the last attempt has
    /// led to it.
    pub(crate) named: bool,
    /// True when a request of the last key may have begun a payment.
    pub(crate) may_have_begun: bool,
}

impl Keys {
    pub(crate) fn page_opens(&mut self, start: &Start) {
        let kept = start.snapshot.as_ref();
        let operation = kept.and_then(|snapshot| snapshot.operation.as_ref());
        self.named = start.resume.is_some() || start.returned.is_some() || operation.is_some();
        let attempt = kept.and_then(|snapshot| snapshot.attempt.as_ref());
        self.closed |= attempt.map(|attempt| &attempt.key) != self.used.last();
    }

    /// True when no request with this key has left.
    pub(crate) fn is_new(&self, key: &IdempotencyKey) -> bool {
        !self.used.contains(key)
    }

    /// A request with this key leaves.
    pub(crate) fn leaves(&mut self, key: &IdempotencyKey) {
        self.named = false;
        if self.used.last() == Some(key) {
            assert!(!self.closed, "the key of an attempt that is over");
            return;
        }
        assert!(
            self.used.is_empty() || self.closed,
            "two keys for one attempt"
        );
        assert!(!self.used.contains(key), "one key for two attempts");
        self.used.push(key.clone());
        (self.closed, self.may_have_begun) = (false, false);
    }
}

/// True when a request that failed like this may have begun a payment.
pub(crate) fn may_begin_a_payment(failure: &Failure) -> bool {
    match failure {
        Failure::Status { money, .. } => *money == ProblemMoney::Unknown,
        Failure::Unusable => false,
        Failure::Network | Failure::Timeout | Failure::Unreadable => true,
    }
}

/// True when an answer, or this failure, ends the attempt.
pub(crate) fn ends_the_attempt(failure: Option<&Failure>) -> bool {
    match failure {
        None => true,
        Some(Failure::Status {
            problem:
                Some(Problem::OrderPaid(_) | Problem::PaymentReversed(_) | Problem::Unconfirmed(_)),
            ..
        }) => true,
        // The same key may be sent again, with what the payer agreed to.
        Some(Failure::Status {
            problem: Some(Problem::OperationLive(..)),
            ..
        }) => false,
        Some(Failure::Status {
            money: ProblemMoney::MayBePaid,
            ..
        }) => true,
        Some(Failure::Status { status, .. }) => !matches!(status, 408 | 409 | 425 | 429 | 500..),
        Some(_) => false,
    }
}
