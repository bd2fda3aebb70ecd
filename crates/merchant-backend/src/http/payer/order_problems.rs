//! Problems of the orders that a page names.

use crate::http::failure::Failure;
use crate::http::problem::{Problem, ProblemKind};
use crate::orders::OrderRefusal;
use crate::payments::AuthorizeError;
use crate::shop_orders::{ShopError, TokenRefusal};
use std::time::Duration;

/// When to ask again for an order whose shop does not answer.
const ASK_AGAIN: Duration = Duration::from_secs(5);

impl From<OrderRefusal> for Failure {
    fn from(refusal: OrderRefusal) -> Self {
        match refusal {
            OrderRefusal::Database(error) => error.into(),
            OrderRefusal::NotFound => Problem::not_found().into(),
            OrderRefusal::OtherSource(field) => other_source(field).into(),
            OrderRefusal::Token(why) => token_refused(&why).into(),
            OrderRefusal::Changed => changed().into(),
            OrderRefusal::Unclear => Problem::from(AuthorizeError::Running).into(),
            OrderRefusal::TwoPrices => two_prices().into(),
            OrderRefusal::Shop(error) => shop(&error).into(),
        }
    }
}

fn other_source(field: &'static str) -> Problem {
    let setting = match field {
        "order" => "ORDERS_SECRET or ORDERS_KEYS_FILE",
        _ => "ORDERS_URL",
    };
    let detail =
        format!("The field `{field}` is not allowed here: this server does not have {setting}.");
    Problem::new(ProblemKind::FieldNotAllowed, detail).with("field", field)
}

fn token_refused(why: &TokenRefusal) -> Problem {
    let detail = format!(
        "The signed order in the field `order` permits no payment: {why}. This request charged nothing; get a new one from the shop."
    );
    Problem::new(ProblemKind::OrderTokenRefused, detail)
        .with("field", "order")
        .with("reason", why.word())
}

fn changed() -> Problem {
    let detail = "An attempt to pay this order was made with another amount, currency or store, and its code may still be paid. Give the new price an order of its own.";
    Problem::new(ProblemKind::OrderChanged, detail)
}

fn two_prices() -> Problem {
    let detail = "The shop signed this order twice in one second, with another amount, currency or store each time, so that the newer one is not known. Nothing was charged; get a new token from the shop.";
    Problem::new(ProblemKind::OrderChanged, detail)
}

fn shop(error: &ShopError) -> Problem {
    if *error == ShopError::Unknown {
        return Problem::not_found();
    }
    // The payer cannot help it; who runs the shop has to know.
    tracing::error!(%error, "the shop was asked about an order in vain");
    match error {
        ShopError::Silent(_) => {
            let detail = "The shop does not answer about this order. Nothing was charged: repeat the request with the same Idempotency-Key.";
            Problem::new(ProblemKind::ShopUnavailable, detail).retry_after(ASK_AGAIN)
        }
        _ => {
            let detail = "The shop's answer about this order cannot be used; its log and this server's say why. Nothing was charged.";
            Problem::new(ProblemKind::ShopAnswer, detail)
        }
    }
}
