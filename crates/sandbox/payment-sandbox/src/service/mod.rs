//! The endpoints of the specification: `authorize` makes a charge, `charge` and `refund` have the others. `exchange` wraps
//! them: it checks headers, injects faults and writes the journal. Of a merchant's server the module knows only the address
//! for notifications.

mod authorize;
mod call;
mod charge;
mod error;
mod exchange;
mod headers;
mod refund;

use crate::Sandbox;
use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{MethodRouter, delete, get, post};
use call::{Answer, Call};
use error::ServiceError;
use exchange::exchange;

type Endpoint = fn(&mut Call<'_>) -> Result<Answer, ServiceError>;

/// The routes of the specification, and the answer for unknown paths.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/charges", only(post(endpoint(authorize::authorize))))
        .route(
            "/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}",
            only(get(endpoint(charge::query))),
        )
        .route(
            "/charges/{merchant_code}/{merchant_operation_number}",
            only(delete(endpoint(charge::cancel))),
        )
        .route("/refund", only(post(endpoint(refund::refund))))
        .route(
            "/refund/{merchant_code}/{merchant_operation_number}",
            only(get(endpoint(refund::refunds))),
        )
        .fallback(endpoint(|_| Err(ServiceError::UnknownPath)))
}

/// Rejects the other methods of a path with an error in the form of the service.
fn only(methods: MethodRouter<Sandbox>) -> MethodRouter<Sandbox> {
    methods.fallback(endpoint(|_| Err(ServiceError::WrongMethod)))
}

/// Makes the handler that runs an endpoint within an exchange.
fn endpoint(
    endpoint: Endpoint,
) -> impl Fn(State<Sandbox>, Request) -> std::pin::Pin<Box<dyn Future<Output = Response> + Send>>
+ Clone
+ Send
+ Sync
+ 'static {
    move |State(sandbox), request| Box::pin(exchange(sandbox, endpoint, request))
}
