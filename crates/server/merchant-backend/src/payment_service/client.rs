use super::ServiceError;
use super::body::{limit, read};
use super::query_scheduler::{QueryScheduler, Urgency};
use super::response_signals::Backoff;
use super::response_signals::ServiceClock;
use super::response_signals::{Unaccepted, UnansweredAlerts};
use super::token::{TokenSource, bearer};
use crate::metrics::{Answered, Metrics};
use crate::send_window::SendWindow;
use crate::trace;
use crate::wire::{ReadyConnection, RepeatableClient};
use axum::body::Bytes;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use axum::http::{Method, Request};
use payment_model::{
    AuthorizeRequest, AuthorizeResponse, CancelResponse, QueryResponse, RefundQueryResponse,
    RefundRequest, RefundResponse, Timestamp, TransactionId,
};
use payment_rules::operation::OperationKey;
use payment_rules::service_answers::{AcceptedCodes, Answer};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// For how long requests of a kind are fewer after a 429 that names no time.
const BACKOFF_OF_429: Duration = Duration::from_secs(10);

/// The address of the payment service, and the merchant's account there.
#[derive(Debug, Clone)]
pub(crate) struct ServiceAccess {
    pub(crate) base: Url,
    pub(crate) version: HeaderValue,
    /// The payment facilitator of the merchant, for the header of refunds, cancellations and refund
    /// queries.
    pub(crate) facilitator: Option<HeaderValue>,
    pub(crate) token: Arc<TokenSource>,
    pub(crate) accepted: AcceptedCodes,
    /// Requests name their trace.
    pub(crate) is_told_traces: bool,
}

/// A client of the payment service for one account.
pub(crate) struct Service {
    /// Sends requests that may be repeated.
    questions: RepeatableClient,
    /// Sends requests that move money.
    money: ReadyConnection,
    access: ServiceAccess,
    unaccepted: Unaccepted,
    unanswered: UnansweredAlerts,
    queries: QueryScheduler,
    refund_look_ups: QueryScheduler,
    cancellations: Backoff,
    clock: ServiceClock,
    metrics: Metrics,
}

/// The kinds of requests. Metrics and backoffs are kept for each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Authorize,
    Query,
    Cancel,
    Refund,
    LookUp,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Authorize,
        Self::Query,
        Self::Cancel,
        Self::Refund,
        Self::LookUp,
    ];

    fn metric_label(self) -> &'static str {
        match self {
            Self::Authorize => "authorize",
            Self::Query => "query",
            Self::Cancel => "cancel",
            Self::Refund => "refund",
            Self::LookUp => "refund_query",
        }
    }
}

impl Service {
    /// Must run within tokio, since it starts the tasks of the query schedulers.
    ///
    /// # Errors
    /// The TLS client cannot be built, for example because the system has no root certificates.
    pub(crate) fn new(
        access: ServiceAccess,
        timeout: Duration,
        queries_per_second: u32,
        metrics: Metrics,
    ) -> Result<Self, String> {
        for kind in Kind::ALL {
            metrics.has_requests(kind.metric_label());
        }
        Ok(Self {
            questions: RepeatableClient::new(&access.base, timeout, limit)?,
            money: ReadyConnection::new(&access.base, timeout, limit)?,
            access,
            unaccepted: Unaccepted::default(),
            unanswered: UnansweredAlerts::default(),
            queries: QueryScheduler::new(queries_per_second),
            refund_look_ups: QueryScheduler::new(queries_per_second),
            cancellations: Backoff::default(),
            clock: ServiceClock::default(),
            metrics,
        })
    }

    /// `POST /charges`. Never repeated: an operation number is valid for one request only.
    pub(crate) async fn authorize(
        &self,
        request: &AuthorizeRequest,
        window: SendWindow,
    ) -> Result<AuthorizeResponse, ServiceError> {
        let request = self.with_body(&["charges"], request)?;
        let token = self.current_token()?;
        self.send(Kind::Authorize, request, &token, Some(window))
            .await
    }

    /// `POST /refund`. Never repeated: the service would refund a second time.
    pub(crate) async fn refund(
        &self,
        request: &RefundRequest,
        window: SendWindow,
    ) -> Result<RefundResponse, ServiceError> {
        let request = self.facilitated(self.with_body(&["refund"], request)?);
        let token = self.current_token()?;
        self.send(Kind::Refund, request, &token, Some(window)).await
    }

    /// `GET /refund/{merchant_code}/{merchant_operation_number}`.
    pub(crate) async fn query_refunds(
        &self,
        key: &OperationKey,
    ) -> Result<RefundQueryResponse, ServiceError> {
        let path = ["refund", key.merchant_code.as_str(), key.number.as_str()];
        self.repeatable(Kind::LookUp, &path, None).await
    }

    /// Waits until this operation may be queried: the rate of all queries of this server is limited,
    /// and lower during a backoff.
    pub(crate) async fn turn(&self, key: &OperationKey, urgency: Urgency) {
        self.queries.acquire(key, urgency).await;
    }

    /// Raises the priority of a query that waits in [`Self::turn`].
    pub(crate) fn raise_priority(&self, key: &OperationKey, urgency: Urgency) {
        self.queries.raise_priority(key, urgency);
    }

    /// Waits until the refunds of this operation may be looked up. Look-ups have a rate limit of their
    /// own.
    pub(crate) async fn refund_query_turn(&self, key: &OperationKey, urgency: Urgency) {
        self.refund_look_ups.acquire(key, urgency).await;
    }

    /// Raises the priority of a look-up that waits in [`Self::refund_query_turn`].
    pub(crate) fn raise_refund_query_priority(&self, key: &OperationKey, urgency: Urgency) {
        self.refund_look_ups.raise_priority(key, urgency);
    }

    /// The service's clock; `None` before its first answer with a `Date`.
    pub(crate) fn now(&self) -> Option<Timestamp> {
        self.clock.now()
    }

    /// The time for which the service still wants no cancellations. Only background cancellations
    /// observe it; those of a payer or of staff are sent at once.
    pub(crate) fn cancellation_backoff(&self) -> Option<Duration> {
        self.cancellations.remaining()
    }

    /// `GET /charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`.
    pub(crate) async fn query(
        &self,
        key: &OperationKey,
        id: &TransactionId,
    ) -> Result<QueryResponse, ServiceError> {
        let path = [
            "charges",
            key.merchant_code.as_str(),
            key.number.as_str(),
            id.as_str(),
        ];
        let answer = self.repeatable(Kind::Query, &path, None).await;
        if answer.is_ok() {
            self.unanswered.answered(key);
        }
        answer
    }

    /// Alerts about an operation without a usable answer for long.
    pub(crate) fn note_unanswered(&self, key: &OperationKey, reason: &str) {
        self.unanswered.note(key, reason);
    }

    /// `DELETE /charges/{merchant_code}/{merchant_operation_number}`.
    pub(crate) async fn cancel(
        &self,
        key: &OperationKey,
        window: SendWindow,
    ) -> Result<CancelResponse, ServiceError> {
        let path = ["charges", key.merchant_code.as_str(), key.number.as_str()];
        self.repeatable(Kind::Cancel, &path, Some(window)).await
    }

    fn with_body(
        &self,
        path: &[&str],
        body: &impl Serialize,
    ) -> Result<Request<Bytes>, ServiceError> {
        let body = serde_json::to_vec(body)
            .map_err(|_| ServiceError::NotSent("the request has no JSON form"))?;
        let mut request = self.request(Method::POST, path, body.into())?;
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(CONTENT_TYPE, json);
        Ok(request)
    }

    fn request(
        &self,
        method: Method,
        path: &[&str],
        body: Bytes,
    ) -> Result<Request<Bytes>, ServiceError> {
        Request::builder()
            .method(method)
            .uri(self.address(path)?.as_str())
            .body(body)
            .map_err(|_| ServiceError::NotSent("the address cannot be asked"))
    }

    fn facilitated(&self, mut request: Request<Bytes>) -> Request<Bytes> {
        if let Some(code) = &self.access.facilitator {
            let headers = request.headers_mut();
            headers.insert("payment-facilitator-code", code.clone());
        }
        request
    }

    /// Sends a request, and repeats it once after a 401 if the token was renewed in the meantime.
    async fn repeatable<T: DeserializeOwned + Answer>(
        &self,
        kind: Kind,
        path: &[&str],
        window: Option<SendWindow>,
    ) -> Result<T, ServiceError> {
        let method = match kind {
            Kind::Cancel => Method::DELETE,
            _ => Method::GET,
        };
        let request = self.request(method, path, Bytes::new())?;
        // The specification does not show the facilitator header on the query of an operation.
        let request = if kind == Kind::Query {
            request
        } else {
            self.facilitated(request)
        };
        let token = self.current_token()?;
        let answer = self.send(kind, request.clone(), &token, window).await;
        if !matches!(answer, Err(ServiceError::Unauthorized)) {
            return answer;
        }
        let renewed = self.current_token()?;
        if renewed.expose_secret() == token.expose_secret() {
            return answer;
        }
        self.send(kind, request, &renewed, window).await
    }

    /// Sends a request that may be repeated without a window, and one that moves money within its window.
    async fn send<T: DeserializeOwned + Answer>(
        &self,
        kind: Kind,
        mut request: Request<Bytes>,
        token: &SecretString,
        window: Option<SendWindow>,
    ) -> Result<T, ServiceError> {
        let bearer =
            bearer(token).ok_or(ServiceError::NotSent("the access token cannot be sent"))?;
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, bearer);
        headers.insert("ALG-API-VERSION", self.access.version.clone());
        if self.access.is_told_traces {
            trace::add_to(headers);
        }
        let start = Instant::now();
        let answered = match window {
            Some(window) => self.money.exchange(request, window).await,
            None => self.questions.exchange(request).await,
        };
        let answer = match answered {
            Ok(answer) => {
                self.clock.note(answer.headers());
                read(answer, token, &self.access.accepted)
            }
            Err(error) => Err(error.into()),
        };
        let answered = match &answer {
            Ok(_) => Answered::Yes,
            Err(ServiceError::NotAccepted { code, .. }) => {
                self.unaccepted.note(kind.metric_label(), code);
                Answered::Unaccepted
            }
            Err(error) if error.leaves_doubt() || error.never_left() => Answered::No,
            Err(_) => Answered::Refused,
        };
        self.metrics
            .request(kind.metric_label(), answered, start.elapsed());
        if let Err(ServiceError::Trouble {
            status,
            retry_after,
        }) = answer
            && let Some(retry_after) = retry_after.or((status == 429).then_some(BACKOFF_OF_429))
        {
            match kind {
                Kind::Query => self.queries.back_off(retry_after),
                Kind::LookUp => self.refund_look_ups.back_off(retry_after),
                Kind::Cancel => self.cancellations.begin(retry_after),
                // These requests are sent only for a waiting caller, who gets the error.
                Kind::Authorize | Kind::Refund => {}
            }
        }
        if matches!(answer, Err(ServiceError::Unauthorized)) {
            tracing::error!(
                alert = true,
                "the payment service does not accept the access token: renew PAYMENT_TOKEN or the file PAYMENT_TOKEN_FILE"
            );
        }
        answer
    }

    fn current_token(&self) -> Result<SecretString, ServiceError> {
        self.access.token.current().map_err(|error| {
            tracing::error!(alert = true, "PAYMENT_TOKEN_FILE: {error}");
            ServiceError::NotSent("there is no access token")
        })
    }

    /// Appends path segments to the base address. Each stays one segment: `.`, `..` and empty
    /// segments are rejected, and all others are percent-encoded.
    fn address(&self, segments: &[&str]) -> Result<Url, ServiceError> {
        let odd = |segment: &&str| {
            matches!(*segment, "" | "." | "..") || segment.contains(char::is_control)
        };
        if segments.iter().any(odd) {
            return Err(ServiceError::NotSent(
                "an identifier cannot stand in an address",
            ));
        }
        let mut url = self.access.base.clone();
        url.path_segments_mut()
            .map_err(|()| ServiceError::NotSent("the base address takes no path"))?
            .pop_if_empty()
            .extend(segments);
        Ok(url)
    }
}

#[cfg(test)]
mod tests;
