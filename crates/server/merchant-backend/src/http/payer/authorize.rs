//! `POST /api/charges`: a payer authorizes the payment of an order.

use super::OrderFields;
use crate::config::allowed_redirects::RedirectRefusal;
use crate::db::DbError;
use crate::http::app::App;
use crate::http::body::idempotency_key;
use crate::http::body::{ByName, JsonBody, Text, not_allowed};
use crate::http::caller::Caller;
use crate::http::monitoring::counted;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::metrics::Attempt;
use crate::payments::{AdmissionError, Authorization, Method};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use payment_model::{Amount, NotOffered, NotOfferedReason, Offer, PaymentMethodName};
use payment_rules::offer::not_offered;
use serde::Deserialize;
use url::Url;

const REDIRECT_URL: &str = "payment_method.method_details.redirect_url";

/// The body: an order, with the fields of [`OrderFields`], and the method to pay it with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct AuthorizeBody {
    order: Option<Text>,
    order_id: Option<Text>,
    order_key: Option<Text>,
    store: Option<Text>,
    pay_link: Option<Text>,
    payment_method: ByName<MethodBody>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodBody {
    method_name: Text,
    method_details: Option<ByName<DetailsBody>>,
}

/// The details that the browser may set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DetailsBody {
    redirect_url: Option<String>,
}

/// `POST /api/charges`: starts the payment of an order, or answers with its live operation.
pub(in crate::http) async fn authorize(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    body: Result<JsonBody<AuthorizeBody>, Problem>,
) -> Result<Response, Failure> {
    // A body that cannot be read counts as an attempt that was turned away.
    let attempted = attempt(&app, caller, &headers, body).await;
    let result = attempted
        .as_ref()
        .map_or(Attempt::TurnedAway, |(result, _)| *result);
    app.metrics.attempt(result);
    attempted.map(|(_, response)| response)
}

async fn attempt(
    app: &App,
    caller: Caller,
    headers: &HeaderMap,
    body: Result<JsonBody<AuthorizeBody>, Problem>,
) -> Result<(Attempt, Response), Failure> {
    let JsonBody(body) = body?;
    let named = OrderFields {
        order: body.order.as_ref(),
        order_id: body.order_id.as_ref(),
        order_key: body.order_key.as_ref(),
        store: body.store.as_ref(),
        pay_link: body.pay_link.as_ref(),
    };
    let named = named.named()?;
    let pay_link = body.pay_link.as_ref();
    let own_page = pay_link.map(|handle| app.orders.pay_links().url(handle));
    let name = PaymentMethodName::from(&*body.payment_method.0.method_name);
    let method = method(app, body.payment_method.0, own_page.as_deref())?;
    let key = idempotency_key(headers)?;
    let proof = named.proof();
    let payable = app.orders.order_to_pay(headers, caller.0, named).await?;
    let facts = payable.order.clone();
    let refused = async |why: NotOffered| -> Result<Problem, DbError> {
        let offer = app.offer(&facts, own_page.is_some()).await?;
        Ok(refused_method(&offer, &why))
    };
    let Some(method) = method else {
        let why = not_offered(&name, NotOfferedReason::Setting);
        return Err(refused(why).await?.into());
    };
    let replaces = replaced_number(headers);
    let admitted = app.payments.admit(caller.0, payable, method, key, replaces);
    let command = match admitted.await {
        Err(AdmissionError::StoreClosed) => {
            let why = not_offered(&name, NotOfferedReason::Setting);
            return Err(refused(why).await?.into());
        }
        admitted => admitted?,
    };
    let payer = app
        .orders
        .grant_session(headers, &command.order, proof)
        .await?;
    let outcome = app.payments.run(command).await.ok_or(Failure::Internal)??;
    let result = counted(&outcome);
    let mut response = match outcome {
        Authorization::Operation(answer) => Json(answer).into_response(),
        Authorization::Refused(refusal) => Problem::from(refusal).into_response(),
        Authorization::NotOffered(why) => refused(why).await?.into_response(),
        Authorization::Retryable(undecided) => Problem::from(undecided).into_response(),
    };
    payer.set_cookie(response.headers_mut());
    Ok((result, response))
}

/// The method in a body; `None` if the server does not have it. A payer at the server's own page of the order may come
/// back to `own_page`, the address of that page.
fn method(app: &App, body: MethodBody, own_page: Option<&str>) -> Result<Option<Method>, Problem> {
    let name = PaymentMethodName::from(&*body.method_name);
    let wants_redirect = match name {
        PaymentMethodName::Qr => false,
        PaymentMethodName::Installment => true,
        _ => match app.config.method_details.want_redirect(&name) {
            Some(wants) => wants,
            None => return Ok(None),
        },
    };
    let details = body.method_details;
    let redirect_url = details.and_then(|ByName(details)| details.redirect_url);
    // The browser does not know which other methods use an address, so that the server ignores one that
    // it does not need.
    if name == PaymentMethodName::Qr && redirect_url.is_some() {
        return Err(not_allowed(REDIRECT_URL));
    }
    let redirect_url = if wants_redirect {
        let given = redirect_url.filter(|text| !text.is_empty());
        let given = given.ok_or_else(|| redirect(&format!("is required for {}", name.as_str())))?;
        let checked = match own_page.filter(|page| *page == given) {
            Some(page) => Url::parse(page).map_err(|_| RedirectRefusal::Malformed),
            None => app.config.redirect_allow.check(&given),
        };
        Some(checked.map_err(|refusal| redirect(&refusal.to_string()))?)
    } else {
        None
    };
    Ok(Some(match (name, redirect_url) {
        (PaymentMethodName::Qr, _) => Method::Qr,
        (PaymentMethodName::Installment, Some(redirect_url)) => {
            Method::Installment { redirect_url }
        }
        (name, redirect_url) => Method::Other { name, redirect_url },
    }))
}

/// The order cannot be paid by the method. The element shows its payer why, and the methods that are left.
fn refused_method(offer: &Offer, why: &NotOffered) -> Problem {
    let field = "payment_method.method_name";
    let left: Vec<_> = offer
        .methods
        .iter()
        .map(PaymentMethodName::as_str)
        .collect();
    let bound = |bound: &Option<Amount>| bound.as_ref().map_or("", Amount::as_str).to_owned();
    let reason = match why.reason {
        NotOfferedReason::BelowLeast => format!("its amount is below {} cents", bound(&why.least)),
        NotOfferedReason::AboveMost => format!("its amount is above {} cents", bound(&why.most)),
        NotOfferedReason::Currency => format!("the method takes no {}", offer.currency),
        NotOfferedReason::Order => "its `methods` leave the method out".to_owned(),
        _ => "this server, or the order's store, does not have the method now".to_owned(),
    };
    let remedy = match left[..] {
        [] => "no method is left".to_owned(),
        _ => format!("use {}", left.join(" or ")),
    };
    let detail = format!(
        "The field `{field}` names a method by which this order cannot be paid: {reason}; {remedy}."
    );
    Problem::new(ProblemKind::MethodNotOffered, detail)
        .with("field", field)
        .with("currency", offer.currency.as_str())
        .with("methods", left)
        .carrying(why)
}

fn redirect(why: &str) -> Problem {
    let detail = format!("The field `{REDIRECT_URL}` {why}.");
    Problem::new(ProblemKind::RedirectNotAllowed, detail).with("field", REDIRECT_URL)
}

/// The operation that a payer leaves for another method.
const REPLACES: HeaderName = HeaderName::from_static("checkout-replaces");

/// The number in the header, in quotes or bare. A value that cannot be read names no operation, so
/// that nothing is cancelled for it.
fn replaced_number(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(REPLACES)?.to_str().ok()?.trim();
    let quoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    Some(quoted.unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{REPLACES, replaced_number};
    use axum::http::{HeaderMap, HeaderValue};

    #[test]
    fn a_number_is_read_in_quotes_or_bare() {
        let read = |bytes: &[u8]| {
            let value = HeaderValue::from_bytes(bytes).unwrap();
            replaced_number(&HeaderMap::from_iter([(REPLACES, value)]))
        };
        for (bytes, number) in [
            (&b"\"0123\""[..], Some("0123")),
            (b" 0123 ", Some("0123")),
            (b"\"0123", Some("\"0123")),
            (b"", Some("")),
            (b"01\xff", None),
        ] {
            assert_eq!(read(bytes).as_deref(), number);
        }
        assert_eq!(replaced_number(&HeaderMap::new()), None);
    }
}
