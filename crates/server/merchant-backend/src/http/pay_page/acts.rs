//! The forms of the page. Each is answered with 303 to the page, or with a page that says why nothing was
//! done.

use super::answer::{PageAnswer, Visitor};
use super::state::live;
use super::{Handle, order_of};
use crate::http::app::App;
use crate::http::body::Text;
use crate::http::monitoring::counted;
use crate::http::payer::OrderFields;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::metrics::Attempt;
use crate::orders::{PayableOrder, Right};
use crate::payments::{Authorization, AuthorizeError, CancelOutcome, Method};
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use pay_page::{Message, State as Shown};
use payment_model::{IdempotencyKey, NotOfferedReason, PaymentMethodName};
use payment_rules::idempotency::AuthorizationRefusal;
use payment_rules::ledger::EndCause;
use payment_rules::order::OrderFacts;
use serde::Deserialize;
use url::Url;

/// The form of the choice.
#[derive(Deserialize)]
pub(super) struct BeginForm {
    /// The idempotency key, which the page made when it was drawn.
    key: String,
    method: String,
    /// The code that the payer saw and leaves.
    replaces: Option<String>,
}

/// `POST /api/pay/{handle}` begins to pay, or repeats that.
pub(super) async fn begin(
    State(app): State<App>,
    visitor: Visitor,
    Handle(handle): Handle,
    form: Result<Form<BeginForm>, FormRejection>,
) -> Result<Response, PageAnswer> {
    let facts = order_of(&app, &visitor, &handle).await?;
    let shown = |message| visitor.page(&app, &handle, &facts, &Shown::Message(message));
    // A form that is not the page's own begins nothing: the page shows what the order has.
    let asked = form.ok().and_then(|Form(form)| {
        let method = method(&app, &handle, &form.method)?;
        let key = IdempotencyKey::new(form.key.clone()).ok()?;
        Some((form, method, key))
    });
    let Some((form, method, key)) = asked else {
        app.metrics.attempt(Attempt::TurnedAway);
        return Ok(visitor.see_page(&app, &handle));
    };
    let wanted = method.name();
    let outcome = attempt(&app, &visitor, &facts, method, key, form.replaces).await;
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(failure) => {
            app.metrics.attempt(Attempt::TurnedAway);
            // The store takes no payments any more, which the page says.
            if matches!(&failure, Failure::Problem(problem) if problem.is(ProblemKind::MethodNotOffered))
            {
                return Ok(visitor.see_page(&app, &handle));
            }
            return Err(shown(message_of(&failure)));
        }
    };
    app.metrics.attempt(counted(&outcome));
    match outcome {
        Authorization::Operation(_) => Ok(visitor.see_code(&app, &handle)),
        // The page shows what the order has now: the payment, or the reversal.
        Authorization::Refused(
            AuthorizationRefusal::OrderClosed
            | AuthorizationRefusal::TooManyOperations
            | AuthorizationRefusal::PaymentReversed(_),
        )
        | Authorization::Retryable(AuthorizeError::OrderPaid(_) | AuthorizeError::KeyReused) => {
            Ok(visitor.see_page(&app, &handle))
        }
        // The page says which limits the order breaks, and nothing of what is missing for another reason.
        Authorization::NotOffered(why) => match why.reason {
            NotOfferedReason::Order | NotOfferedReason::Setting => {
                Err(shown(Message::NotOffered(why.method)))
            }
            _ => Ok(visitor.see_page(&app, &handle)),
        },
        Authorization::Retryable(AuthorizeError::Live(numbers, live)) => {
            let asking = Shown::AskingToReplace {
                live,
                number: numbers.key.number.as_str().to_owned(),
                wanted,
                key: form.key,
            };
            let page = visitor.page(&app, &handle, &facts, &asking);
            Ok(page.into_response())
        }
        Authorization::Retryable(AuthorizeError::Unconfirmed(..) | AuthorizeError::Running) => {
            let page = visitor.page(&app, &handle, &facts, &Shown::Confirming);
            Ok(page.into_response())
        }
        Authorization::Retryable(AuthorizeError::Restored) => Err(shown(Message::MayBePaid)),
        Authorization::Retryable(AuthorizeError::Unavailable(_)) => Err(shown(Message::TryAgain)),
        Authorization::Refused(AuthorizationRefusal::CodeRefused) => {
            Err(shown(Message::CodeRefused))
        }
        Authorization::Refused(refusal) => Err(shown(Message::Refused(words(&refusal)))),
    }
}

/// Begins to pay the order of the page, or repeats that.
pub(super) async fn attempt(
    app: &App,
    visitor: &Visitor,
    facts: &OrderFacts,
    method: Method,
    key: IdempotencyKey,
    replaces: Option<String>,
) -> Result<Authorization, Failure> {
    let payable = PayableOrder {
        order: facts.clone(),
        right: Right::Pay,
    };
    let admitted = app
        .payments
        .admit(visitor.client, payable, method, key, replaces);
    let command = admitted.await?;
    Ok(app.payments.run(command).await.ok_or(Failure::Internal)??)
}

/// The method of the form. Its payer comes back to the page itself.
fn method(app: &App, handle: &str, name: &str) -> Option<Method> {
    let redirect_url = || Url::parse(&app.orders.pay_links().url(handle)).ok();
    Some(match PaymentMethodName::from(name) {
        PaymentMethodName::Qr => Method::Qr,
        PaymentMethodName::Installment => Method::Installment {
            redirect_url: redirect_url()?,
        },
        name => {
            let wants_redirect = app.config.method_details.want_redirect(&name)?;
            Method::Other {
                name,
                redirect_url: if wants_redirect { redirect_url() } else { None },
            }
        }
    })
}

/// What the service says to the payer, in the first language that it has.
fn words(refusal: &AuthorizationRefusal) -> Option<String> {
    let messages = match refusal {
        AuthorizationRefusal::AuthorizationRefused { messages, .. } => messages,
        _ => return None,
    };
    let first = messages.first()?;
    Some(first.value.clone())
}

fn message_of(failure: &Failure) -> Message {
    match failure {
        Failure::Problem(problem) if problem.is(ProblemKind::TooManyRequests) => Message::TooOften,
        // A form that names no order, or more than one, would be refused again.
        Failure::Problem(problem)
            if problem.is(ProblemKind::OrderTokenRefused)
                || problem.is(ProblemKind::BadRequest)
                || problem.is(ProblemKind::FieldNotAllowed) =>
        {
            Message::OrderRefused
        }
        Failure::Problem(problem) if problem.is(ProblemKind::NotFound) => Message::NotFound,
        _ => Message::TryAgain,
    }
}

/// The form that cancels a code.
#[derive(Deserialize)]
pub(super) struct CancelForm {
    /// The code that the payer saw.
    number: String,
}

/// `POST /api/pay/{handle}/cancel` cancels the code that the payer saw, and no other one.
pub(super) async fn cancel(
    State(app): State<App>,
    visitor: Visitor,
    Handle(handle): Handle,
    form: Result<Form<CancelForm>, FormRejection>,
) -> Result<Response, PageAnswer> {
    let facts = order_of(&app, &visitor, &handle).await?;
    let shown = |message| visitor.page(&app, &handle, &facts, &Shown::Message(message));
    let Ok(Form(form)) = form else {
        return Ok(visitor.see_page(&app, &handle));
    };
    let Ok(live) = live(&app, &facts).await else {
        return Err(shown(Message::TryAgain));
    };
    let Some(record) = live.filter(|live| live.key.number.as_str() == form.number) else {
        // It has ended, or another one is there.
        return Ok(visitor.see_page(&app, &handle));
    };
    let payments = app.payments.clone();
    let work = async move { payments.cancel_unpaid(record, EndCause::Payer).await };
    match app.finish(work).await {
        Ok(Ok(CancelOutcome::Ended(_) | CancelOutcome::Paid(_))) => {
            Ok(visitor.see_page(&app, &handle))
        }
        // As far as the service says, the code can be paid, and the payer may try again.
        Ok(Ok(CancelOutcome::Unconfirmed(_))) => Err(shown(Message::NotCancelled)),
        Ok(Err(_)) | Err(_) => Err(shown(Message::TryAgain)),
    }
}

/// A form of the shop's own page, with the fields of the element's requests.
#[derive(Deserialize)]
pub(super) struct OrderForm {
    order: Option<Text>,
    order_id: Option<Text>,
    order_key: Option<Text>,
}

/// `POST /api/pay` takes a signed order, or an order with its key, and leads to the page of the order.
pub(super) async fn with_order(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Result<Form<OrderForm>, FormRejection>,
) -> Result<Response, PageAnswer> {
    let Ok(Form(form)) = form else {
        return Err(visitor.message(&app, Message::OrderRefused));
    };
    let handle = handle_of(&app, &visitor, &headers, form).await;
    let handle = handle.map_err(|failure| visitor.message(&app, message_of(&failure)))?;
    Ok(visitor.see_page(&app, &handle))
}

async fn handle_of(
    app: &App,
    visitor: &Visitor,
    headers: &HeaderMap,
    form: OrderForm,
) -> Result<String, Failure> {
    let named = OrderFields {
        order: form.order.as_ref(),
        order_id: form.order_id.as_ref(),
        order_key: form.order_key.as_ref(),
        ..OrderFields::default()
    };
    let named = named.named()?;
    let client = visitor.client;
    let payable = app.orders.order_to_pay(headers, client, named).await?;
    let order = app.payments.admit_to_page(payable).await?;
    let link = app.orders.pay_links().of(&order.full_id()).await?;
    // The shop took the page of this order away.
    let link = link.ok_or_else(Problem::not_found)?;
    Ok(link.handle)
}
