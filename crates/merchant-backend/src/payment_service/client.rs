use super::ServiceError;
use super::body::{failure, read};
use super::query_lanes::{Lanes, Urgency};
use super::rests::Rest;
use super::service_clock::ServiceClock;
use super::token::{TokenSource, bearer};
use super::unaccepted::Unaccepted;
use crate::domain::accepted::{AcceptedCodes, Answer};
use crate::domain::operation::OperationKey;
use crate::metrics::{Answered, Metrics};
use crate::outgoing;
use crate::send_window::SendWindow;
use payment_model::{
    AuthorizeRequest, AuthorizeResponse, CancelResponse, QueryResponse, RefundQueryResponse,
    RefundRequest, RefundResponse, Timestamp, TransactionId,
};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Method, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// The way to the payment service, and the merchant's account there.
#[derive(Debug, Clone)]
pub(crate) struct ServiceAccess {
    pub(crate) base: Url,
    pub(crate) version: HeaderValue,
    /// The facilitator that brought the merchant to the service; sent with refund, cancel and
    /// refund query.
    pub(crate) facilitator: Option<HeaderValue>,
    pub(crate) token: Arc<TokenSource>,
    pub(crate) accepted: AcceptedCodes,
}

/// The payment service, at one address and with one account.
pub(crate) struct Service {
    client: Client,
    access: ServiceAccess,
    unaccepted: Unaccepted,
    /// The queries of operations.
    queries: Lanes,
    /// The look-ups of refunds.
    look_ups: Lanes,
    /// The rest from cancellations, at the service's request.
    cancellations: Rest,
    clock: ServiceClock,
    metrics: Metrics,
}

/// The kinds of requests; a rest concerns one of them.
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

    /// The word in metrics.
    fn word(self) -> &'static str {
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
    /// Must run within tokio.
    ///
    /// # Errors
    /// The system lacks TLS roots or the like; the text says so.
    pub(crate) fn new(
        access: ServiceAccess,
        timeout: Duration,
        queries_per_second: u32,
        metrics: Metrics,
    ) -> Result<Self, String> {
        for kind in Kind::ALL {
            metrics.has_requests(kind.word());
        }
        Ok(Self {
            client: outgoing::client(&access.base, timeout)?,
            access,
            unaccepted: Unaccepted::default(),
            queries: Lanes::new(queries_per_second),
            look_ups: Lanes::new(queries_per_second),
            cancellations: Rest::default(),
            clock: ServiceClock::default(),
            metrics,
        })
    }

    /// `POST /charges`. Sent once in any case: a number is for one request only.
    pub(crate) async fn authorize(
        &self,
        request: &AuthorizeRequest,
        window: SendWindow,
    ) -> Result<AuthorizeResponse, ServiceError> {
        let (request, token) = self.once(&["charges"], request)?;
        self.send(Kind::Authorize, request, &token, Some(window))
            .await
    }

    /// `POST /refund`. Sent once in any case: the service would refund again.
    pub(crate) async fn refund(
        &self,
        request: &RefundRequest,
        window: SendWindow,
    ) -> Result<RefundResponse, ServiceError> {
        let (request, token) = self.once(&["refund"], request)?;
        let request = self.facilitated(request);
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

    /// Waits until an operation may be queried. The rate is limited for the whole installation, and
    /// more while the service asks for a rest.
    pub(crate) async fn turn(&self, key: &OperationKey, urgency: Urgency) {
        self.queries.enter(key, urgency).await;
    }

    /// Makes the waiting query of this operation more urgent.
    pub(crate) fn hurry(&self, key: &OperationKey, urgency: Urgency) {
        self.queries.hurry(key, urgency);
    }

    /// The same for looking up the refunds of an operation.
    pub(crate) async fn look_up_turn(&self, key: &OperationKey, urgency: Urgency) {
        self.look_ups.enter(key, urgency).await;
    }

    /// The same for a look-up of refunds.
    pub(crate) fn hurry_look_up(&self, key: &OperationKey, urgency: Urgency) {
        self.look_ups.hurry(key, urgency);
    }

    /// The service's time; `None` before it told one.
    pub(crate) fn now(&self) -> Option<Timestamp> {
        self.clock.now()
    }

    /// How long the service still wants no cancellations from the background.
    pub(crate) fn no_cancellations_for(&self) -> Option<Duration> {
        self.cancellations.left()
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
        self.repeatable(Kind::Query, &path, None).await
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

    /// A request with a body that is sent once, and the token for it.
    fn once(
        &self,
        path: &[&str],
        body: &impl Serialize,
    ) -> Result<(RequestBuilder, SecretString), ServiceError> {
        let url = self.address(path)?;
        let body = serde_json::to_vec(body)
            .map_err(|_| ServiceError::NotSent("the request has no JSON form"))?;
        let token = self.current_token()?;
        let request = self
            .client
            .request(Method::POST, url)
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        Ok((request, token))
    }

    fn facilitated(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.access.facilitator {
            Some(code) => request.header("payment-facilitator-code", code.clone()),
            None => request,
        }
    }

    /// A request that is repeated once after a 401, if the token was renewed in the meantime.
    async fn repeatable<T: DeserializeOwned + Answer>(
        &self,
        kind: Kind,
        path: &[&str],
        window: Option<SendWindow>,
    ) -> Result<T, ServiceError> {
        let url = self.address(path)?;
        let token = self.current_token()?;
        let method = match kind {
            Kind::Cancel => Method::DELETE,
            _ => Method::GET,
        };
        let request = |url| {
            let request = self.client.request(method.clone(), url);
            // The specification does not list the query of an operation among these requests.
            if kind == Kind::Query {
                request
            } else {
                self.facilitated(request)
            }
        };
        let answer = self.send(kind, request(url.clone()), &token, window).await;
        if !matches!(answer, Err(ServiceError::Unauthorized)) {
            return answer;
        }
        let renewed = self.current_token()?;
        if renewed.expose_secret() == token.expose_secret() {
            return answer;
        }
        self.send(kind, request(url), &renewed, window).await
    }

    async fn send<T: DeserializeOwned + Answer>(
        &self,
        kind: Kind,
        request: RequestBuilder,
        token: &SecretString,
        window: Option<SendWindow>,
    ) -> Result<T, ServiceError> {
        let bearer =
            bearer(token).ok_or(ServiceError::NotSent("the access token cannot be sent"))?;
        let request = request
            .header(AUTHORIZATION, bearer)
            .header("ALG-API-VERSION", self.access.version.clone());
        let start = Instant::now();
        if window.is_some_and(|window| !window.is_open()) {
            return Err(ServiceError::NotSent("the server was held up before it"));
        }
        let answer = match request.send().await {
            Ok(answer) => {
                self.clock.note(answer.headers());
                read(answer, token, &self.access.accepted).await
            }
            Err(error) => Err(failure(&error)),
        };
        let answered = match &answer {
            Ok(_) => Answered::Yes,
            Err(ServiceError::NotAccepted { code, .. }) => {
                self.unaccepted.note(kind.word(), code);
                Answered::Unaccepted
            }
            Err(error) if error.leaves_doubt() || error.never_left() => Answered::No,
            Err(_) => Answered::Refused,
        };
        self.metrics.request(kind.word(), answered, start.elapsed());
        if let Err(ServiceError::Trouble {
            retry_after: Some(rest),
            ..
        }) = answer
        {
            match kind {
                Kind::Query => self.queries.rest(rest),
                Kind::LookUp => self.look_ups.rest(rest),
                Kind::Cancel => self.cancellations.begin(rest),
                // These requests leave only for a waiting caller, who gets the error.
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

    /// The address of these path segments under the base. Each stays one segment: `.`, `..` and
    /// empty ones are refused, all others are percent-encoded.
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
