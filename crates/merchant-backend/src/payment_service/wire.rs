use super::ServiceError;
use axum::body::Bytes;
use axum::http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body;
use reqwest::Client;

/// Larger answers are not read; a code's image has a tenth of this size.
const LARGEST: usize = 2 * 1024 * 1024;
/// Only so much of a refusal's body is read, for its messages.
const LARGEST_REFUSAL: usize = 64 * 1024;

/// An answer: its head, and the body as far as it could be read.
pub(super) type Answered = Response<Result<Bytes, ServiceError>>;

/// A way to the payment service: a [`Client`] for what may be asked again, or the ready connection
/// within a send window for what moves money.
pub(super) trait Wire: Sync {
    /// Sends a request to its full address, and reads the answer.
    fn exchange(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Answered, ServiceError>> + Send;
}

impl Wire for Client {
    async fn exchange(&self, request: Request<Bytes>) -> Result<Answered, ServiceError> {
        let request = request
            .try_into()
            .map_err(|_| ServiceError::NotSent("the address cannot be asked"))?;
        let answer = self
            .execute(request)
            .await
            .map_err(|error| failure(&error))?;
        let (head, body) = Response::from(answer).into_parts();
        let body = whole(head.status, body, failure).await;
        Ok(Response::from_parts(head, body))
    }
}

/// The error of a failed connection, without the address.
fn failure(error: &reqwest::Error) -> ServiceError {
    if error.is_connect() {
        ServiceError::Unreached
    } else if error.is_timeout() {
        ServiceError::Timeout
    } else {
        ServiceError::Connection
    }
}

/// Reads a body, if an answer with this status says something in it.
pub(super) async fn whole<B>(
    status: StatusCode,
    body: B,
    failure: impl Fn(&B::Error) -> ServiceError,
) -> Result<Bytes, ServiceError>
where
    B: Body<Data = Bytes>,
    B::Error: std::error::Error + Send + Sync + 'static,
{
    let largest = match status.as_u16() {
        200 => LARGEST,
        400..=499 => LARGEST_REFUSAL,
        _ => return Ok(Bytes::new()),
    };
    match Limited::new(body, largest).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(ServiceError::Unreadable("too large".to_owned()))
        }
        Err(error) => Err(error
            .downcast_ref::<B::Error>()
            .map_or(ServiceError::Connection, failure)),
    }
}
