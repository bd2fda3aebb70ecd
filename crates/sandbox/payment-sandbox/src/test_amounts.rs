//! Amounts that decide the outcome of an operation, so that a merchant's program can be tested without anybody who
//! pays or declines. They apply only while the setting `test_amounts` is on: a shop's usual prices may end in the
//! same digits.

use crate::charge::Step;
use crate::fault::Fault;
use payment_model::Amount;
use std::time::Duration;

/// Long enough for a payer's page to show the code before its outcome.
const SOON: Duration = Duration::from_secs(5);
const SHORT_EXPIRY: Duration = Duration::from_secs(30);
/// After the deadline of [`SHORT_EXPIRY`].
const LATE: Duration = Duration::from_secs(40);

/// What happens to an operation because of its amount.
#[derive(Default)]
pub(crate) struct Outcome {
    /// The fault that the request for the authorization meets.
    pub(crate) fault: Option<Fault>,
    /// The answer to the authorization is lost, until the merchant has cancelled the operation and tries again.
    pub(crate) loses_answer: bool,
    pub(crate) is_invalid: bool,
    /// The time to pay, instead of the method's.
    pub(crate) expires_in: Option<Duration>,
    /// The steps that follow by themselves, each with its time after the authorization.
    pub(crate) steps: &'static [(Duration, Step)],
    pub(crate) loses_notifications: bool,
}

/// The outcome of an amount, which its last two digits decide. `docs/sandbox.md` has the same table.
pub(crate) fn outcome(amount: &Amount) -> Outcome {
    let usual = Outcome::default();
    match amount.cents().map(|cents| cents % 100) {
        Some(1) => Outcome {
            steps: &[(SOON, Step::Decline)],
            ..usual
        },
        Some(2) => Outcome {
            fault: Some(Fault::slow_answer(SOON)),
            ..usual
        },
        Some(3) => Outcome {
            expires_in: Some(SHORT_EXPIRY),
            ..usual
        },
        Some(4) => Outcome {
            loses_answer: true,
            ..usual
        },
        Some(5) => Outcome {
            is_invalid: true,
            ..usual
        },
        Some(6) => Outcome {
            fault: Some(Fault::outage()),
            ..usual
        },
        Some(7) => Outcome {
            steps: &[(SOON, Step::Pay)],
            ..usual
        },
        Some(8) => Outcome {
            steps: &[(SOON, Step::Pay)],
            loses_notifications: true,
            ..usual
        },
        Some(9) => Outcome {
            steps: &[(SOON, Step::Pay), (LATE, Step::Reverse)],
            ..usual
        },
        Some(10) => Outcome {
            expires_in: Some(SHORT_EXPIRY),
            steps: &[(LATE, Step::PayLate)],
            ..usual
        },
        _ => usual,
    }
}
