//! The endpoints of the specification, one a file. `exchange` wraps each of them: headers, faults,
//! journal. It is as strict as the service, and knows no merchant's server but its notification
//! address.

mod authorize;
mod call;
mod cancel;
mod error;
mod exchange;
mod headers;
mod query;
mod refund;
mod refund_query;

use crate::Sandbox;
use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{MethodRouter, delete, get, post};
use call::{Answer, Call};
use error::ServiceError;
use exchange::exchange;

type Endpoint = fn(&mut Call<'_>) -> Result<Answer, ServiceError>;

/// The routes of the specification; every other path of the service is unknown to it.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/charges", only(post(endpoint(authorize::authorize))))
        .route(
            "/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}",
            only(get(endpoint(query::query))),
        )
        .route(
            "/charges/{merchant_code}/{merchant_operation_number}",
            only(delete(endpoint(cancel::cancel))),
        )
        .route("/refund", only(post(endpoint(refund::refund))))
        .route(
            "/refund/{merchant_code}/{merchant_operation_number}",
            only(get(endpoint(refund_query::query))),
        )
        .fallback(endpoint(|_| Err(ServiceError::UnknownPath)))
}

/// Refuses the other methods of a path in the service's own words.
fn only(methods: MethodRouter<Sandbox>) -> MethodRouter<Sandbox> {
    methods.fallback(endpoint(|_| Err(ServiceError::WrongMethod)))
}

/// A handler that runs an endpoint inside an exchange.
fn endpoint(
    endpoint: Endpoint,
) -> impl Fn(State<Sandbox>, Request) -> std::pin::Pin<Box<dyn Future<Output = Response> + Send>>
+ Clone
+ Send
+ Sync
+ 'static {
    move |State(sandbox), request| Box::pin(exchange(sandbox, endpoint, request))
}
