use super::ServiceError;
use axum::body::Bytes;
use axum::http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body;
use reqwest::Client;

/// Ten times the size of the largest expected answer, which contains the image of a QR code.
const MAX_ANSWER_BYTES: usize = 2 * 1024 * 1024;
/// A rejection is read only for its messages.
const MAX_REJECTION_BYTES: usize = 64 * 1024;

/// The head of an answer with its body, or with the error of reading the body: the status counts
/// even then.
pub(super) type Answered = Response<Result<Bytes, ServiceError>>;

/// Sends requests to the payment service: a [`Client`] those that may be repeated, and a ready
/// connection those that move money.
pub(super) trait Wire: Sync {
    /// Sends a request, whose address must be absolute, and reads the answer.
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

/// Classifies an error of the client. Its text is dropped, since it contains the address.
fn failure(error: &reqwest::Error) -> ServiceError {
    if error.is_connect() {
        ServiceError::Unreached
    } else if error.is_timeout() {
        ServiceError::Timeout
    } else {
        ServiceError::Connection
    }
}

/// Reads a body of limited size. The bodies of other statuses than 200 and 4xx are never used, so
/// they are not read.
pub(super) async fn whole<B>(
    status: StatusCode,
    body: B,
    failure: impl Fn(&B::Error) -> ServiceError,
) -> Result<Bytes, ServiceError>
where
    B: Body<Data = Bytes>,
    B::Error: std::error::Error + Send + Sync + 'static,
{
    let max_bytes = match status.as_u16() {
        200 => MAX_ANSWER_BYTES,
        400..=499 => MAX_REJECTION_BYTES,
        _ => return Ok(Bytes::new()),
    };
    match Limited::new(body, max_bytes).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(ServiceError::Unreadable("too large".to_owned()))
        }
        Err(error) => Err(error
            .downcast_ref::<B::Error>()
            .map_or(ServiceError::Connection, failure)),
    }
}
