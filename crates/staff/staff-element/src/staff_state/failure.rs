use payment_model::{Cents, Meta, ProblemMoney};
use staff_model::{ProblemType, RefundRefusalItem};
use std::time::Duration;

/// Why a request gave no answer that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    /// What the server knows of the money after the request.
    pub(crate) money: ProblemMoney,
    /// How long the server wants to be left alone from the answer on.
    pub(crate) retry_after: Option<Duration>,
    /// The server's explanation in English. It is text from outside.
    pub(crate) detail: String,
    /// How much can be given back, where the amount is too large.
    pub(crate) left: Option<Cents>,
    /// The mistakes in the items of a refund.
    pub(crate) refused: Vec<RefundRefusalItem>,
    /// The id by which the server's log has the request.
    pub(crate) trace_id: Option<String>,
    /// The service's own localized message, where the answer quotes one.
    pub(crate) meta: Option<Box<Meta>>,
}

/// The kinds of failure: a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// No connection, or it broke.
    Network,
    /// No answer in time.
    Timeout,
    /// An answer that is not as agreed.
    Unreadable,
    /// The session has ended.
    SignInRequired,
    /// Name or password is wrong.
    SignInRefused,
    /// A code of the second factor is needed, and nothing was done.
    SecondFactorRequired,
    /// The code is wrong, used or expired.
    SecondFactorRefused,
    /// The account may only look until its second factor is set up.
    SecondFactorMissing,
    TooManyRequests,
    /// The account may not do it.
    NotPermitted,
    NotFound,
    /// It was to be cancelled, and is paid.
    OperationPaid,
    CannotCancelNow,
    /// The request was sent. Its result is unknown.
    Unconfirmed,
    ServiceUnavailable,
    /// The service does not accept the merchant's token.
    ServiceUnauthorized,
    /// The service refused.
    ServiceRefused,
    /// The person who asked for the action may not be the one who does this.
    SecondPerson,
    /// The result is known by now.
    NotInDoubt,
    /// It blocks no order, or not for long.
    NotBlocked,
    /// An exception with an unknown result stays on the list.
    NotResolvable,
    /// It is settled, and a refund gives it back.
    Settled,
    /// The service never named a transaction of it.
    NoTransaction,
    /// A return is larger than the paid amount that was not given back.
    ReturnRefused,
    /// Something of the payment was given back or may be, or it is too much for the account.
    ReversalRefused,
    /// The result of a return was recorded already.
    ReturnEnded,
    /// The server cannot find out now how much was refunded so far.
    RefundsUnknown,
    /// Nothing was sent: an item breaks a rule.
    RefundRefused,
    /// The amount of a link is over a limit of the account.
    LinkRefused,
    /// The same request is still running.
    Running,
    KeyReused,
    /// The page asks wrongly.
    BadRequest,
    CrossSite,
    /// The merchant's server fails.
    Server,
}

impl FailureKind {
    /// The kind of a problem by its type, else by the status of the answer.
    pub(crate) fn of(status: u16, problem: &ProblemType) -> Self {
        match problem {
            ProblemType::SignInRefused => Self::SignInRefused,
            ProblemType::SignInRequired => Self::SignInRequired,
            ProblemType::SecondFactorRequired => Self::SecondFactorRequired,
            ProblemType::SecondFactorRefused => Self::SecondFactorRefused,
            ProblemType::SecondFactorMissing => Self::SecondFactorMissing,
            ProblemType::PermissionRequired => Self::NotPermitted,
            ProblemType::OperationPaid => Self::OperationPaid,
            ProblemType::CannotCancelNow => Self::CannotCancelNow,
            ProblemType::CancelUnconfirmed => Self::Unconfirmed,
            ProblemType::ServiceUnavailable => Self::ServiceUnavailable,
            ProblemType::ServiceToken => Self::ServiceUnauthorized,
            ProblemType::ServiceRefused => Self::ServiceRefused,
            ProblemType::SecondPersonRequired => Self::SecondPerson,
            ProblemType::NotInDoubt => Self::NotInDoubt,
            ProblemType::NotBlocked => Self::NotBlocked,
            ProblemType::NotResolvable => Self::NotResolvable,
            ProblemType::OperationSettled => Self::Settled,
            ProblemType::NoTransaction => Self::NoTransaction,
            ProblemType::ReturnRefused => Self::ReturnRefused,
            ProblemType::ReversalRefused => Self::ReversalRefused,
            ProblemType::ReturnEnded => Self::ReturnEnded,
            ProblemType::RefundsUnknown => Self::RefundsUnknown,
            ProblemType::RefundRefused => Self::RefundRefused,
            ProblemType::LinkRefused => Self::LinkRefused,
            ProblemType::RequestRunning => Self::Running,
            ProblemType::IdempotencyKeyReused => Self::KeyReused,
            ProblemType::CrossSiteRequest => Self::CrossSite,
            ProblemType::BadRequest
            | ProblemType::FieldNotAllowed
            | ProblemType::IdempotencyKeyRequired
            | ProblemType::BodyTimeout
            | ProblemType::BodyTooLarge
            | ProblemType::UnsupportedMediaType
            | ProblemType::TooManyRequests
            | ProblemType::NotFound
            | ProblemType::NotReady
            | ProblemType::Internal
            | ProblemType::Unknown(_) => Self::of_status(status),
        }
    }

    fn of_status(status: u16) -> Self {
        match status {
            401 => Self::SignInRequired,
            403 => Self::NotPermitted,
            404 | 410 => Self::NotFound,
            409 => Self::CannotCancelNow,
            429 => Self::TooManyRequests,
            400..500 => Self::BadRequest,
            _ => Self::Server,
        }
    }

    /// What is known of the money by the kind alone.
    fn money(self) -> ProblemMoney {
        match self {
            Self::Network
            | Self::Timeout
            | Self::Unreadable
            | Self::Unconfirmed
            | Self::Running
            | Self::Server => ProblemMoney::Unknown,
            Self::OperationPaid | Self::CannotCancelNow => ProblemMoney::MayBePaid,
            _ => ProblemMoney::NothingCharged,
        }
    }
}

impl Failure {
    /// True when the requested action may have happened all the same. Only the server can know that it has not: a
    /// refusal that is no problem of its own comes from a proxy, which may have lost the server's answer.
    pub(crate) fn is_uncertain(&self) -> bool {
        self.money == ProblemMoney::Unknown
    }

    /// True when the action may have happened after this answer, also by an earlier request with the same key whose
    /// outcome is not known. Only a server that has looked for the key can know that it was not carried out.
    pub(crate) fn leaves_unsure(&self, was_unsure: bool) -> bool {
        let is_after_key = matches!(
            self.kind,
            FailureKind::RefundRefused
                | FailureKind::ReturnRefused
                | FailureKind::RefundsUnknown
                | FailureKind::LinkRefused
        );
        self.is_uncertain() || (was_unsure && !is_after_key)
    }
}

impl From<FailureKind> for Failure {
    fn from(kind: FailureKind) -> Self {
        Self {
            kind,
            money: kind.money(),
            retry_after: None,
            detail: String::new(),
            left: None,
            refused: Vec::new(),
            trace_id: None,
            meta: None,
        }
    }
}

/// A time as a person reads it: a started second counts whole.
pub(crate) fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs(time.saturating_add(Duration::from_millis(999)).as_secs())
}

#[cfg(test)]
mod tests {
    use super::{FailureKind, ProblemType};

    #[test]
    fn a_problem_is_known_by_its_type_and_else_by_its_status() {
        let check = |status, word: &str, kind| {
            let problem = format!("urn:payment-checkout:problem:{word}");
            let problem = ProblemType::from(problem.as_str());
            assert_eq!(FailureKind::of(status, &problem), kind, "{status} {word}");
        };
        check(401, "sign-in-refused", FailureKind::SignInRefused);
        check(401, "sign-in-required", FailureKind::SignInRequired);
        for (word, kind) in [
            ("second-factor-required", FailureKind::SecondFactorRequired),
            ("second-factor-refused", FailureKind::SecondFactorRefused),
            ("second-factor-missing", FailureKind::SecondFactorMissing),
        ] {
            check(403, word, kind);
        }
        // A 401 of the service is not a 401 for the staff: nobody has to sign in again.
        check(
            503,
            "payment-service-token",
            FailureKind::ServiceUnauthorized,
        );
        check(409, "operation-paid", FailureKind::OperationPaid);
        check(403, "second-person-required", FailureKind::SecondPerson);
        check(409, "not-blocked", FailureKind::NotBlocked);
        check(409, "not-resolvable", FailureKind::NotResolvable);
        check(409, "operation-settled", FailureKind::Settled);
        check(409, "no-transaction", FailureKind::NoTransaction);
        check(409, "reversal-refused", FailureKind::ReversalRefused);
        check(409, "return-ended", FailureKind::ReturnEnded);
        check(409, "link-refused", FailureKind::LinkRefused);
        check(401, "new", FailureKind::SignInRequired);
        check(422, "new", FailureKind::BadRequest);
        check(502, "new", FailureKind::Server);
        assert_eq!(
            FailureKind::of(429, &ProblemType::default()),
            FailureKind::TooManyRequests
        );
    }
}
