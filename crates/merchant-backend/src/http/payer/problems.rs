//! Problems of payments in answers to payers' browsers.

use crate::http::problem::{Problem, ProblemKind};
use crate::payments::{AuthorizeError, CancelError};
use payment_rules::idempotent_answer::{AuthorizationRefusal, Numbers};
use serde_json::json;
use std::time::Duration;

impl From<AuthorizationRefusal> for Problem {
    fn from(refusal: AuthorizationRefusal) -> Self {
        match refusal {
            AuthorizationRefusal::TooManyOperations => too_many_operations(),
            AuthorizationRefusal::PaymentReversed(numbers) => {
                let detail = "The first code of this order was paid after its time, and that payment was given back; a new attempt with a new Idempotency-Key gets a new code.";
                numbered(Self::new(ProblemKind::PaymentReversed, detail), &numbers)
            }
            AuthorizationRefusal::NotAccepted { messages } => {
                let detail = "The payment service did not accept this payment. Try another method or ask the shop.";
                Self::new(ProblemKind::AuthorizationRefused, detail)
                    .with("service_status", 200)
                    .with("messages", json!(messages))
            }
            AuthorizationRefusal::AuthorizationRefused {
                service_status,
                messages,
            } => {
                let detail = "The payment service refused this payment; nothing was charged. Try another method or ask the shop.";
                Self::new(ProblemKind::AuthorizationRefused, detail)
                    .with("service_status", service_status)
                    // The service's own messages, in the payers' languages.
                    .with("messages", json!(messages))
            }
        }
    }
}

impl From<AuthorizeError> for Problem {
    fn from(undecided: AuthorizeError) -> Self {
        match undecided {
            AuthorizeError::KeyReused => {
                let detail = "This Idempotency-Key was used for another order, method or redirect_url; use a new key for a new attempt.";
                Self::new(ProblemKind::KeyReused, detail)
            }
            AuthorizeError::Running => {
                let detail = "This attempt is still being worked on; repeat the request with the same Idempotency-Key.";
                Self::new(ProblemKind::RequestRunning, detail).retry_after(Duration::from_secs(1))
            }
            AuthorizeError::OrderPaid(numbers) => order_paid(&numbers),
            AuthorizeError::Live(numbers, method) => {
                let detail = "This order has a code of another method, which can still be paid. Nothing was charged: show that one, or send this request again with the same Idempotency-Key and its number in Checkout-Replaces, which cancels it.";
                let problem = Self::new(ProblemKind::OperationLive, detail);
                numbered(problem, &numbers).with("method_name", method.as_str())
            }
            AuthorizeError::Unconfirmed(numbers, wait) => {
                let detail = "The first code of this order is still being confirmed, so there is no other one yet; do not pay it twice, and ask again after the time in Retry-After.";
                let problem = Self::new(ProblemKind::OperationUnconfirmed, detail);
                numbered(problem.retry_after(wait), &numbers)
            }
            AuthorizeError::Restored => {
                let detail = "The server was restored from a backup, and this order may have been paid since; it takes no payment before the shop has compared its payments. Ask the shop, or make a new order.";
                Self::new(ProblemKind::ServiceUnavailable, detail).retry_after(COMPARED)
            }
            AuthorizeError::Unavailable(wait) => unavailable(wait),
        }
    }
}

/// People have to compare payments before.
const COMPARED: Duration = Duration::from_mins(10);

impl From<CancelError> for Problem {
    fn from(why: CancelError) -> Self {
        let problem = match why {
            CancelError::NotAuthorizedYet => Self::new(
                ProblemKind::CannotCancelNow,
                "The payment service has not answered for this operation yet; ask again.",
            ),
            CancelError::StateUncertain => Self::new(
                ProblemKind::CannotCancelNow,
                "The state of this payment is still being confirmed, so it cannot be cancelled now; ask again.",
            ),
            CancelError::BeingGivenBack => Self::new(
                ProblemKind::CannotCancelNow,
                "Money of this operation is being given back, so it cannot be cancelled now; ask the shop.",
            ),
            CancelError::Refused(status) => Self::new(
                ProblemKind::CannotCancelNow,
                "The payment service did not cancel this operation; it can still be paid.",
            )
            .with("service_status", status),
            CancelError::Unavailable(wait) => return unavailable(wait),
            CancelError::Sent => Self::new(
                ProblemKind::CancelUnconfirmed,
                "The cancellation was sent, but the payment service did not confirm it; ask for the state before paying again.",
            ),
        };
        match why.retry_after() {
            Some(wait) => problem.retry_after(wait),
            None => problem,
        }
    }
}

/// The order is paid, by the operation with these numbers.
pub(super) fn order_paid(numbers: &Numbers) -> Problem {
    let detail = "This order is paid; there is nothing more to pay.";
    numbered(Problem::new(ProblemKind::OrderPaid, detail), numbers)
}

/// Adds the numbers of an operation to a problem.
fn numbered(problem: Problem, numbers: &Numbers) -> Problem {
    let id = numbers.transaction_id.as_ref().map(|id| id.as_str());
    problem
        .with("merchant_code", numbers.key.merchant_code.as_str())
        .with("merchant_operation_number", numbers.key.number.as_str())
        .with("transaction_id", id)
}

/// Nothing was learned or done; the browser asks again.
fn unavailable(wait: Duration) -> Problem {
    let detail = "The payment service gave no usable answer and nothing was charged; repeat the request with the same Idempotency-Key.";
    Problem::new(ProblemKind::ServiceUnavailable, detail).retry_after(wait)
}

/// The browser shows the remedy in the payer's own language.
fn too_many_operations() -> Problem {
    let detail = "This order was tried as often as an order can be; make a new order.";
    let message = |locale: &str, value: &str| json!({"locale": locale, "value": value});
    let messages = json!([
        message(
            "es_PE",
            "Este pedido ya se intentó pagar demasiadas veces. Vuelve a la tienda y haz un pedido nuevo."
        ),
        message(
            "en_US",
            "This order was tried too many times. Go back to the shop and make a new order."
        ),
        message(
            "pt_BR",
            "Este pedido já foi tentado vezes demais. Volte à loja e faça um novo pedido."
        ),
    ]);
    Problem::new(ProblemKind::TooManyOperations, detail).with("messages", messages)
}
