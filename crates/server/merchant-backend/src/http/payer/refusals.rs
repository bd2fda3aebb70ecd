//! The problem for each refusal that a payer's browser gets. `rustfmt` skips the tables, which have a line
//! for each refusal.

use crate::http::limits::{TOO_MANY_IN_ALL, too_many};
use crate::http::problem::{Failure, Problem, ProblemKind as Kind};
use crate::orders::OrderRefusal;
use crate::payments::{AdmissionError, AuthorizeError, CancelError, TooOften};
use crate::shop_orders::{ShopError, TokenRefusal};
use checkout_texts::{Locale, PageText};
use payment_model::ProblemMoney;
use payment_rules::idempotency::{AuthorizationRefusal, Numbers};
use serde_json::{Value, json};
use std::time::Duration;

const RUNNING_RETRY_AFTER: Duration = Duration::from_secs(1);
const SHOP_RETRY_AFTER: Duration = Duration::from_secs(5);

#[rustfmt::skip]
impl From<AuthorizationRefusal> for Problem {
    fn from(refusal: AuthorizationRefusal) -> Self {
        use AuthorizationRefusal as Why;
        match refusal {
            Why::TooManyOperations => too_many_operations(),
            Why::OrderClosed => order_closed(),
            Why::CodeRefused => code_refused(),
            Why::PaymentReversed(numbers) => numbered(Kind::PaymentReversed, "The first code of this order was paid after its time, and that payment was given back; a new attempt with a new Idempotency-Key gets a new code.", &numbers),
            Why::AuthorizationRefused { service_status, messages } => Self::new(Kind::AuthorizationRefused, "The payment service refused this payment. Try another method or ask the shop.").with("service_status", service_status).with("messages", json!(messages)),
        }
    }
}

#[rustfmt::skip]
impl From<AuthorizeError> for Problem {
    fn from(error: AuthorizeError) -> Self {
        use AuthorizeError as Why;
        match error {
            Why::KeyReused => Self::new(Kind::KeyReused, "This Idempotency-Key was used for another order, method or redirect_url; use a new key for a new attempt."),
            Why::Running => Self::new(Kind::RequestRunning, "This attempt is still being worked on; repeat the request with the same Idempotency-Key.").retry_after(RUNNING_RETRY_AFTER),
            Why::OrderPaid(numbers) => order_paid(&numbers),
            Why::Live(numbers, method) => numbered(Kind::OperationLive, "This order has a code of another method, which can still be paid. Show that one, or send this request again with the same Idempotency-Key and its number in Checkout-Replaces, which cancels it.", &numbers).with("method_name", method.as_str()),
            Why::Unconfirmed(numbers, wait) => numbered(Kind::OperationUnconfirmed, "The first code of this order is still being confirmed, so there is no other one yet; do not pay it twice, and ask again after the time in Retry-After.", &numbers).retry_after(wait),
            Why::Restored => Self::new(Kind::OrderMayBePaid, "The server was restored from a backup, and this order may have been paid since; it takes no payment before the shop has compared its payments. Do not pay it again: ask the shop."),
            Why::Unavailable(wait) => unavailable(wait),
        }
    }
}

#[rustfmt::skip]
impl From<CancelError> for Problem {
    fn from(error: CancelError) -> Self {
        use CancelError as Why;
        let problem = match error {
            Why::NotAuthorizedYet => Self::new(Kind::CannotCancelNow, "The payment service has not answered for this operation yet; ask again."),
            Why::StateUncertain => Self::new(Kind::CannotCancelNow, "The state of this payment is still being confirmed, so it cannot be cancelled now; ask again."),
            Why::BeingGivenBack => Self::new(Kind::CannotCancelNow, "Money of this operation is being given back, so it cannot be cancelled now; ask the shop."),
            Why::Refused(status) => Self::new(Kind::CannotCancelNow, "The payment service did not cancel this operation; it can still be paid.").with("service_status", status),
            Why::Unavailable(wait) => unavailable(wait),
            Why::Sent => Self::new(Kind::CancelUnconfirmed, "The cancellation was sent, but the payment service did not confirm it; ask for the state before paying again."),
        };
        match error.retry_after() {
            Some(wait) => problem.retry_after(wait),
            None => problem,
        }
    }
}

#[rustfmt::skip]
impl From<AdmissionError> for Failure {
    fn from(error: AdmissionError) -> Self {
        use AdmissionError as Why;
        let (detail, wait) = match error {
            Why::Order(refusal) => return refusal.into(),
            Why::Database(error) => return error.into(),
            Why::Running => return Problem::from(AuthorizeError::Running).into(),
            Why::StoreClosed => return Problem::new(Kind::MethodNotOffered, "The store of this order takes no payments any more; order again.").with("field", "order_id").into(),
            Why::TooOften(TooOften::Session, wait) => ("This session begins to pay too often. Nothing was charged: wait as long as Retry-After says, then repeat the request with the same Idempotency-Key.", wait),
            Why::TooOften(TooOften::Network, wait) => ("Too many payments are begun from this network. Nothing was charged: wait as long as Retry-After says, then repeat the request with the same Idempotency-Key.", wait),
            Why::TooOften(TooOften::Repetition, wait) => ("This request is repeated too often. Nothing was charged by this repetition: wait as long as Retry-After says, then repeat it with the same Idempotency-Key.", wait),
            Why::TooOften(TooOften::All, wait) => (TOO_MANY_IN_ALL, wait),
        };
        too_many(detail, wait).into()
    }
}

#[rustfmt::skip]
impl From<OrderRefusal> for Failure {
    fn from(refusal: OrderRefusal) -> Self {
        use OrderRefusal as Why;
        let problem = match refusal {
            Why::Database(error) => return error.into(),
            Why::NotFound => Problem::not_known(),
            Why::OtherSource(field) => other_source(field),
            Why::Token(why) => token_refused(&why),
            Why::Changed => Problem::new(Kind::OrderChanged, "An attempt to pay this order was made with another amount, currency or store, and its code may still be paid. Give the new price an order of its own."),
            Why::Unclear => AuthorizeError::Running.into(),
            Why::TwoPrices => Problem::new(Kind::OrderChanged, "The shop signed this order twice in one second, with another amount, currency or store each time, so that the newer one is not known. Nothing was charged; get a new token from the shop.").money(ProblemMoney::NothingCharged),
            Why::Shop(error) => shop(&error),
        };
        problem.into()
    }
}

fn other_source(field: &'static str) -> Problem {
    let setting = match field {
        "order" => "ORDERS_SECRET or ORDERS_KEYS_FILE",
        _ => "ORDERS_URL",
    };
    let detail =
        format!("The field `{field}` is not allowed here: this server does not have {setting}.");
    Problem::new(Kind::FieldNotAllowed, detail).with("field", field)
}

fn token_refused(why: &TokenRefusal) -> Problem {
    let detail = format!(
        "The signed order in the field `order` permits no payment: {why}. This request charged nothing; get a new one from the shop."
    );
    Problem::new(Kind::OrderTokenRefused, detail)
        .with("field", "order")
        .with("reason", why.word())
}

fn shop(error: &ShopError) -> Problem {
    if *error == ShopError::Unknown {
        return Problem::not_known();
    }
    // The payer cannot correct it, so the log shows it to the operator of the shop.
    tracing::error!(%error, "the shop was asked about an order in vain");
    match error {
        ShopError::Silent(_) => Problem::new(Kind::ShopUnavailable, "The shop does not answer about this order. Nothing was charged: repeat the request with the same Idempotency-Key.").retry_after(SHOP_RETRY_AFTER),
        _ => Problem::new(Kind::ShopAnswer, "The shop's answer about this order cannot be used; its log and this server's say why. Nothing was charged."),
    }
}

/// The order is paid, by the operation with these numbers.
pub(super) fn order_paid(numbers: &Numbers) -> Problem {
    let detail = "This order is paid; there is nothing more to pay.";
    numbered(Kind::OrderPaid, detail, numbers)
}

/// A problem that carries the numbers of an operation.
fn numbered(kind: Kind, detail: &'static str, numbers: &Numbers) -> Problem {
    let id = numbers.transaction_id.as_ref().map(|id| id.as_str());
    Problem::new(kind, detail)
        .with("merchant_code", numbers.key.merchant_code.as_str())
        .with("merchant_operation_number", numbers.key.number.as_str())
        .with("transaction_id", id)
}

/// The service gave no usable answer; the browser repeats the request.
fn unavailable(wait: Duration) -> Problem {
    let detail = "The payment service gave no usable answer; repeat the request with the same Idempotency-Key.";
    Problem::new(Kind::ServiceUnavailable, detail).retry_after(wait)
}

/// The browser shows the remedy in the payer's own language.
fn too_many_operations() -> Problem {
    let detail = "This order had too many codes within an hour; wait an hour, or make a new order.";
    let messages = in_all_languages(
        "Este pedido ya se intentó pagar demasiadas veces. Espera una hora, o vuelve a la tienda y haz un pedido nuevo.",
        "There were too many attempts to pay this order. Wait an hour, or go back to the store and make a new order.",
        "Houve tentativas demais de pagar este pedido. Espere uma hora, ou volte à loja e faça um novo pedido.",
    );
    Problem::new(Kind::TooManyOperations, detail).with("messages", messages)
}

/// The browser shows it in the payer's own language.
fn order_closed() -> Problem {
    let detail = "This order takes no payment any more: the shop closed it, or its time to pay has passed. This request charged nothing; make a new order.";
    let messages = in_all_languages(
        "Este pedido está cerrado y ya no se puede pagar. Para comprar, haz un pedido nuevo.",
        "This order is closed and cannot be paid any more. To buy, make a new order.",
        "Este pedido está fechado e não pode mais ser pago. Para comprar, faça um novo pedido.",
    );
    Problem::new(Kind::OrderClosed, detail).with("messages", messages)
}

/// The browser shows it in the payer's own language.
fn code_refused() -> Problem {
    let detail = "The QR of the payment service is not for this order, so it is not shown. This request charged nothing; choose another method, or ask the shop.";
    let message = |locale: &Locale| {
        let name = locale.tag().replace('-', "_");
        json!({"locale": name, "value": locale.page_text(PageText::CodeRefused)})
    };
    let messages: Vec<_> = Locale::ALL.iter().map(message).collect();
    Problem::new(Kind::CodeRefused, detail).with("messages", messages)
}

fn in_all_languages(spanish: &str, english: &str, portuguese: &str) -> Value {
    let message = |locale: &str, value: &str| json!({"locale": locale, "value": value});
    json!([
        message("es_PE", spanish),
        message("en_US", english),
        message("pt_BR", portuguese),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use payment_model::{MerchantCode, MerchantOperationNumber};
    use payment_rules::operation::OperationKey;

    fn numbers() -> Numbers {
        Numbers {
            key: OperationKey {
                merchant_code: MerchantCode::new("m"),
                number: MerchantOperationNumber::new("1"),
            },
            transaction_id: None,
        }
    }

    /// What a problem says of the money, by its member, and whether its detail says that nothing was charged.
    fn said(problem: &Problem) -> (String, Value, bool) {
        let body = problem.body();
        let detail = body["detail"].as_str().unwrap_or_default();
        let claims = ["othing was charged", "charged nothing"];
        let claims = claims.iter().any(|words| detail.contains(words));
        (problem.word().to_owned(), body["money"].clone(), claims)
    }

    #[test]
    fn no_detail_says_more_of_the_money_than_the_member() {
        use AuthorizationRefusal as Refusal;
        use AuthorizeError as Error;
        let wait = Duration::from_secs(1);
        let messages = Vec::new;
        let of_order = |why: OrderRefusal| match Failure::from(why) {
            Failure::Problem(problem) => problem,
            other => panic!("{other:?}"),
        };
        let problems = [
            (Refusal::TooManyOperations.into(), "nothing_charged"),
            (Refusal::OrderClosed.into(), "nothing_charged"),
            (Refusal::CodeRefused.into(), "nothing_charged"),
            (
                Refusal::PaymentReversed(numbers()).into(),
                "nothing_charged",
            ),
            (
                Refusal::AuthorizationRefused {
                    service_status: 400,
                    messages: messages(),
                }
                .into(),
                "unknown",
            ),
            (Error::KeyReused.into(), "nothing_charged"),
            (Error::Running.into(), "unknown"),
            (Error::OrderPaid(numbers()).into(), "may_be_paid"),
            (Error::Live(numbers(), "QR".into()).into(), "may_be_paid"),
            (Error::Unconfirmed(numbers(), wait).into(), "may_be_paid"),
            (Error::Restored.into(), "may_be_paid"),
            (Error::Unavailable(wait).into(), "unknown"),
            (CancelError::NotAuthorizedYet.into(), "may_be_paid"),
            (CancelError::StateUncertain.into(), "may_be_paid"),
            (CancelError::BeingGivenBack.into(), "may_be_paid"),
            (CancelError::Refused(400).into(), "may_be_paid"),
            (CancelError::Unavailable(wait).into(), "unknown"),
            (CancelError::Sent.into(), "unknown"),
            (of_order(OrderRefusal::NotFound), "unknown"),
            (
                of_order(OrderRefusal::OtherSource("order")),
                "nothing_charged",
            ),
            (of_order(OrderRefusal::Changed), "may_be_paid"),
            (of_order(OrderRefusal::TwoPrices), "nothing_charged"),
            (of_order(OrderRefusal::Unclear), "unknown"),
            (of_order(OrderRefusal::Shop(ShopError::Unknown)), "unknown"),
        ];
        for (problem, money) in problems {
            let (word, member, claims) = said(&problem);
            assert_eq!(member, money, "{word}");
            assert!(!claims || money == "nothing_charged", "{word}");
        }
    }
}
