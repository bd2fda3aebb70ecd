use super::ServiceError;
use super::body::whole;
use axum::body::Bytes;
use axum::http::{Request, Response};
use reqwest::Client;

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
