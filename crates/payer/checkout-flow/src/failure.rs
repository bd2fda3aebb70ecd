use crate::operation_ref::OperationRef;
use crate::words::words;
use payment_model::{Meta, Offer, PaymentMethodName, ProblemMoney};
use std::time::Duration;

/// The reason why a request to the merchant's server has no usable answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// There was no connection, or it broke.
    Network,
    /// The answer did not come in time.
    Timeout,
    /// The page's own fields of the request cannot be sent as JSON.
    Unusable,
    /// A 2xx answer that says nothing: its body cannot be read, or it is older than the question.
    Unreadable,
    /// The status is not 2xx.
    Status {
        /// The HTTP status.
        status: u16,
        /// `Retry-After`, as the time from now.
        retry_after: Option<Duration>,
        /// What the answer says of the payer's money.
        money: ProblemMoney,
        /// The problem in the answer, if the flow knows its type.
        problem: Option<Problem>,
    },
}

/// A problem that the merchant's server reports and that changes what the flow does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The order is paid already, by this operation.
    OrderPaid(OperationRef),
    /// This operation was paid late, and the payment was given back when it was withdrawn.
    PaymentReversed(OperationRef),
    /// The server does not know yet how this operation ended, so it authorized no other one.
    Unconfirmed(OperationRef),
    /// An operation of another method can still be paid, and the payer has not agreed to end it.
    OperationLive(OperationRef, PaymentMethodName),
    /// The server takes the order by these methods, and not by that of the attempt, so nothing was begun.
    NotOffered(Offer),
    /// The payment service refused the payment, and gave reasons in the payers' languages.
    Refused(Meta),
}

impl Failure {
    /// True when the same request may be repeated.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Network | Self::Timeout | Self::Unreadable => true,
            Self::Unusable => false,
            // Whatever the status, only the shop can tell whether the order is paid.
            Self::Status {
                money: ProblemMoney::MayBePaid,
                ..
            } => false,
            Self::Status { status, .. } => matches!(status, 408 | 409 | 425 | 429 | 500..),
        }
    }

    /// True when the server, or a proxy in front of it, is shutting down. Every client with a held request gets
    /// this failure at the same time.
    pub(crate) fn is_going_away(&self) -> bool {
        match self {
            Self::Network => true,
            Self::Status {
                status,
                retry_after,
                ..
            } => matches!(status, 502..=504) && retry_after.is_none(),
            Self::Timeout | Self::Unusable | Self::Unreadable => false,
        }
    }

    /// True when the server does not know the operation, or does not show it to this payer.
    pub(crate) fn is_not_found(&self) -> bool {
        matches!(
            self,
            Self::Status {
                status: 401 | 403 | 404 | 410,
                ..
            }
        )
    }

    /// The payment service's reasons for its refusal.
    pub(crate) fn refusal(&self) -> Option<&Meta> {
        match self {
            Self::Status {
                problem: Some(Problem::Refused(meta)),
                ..
            } => Some(meta),
            _ => None,
        }
    }

    /// What is known of the payer's money after a request to authorize. Only the merchant's server can know that
    /// nothing was charged, or the flow itself where no request left.
    pub(crate) fn money(&self) -> ProblemMoney {
        match self {
            Self::Network | Self::Timeout | Self::Unreadable => ProblemMoney::Unknown,
            Self::Unusable => ProblemMoney::NothingCharged,
            Self::Status { money, .. } => *money,
        }
    }

    /// The time for which the server wants no requests.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

words! {
    /// The errors that the flow reports to the page and shows to the payer: a closed list.
    pub enum ErrorCode {
        /// Your server cannot be reached.
        Network = "network",
        /// Your server fails, or answers nonsense.
        Server = "server",
        /// Your server refuses the request; the console has its reason.
        Refused = "refused",
        /// The order may be paid already, as your server says, so it takes no payment now.
        MayBePaid = "may-be-paid",
        /// No method of your page is offered for this order: your server does not take it by any of them, or the signed order
        /// leaves them out.
        NoMethod = "no-method",
        /// This payer has no operation with the numbers that your page gave, or for two minutes your server has not found a
        /// payment that it had shown before.
        NotFound = "not-found",
        /// The authorized amount differs from the page's price.
        AmountMismatch = "amount-mismatch",
        /// The service's code is not a sound picture.
        QrImage = "qr-image",
        /// The service's address is not safe to follow, or its host is none of the redirect hosts of your page.
        ContinueUrl = "continue-url",
        /// Your page did not begin the payment: what its start waited for failed, or took more than 15 seconds.
        Page = "page",
        /// A setting of your page is missing or wrong; the console names it.
        Configuration = "configuration",
    }
}

impl ErrorCode {
    /// True when trying again makes sense.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        !matches!(
            self,
            Self::AmountMismatch | Self::Configuration | Self::MayBePaid | Self::NoMethod
        )
    }

    /// The code for a request that failed permanently or too often.
    pub(crate) fn of(failure: &Failure) -> Self {
        match failure {
            failure if failure.money() == ProblemMoney::MayBePaid => Self::MayBePaid,
            Failure::Network | Failure::Timeout => Self::Network,
            Failure::Unreadable => Self::Server,
            failure if failure.is_passing() => Self::Server,
            Failure::Unusable => Self::Configuration,
            Failure::Status { .. } => Self::Refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorCode, Failure, Problem};
    use payment_model::{Meta, ProblemMoney};
    use std::time::Duration;

    fn status(status: u16, retry_after: Option<u64>) -> Failure {
        Failure::Status {
            status,
            retry_after: retry_after.map(Duration::from_secs),
            money: ProblemMoney::Unknown,
            problem: None,
        }
    }

    #[test]
    fn only_a_refusal_has_the_words_of_the_service() {
        let meta = Meta::default();
        let refused = Failure::Status {
            status: 422,
            retry_after: None,
            money: ProblemMoney::Unknown,
            problem: Some(Problem::Refused(meta.clone())),
        };
        assert_eq!(refused.refusal(), Some(&meta));
        for failure in [status(422, None), Failure::Network, Failure::Unreadable] {
            assert_eq!(failure.refusal(), None);
        }
    }

    #[test]
    fn each_failure_is_final_or_passing_and_has_its_code() {
        let check = |failure: Failure, passing, going_away, not_found, code: ErrorCode| {
            assert_eq!(failure.is_passing(), passing, "{failure:?}");
            assert_eq!(failure.is_going_away(), going_away, "{failure:?}");
            assert_eq!(failure.is_not_found(), not_found, "{failure:?}");
            assert_eq!(ErrorCode::of(&failure), code, "{failure:?}");
        };
        check(Failure::Network, true, true, false, ErrorCode::Network);
        check(Failure::Timeout, true, false, false, ErrorCode::Network);
        check(Failure::Unreadable, true, false, false, ErrorCode::Server);
        check(
            Failure::Unusable,
            false,
            false,
            false,
            ErrorCode::Configuration,
        );
        for code in [408, 409, 425, 429, 500, 501, 505, 599] {
            check(status(code, None), true, false, false, ErrorCode::Server);
        }
        for code in [502, 503, 504] {
            check(status(code, None), true, true, false, ErrorCode::Server);
            // A server that knows when it is back does not stop.
            check(status(code, Some(7)), true, false, false, ErrorCode::Server);
        }
        for code in [401, 403, 404, 410] {
            check(status(code, None), false, false, true, ErrorCode::Refused);
        }
        for code in [300, 400, 402, 405, 422, 424, 499] {
            check(status(code, None), false, false, false, ErrorCode::Refused);
        }
    }

    #[test]
    fn an_order_that_may_be_paid_has_a_code_of_its_own_whatever_the_status() {
        for code in [400, 409, 422, 503] {
            let failure = Failure::Status {
                status: code,
                retry_after: None,
                money: ProblemMoney::MayBePaid,
                problem: None,
            };
            assert_eq!(ErrorCode::of(&failure), ErrorCode::MayBePaid, "{code}");
        }
    }

    #[test]
    fn trying_again_changes_neither_a_price_nor_a_configuration() {
        let check = |code: ErrorCode, word, retryable| {
            assert_eq!((code.as_str(), code.is_retryable()), (word, retryable));
        };
        check(ErrorCode::Network, "network", true);
        check(ErrorCode::Server, "server", true);
        check(ErrorCode::Refused, "refused", true);
        check(ErrorCode::MayBePaid, "may-be-paid", false);
        check(ErrorCode::NoMethod, "no-method", false);
        check(ErrorCode::NotFound, "not-found", true);
        check(ErrorCode::AmountMismatch, "amount-mismatch", false);
        check(ErrorCode::QrImage, "qr-image", true);
        check(ErrorCode::ContinueUrl, "continue-url", true);
        check(ErrorCode::Configuration, "configuration", false);
    }
}
