//! Refusals as `application/problem+json` (RFC 9457) with a stable `type`, and failures whose cause is
//! only logged.

use crate::db::DbError;
use crate::orders::RegisterError;
use crate::random::NoRandomness;
use crate::trace;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_model::{Fields, ProblemMoney};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Declares the closed list of problems: the last part of the type, the status, what is usually known of the money, and
/// the title.
macro_rules! problems {
    ($($(#[$doc:meta])* $kind:ident = $word:literal $status:ident $money:ident $title:literal,)+) => {
        /// The kind of a problem, from a closed list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum ProblemKind {
            $($(#[$doc])* $kind,)+
        }

        impl ProblemKind {
            #[cfg(test)]
            pub(crate) const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The `type` of the problem.
            pub(crate) fn uri(self) -> &'static str {
                match self {
                    $(Self::$kind => concat!("urn:payment-checkout:problem:", $word),)+
                }
            }

            pub(crate) fn status(self) -> StatusCode {
                match self {
                    $(Self::$kind => StatusCode::$status,)+
                }
            }

            fn money(self) -> ProblemMoney {
                match self {
                    $(Self::$kind => ProblemMoney::$money,)+
                }
            }

            fn title(self) -> &'static str {
                match self {
                    $(Self::$kind => $title,)+
                }
            }
        }
    };
}

problems! {
    /// The body or a header cannot be read.
    BadRequest = "bad-request" BAD_REQUEST NothingCharged "The request cannot be read",
    /// A field that the browser must not set.
    FieldNotAllowed = "field-not-allowed" BAD_REQUEST NothingCharged "A field is not allowed here",
    /// The `redirect_url` is missing or not permitted.
    RedirectNotAllowed = "redirect-url-not-allowed" BAD_REQUEST NothingCharged "The redirect URL is not allowed",
    /// The idempotency key is missing or malformed.
    IdempotencyKey = "idempotency-key-required" BAD_REQUEST NothingCharged "A usable idempotency key is required",
    /// No member of staff is signed in.
    SignInRequired = "sign-in-required" UNAUTHORIZED NothingCharged "Somebody has to sign in",
    /// The name or the password is wrong.
    SignInRefused = "sign-in-refused" UNAUTHORIZED NothingCharged "The sign-in was refused",
    /// The request has no API key that is in force.
    ApiKeyRequired = "api-key-required" UNAUTHORIZED NothingCharged "An API key is required",
    /// The API key may not do this; `permission` has the permission that it lacks.
    ApiKeyPermission = "api-key-permission" FORBIDDEN NothingCharged "The API key has no permission for this",
    /// The account may not do this.
    PermissionRequired = "permission-required" FORBIDDEN NothingCharged "The account has no permission for this",
    /// The sign-in, or an act with money, needs a code of the second factor.
    SecondFactorRequired = "second-factor-required" FORBIDDEN NothingCharged "A code of the second factor is required",
    /// A code is wrong, was used before or has expired.
    SecondFactorRefused = "second-factor-refused" FORBIDDEN NothingCharged "The code was refused",
    /// The account may only look until it is enrolled.
    SecondFactorMissing = "second-factor-missing" FORBIDDEN NothingCharged "The account has no second factor",
    /// A page of another site sent the request.
    CrossSite = "cross-site-request" FORBIDDEN NothingCharged "The request came from another site",
    /// The thing does not exist, or belongs to another session or account.
    NotFound = "not-found" NOT_FOUND NothingCharged "Not found",
    MethodNotAllowed = "method-not-allowed" METHOD_NOT_ALLOWED NothingCharged "The method is not allowed here",
    BodyTimeout = "body-timeout" REQUEST_TIMEOUT NothingCharged "The body came too slowly",
    /// At least one refund breaks a rule, so that none was sent; `errors` has each such refund.
    RefundRefused = "refund-refused" BAD_REQUEST NothingCharged "The refund is not possible",
    /// A return of money cannot be recorded; `reason` has the cause.
    ReturnRefused = "return-refused" BAD_REQUEST NothingCharged "The return cannot be recorded",
    /// The member of staff who asked for a refund cannot release it.
    SecondPerson = "second-person-required" FORBIDDEN NothingCharged "A second person is required",
    /// Only an unknown outcome can be released.
    NotInDoubt = "not-in-doubt" CONFLICT NothingCharged "There is no doubt to release",
    /// The order is paid already; carries the numbers of the operation that paid the order.
    OrderPaid = "order-paid" CONFLICT MayBePaid "The order is paid",
    /// The order has a live operation of another method, which the request does not name; carries
    /// its numbers and its method.
    OperationLive = "operation-live" CONFLICT MayBePaid "The order has another code that can be paid",
    /// It is unknown how the first code of an order ended, so that there is no new code; carries the
    /// numbers of the first.
    OperationUnconfirmed = "operation-unconfirmed" CONFLICT MayBePaid "The first operation is still being confirmed",
    /// The server was restored from a backup, and the order may have been paid since; only the shop can tell.
    OrderMayBePaid = "order-may-be-paid" CONFLICT MayBePaid "The order may be paid already",
    /// The first code was paid late and the payment was given back; carries the numbers of the first.
    PaymentReversed = "payment-reversed" CONFLICT NothingCharged "A late payment was given back",
    /// The shop's token permits no payment; `reason` has the cause.
    OrderTokenRefused = "order-token-refused" FORBIDDEN NothingCharged "The signed order is refused",
    /// An operation was made with another price of the order, or an order of this id has other facts.
    OrderChanged = "order-changed" UNPROCESSABLE_ENTITY MayBePaid "The order has other facts",
    /// The shop's answer about the order is wrong.
    ShopAnswer = "shop-answer" BAD_GATEWAY NothingCharged "The shop's answer cannot be used",
    /// The shop does not answer; the client repeats the request with the same key.
    ShopUnavailable = "shop-unavailable" SERVICE_UNAVAILABLE NothingCharged "The shop does not answer",
    /// Events after the cursor were removed.
    CursorTooOld = "cursor-too-old" GONE NothingCharged "The list does not reach from this cursor on",
    /// No payment of the order is in force.
    OrderNotPaid = "order-not-paid" CONFLICT NothingCharged "The order is not paid",
    /// Several payments of the order are in force, and the request names none.
    SeveralPayments = "several-payments" CONFLICT NothingCharged "The order has several payments",
    /// More is asked for than can still be given back; `left` has the rest.
    MoreThanIsLeft = "more-than-is-left" CONFLICT NothingCharged "Less is left than is asked for",
    /// It is unknown whether the payment is being given back already.
    RefundUnconfirmed = "refund-unconfirmed" CONFLICT Unknown "An earlier request is not confirmed",
    /// Only staff can give the money back; `reason` says why.
    ReturnByHand = "return-by-hand" CONFLICT NothingCharged "Staff have to give the money back",
    /// The operation blocks no payer of its order.
    NotBlocked = "not-blocked" CONFLICT NothingCharged "The operation does not block its order",
    /// The same attempt is still running; the client repeats the request with the same key.
    RequestRunning = "request-running" CONFLICT Unknown "The request is still running",
    /// The operation is paid, and the request was for a cancellation only.
    OperationPaid = "operation-paid" CONFLICT MayBePaid "The operation is paid",
    /// The payment is settled and cannot be reversed any more.
    OperationSettled = "operation-settled" CONFLICT NothingCharged "The payment is settled",
    /// A part of the payment was given back or may be, or the account may not give back so much;
    /// `reason` says which.
    ReversalRefused = "reversal-refused" CONFLICT NothingCharged "The payment cannot be reversed",
    /// A return that was made or given up cannot change.
    ReturnEnded = "return-ended" CONFLICT NothingCharged "The return has ended",
    /// The service cannot be queried about the operation.
    NoTransaction = "no-transaction" CONFLICT NothingCharged "The operation has no transaction",
    /// The exception cannot be resolved by hand.
    NotResolvable = "not-resolvable" CONFLICT NothingCharged "The exception cannot be resolved by hand",
    /// It is unknown whether a cancellation would reverse a payment.
    CannotCancelNow = "cannot-cancel-now" CONFLICT MayBePaid "The operation cannot be cancelled now",
    BodyTooLarge = "body-too-large" PAYLOAD_TOO_LARGE NothingCharged "The body is too large",
    MediaType = "unsupported-media-type" UNSUPPORTED_MEDIA_TYPE NothingCharged "The body must be JSON",
    /// The merchant does not offer the method.
    MethodNotOffered = "method-not-offered" UNPROCESSABLE_ENTITY NothingCharged "The payment method is not offered",
    /// The QR of the payment service is not for the order, or could not be read; `messages` say so to the payer.
    CodeRefused = "code-refused" UNPROCESSABLE_ENTITY NothingCharged "The code is not for the order",
    /// The shop closed the order; `messages` say so to the payer.
    OrderClosed = "order-closed" UNPROCESSABLE_ENTITY NothingCharged "The order is closed",
    /// The order was tried too often.
    TooManyOperations = "too-many-operations" UNPROCESSABLE_ENTITY NothingCharged "The order has too many operations",
    /// The key was used with another body.
    KeyReused = "idempotency-key-reused" UNPROCESSABLE_ENTITY NothingCharged "The idempotency key belongs to another request",
    /// The payment service refused the authorization.
    AuthorizationRefused = "authorization-refused" UNPROCESSABLE_ENTITY Unknown "The payment service refused the authorization",
    /// The payment service refused a request of staff; `messages` has its messages.
    ServiceRefused = "payment-service-refused" UNPROCESSABLE_ENTITY NothingCharged "The payment service refused",
    TooManyRequests = "too-many-requests" TOO_MANY_REQUESTS NothingCharged "Too many requests",
    Internal = "internal" INTERNAL_SERVER_ERROR Unknown "The server failed",
    NotReady = "not-ready" SERVICE_UNAVAILABLE Unknown "The server is not ready",
    /// The payment service gave no usable answer; the client repeats the request with the same key.
    ServiceUnavailable = "payment-service-unavailable" SERVICE_UNAVAILABLE Unknown "The payment service is not available",
    /// The earlier refunds are unknown now, so that nothing was sent.
    RefundsUnknown = "refunds-unknown" SERVICE_UNAVAILABLE NothingCharged "The refunds are not known now",
    /// The payment service does not accept this server's access token.
    ServiceToken = "payment-service-token" SERVICE_UNAVAILABLE Unknown "The payment service does not let this server in",
    /// The cancellation was sent and not confirmed.
    CancelUnconfirmed = "cancel-unconfirmed" GATEWAY_TIMEOUT Unknown "The cancellation is not confirmed",
}

/// An answer that names the error and the remedy.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    kind: ProblemKind,
    detail: Cow<'static, str>,
    money: ProblemMoney,
    retry_after: Option<Duration>,
    members: Fields,
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            money: kind.money(),
            retry_after: None,
            members: Fields::new(),
        }
    }

    /// The problem of an address that leads nowhere.
    pub(super) fn nothing_here() -> Self {
        Self::new(ProblemKind::NotFound, "There is nothing at this address.")
    }

    /// The problem of a method that an address does not have; the header `Allow` lists those that it has.
    pub(super) fn wrong_method() -> Self {
        let detail = "Use a method that the header Allow lists.";
        Self::new(ProblemKind::MethodNotAllowed, detail)
    }

    /// The problem of a request that cannot be read. The detail says what to send instead.
    pub fn bad_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ProblemKind::BadRequest, detail)
    }

    /// The answer for a thing that is unknown, or belongs to another session or account.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(
            ProblemKind::NotFound,
            "There is nothing here for this session.",
        )
    }

    /// The answer to a payer whose order or operation is not known. A server that was restored from a backup may lack
    /// one that is paid.
    pub(super) fn not_known() -> Self {
        Self::not_found().money(ProblemMoney::Unknown)
    }

    /// True for a problem of this kind.
    pub(crate) fn is(&self, kind: ProblemKind) -> bool {
        self.kind == kind
    }

    /// Says what is known of the money, where that is not what problems of this kind usually say.
    pub(crate) fn money(mut self, money: ProblemMoney) -> Self {
        self.money = money;
        self
    }

    /// Adds how long to wait before a repetition.
    pub(crate) fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Adds a member to the body.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the members that problems of its kind have.
    pub(crate) fn carrying(mut self, members: &impl Serialize) -> Self {
        if let Ok(Value::Object(members)) = serde_json::to_value(members) {
            self.members.extend(members);
        }
        self
    }

    /// The last part of the `type`.
    pub(crate) fn word(&self) -> &'static str {
        self.kind.uri().rsplit(':').next().unwrap_or_default()
    }

    /// The JSON body.
    pub(crate) fn body(&self) -> Value {
        let mut body = Fields::new();
        body.insert("type".to_owned(), self.kind.uri().into());
        body.insert("title".to_owned(), self.kind.title().into());
        body.insert("status".to_owned(), self.kind.status().as_u16().into());
        body.insert("detail".to_owned(), self.detail.as_ref().into());
        body.insert("money".to_owned(), self.money.as_str().into());
        body.extend(trace::current().map(|trace| ("trace_id".to_owned(), trace.id().into())));
        body.extend(self.members.clone());
        Value::Object(body)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.body().to_string();
        let mut response = (self.kind.status(), body).into_response();
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/problem+json");
        headers.insert(CONTENT_TYPE, json);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.kind == ProblemKind::ApiKeyRequired {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait) = self.retry_after {
            // Rounded up to whole seconds: a client that asks too early is refused again.
            let seconds = wait.as_millis().div_ceil(1000).max(1);
            let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

const DATABASE_RETRY_AFTER: Duration = Duration::from_secs(2);

/// The shortest time between two messages in the log that the database is away.
const DATABASE_LOG_INTERVAL: Duration = Duration::from_secs(10);

/// The failure of a handler: a problem for the browser, or a failure whose cause goes only to the
/// log.
#[derive(Debug)]
pub enum Failure {
    /// The request cannot be answered; the problem says why.
    Problem(Problem),
    /// The server failed.
    Internal,
    /// The database does not answer, or cannot do it now.
    DatabaseAway,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<DbError> for Failure {
    fn from(error: DbError) -> Self {
        if error == DbError::Changing {
            tracing::error!(%error, "a request failed");
            let detail = "The payment changes at this moment; nothing is known to be lost. Repeat the request.";
            let problem = Problem::new(ProblemKind::NotReady, detail);
            return Self::Problem(problem.retry_after(DATABASE_RETRY_AFTER));
        }
        if let DbError::Later(_) = &error {
            tracing::error!(alert = true, %error, "this server cannot change a payment");
            let detail = "A server of a later version takes care of this payment; nothing is known to be lost. Repeat the request.";
            let problem = Problem::new(ProblemKind::NotReady, detail);
            return Self::Problem(problem.retry_after(DATABASE_RETRY_AFTER));
        }
        if error.is_away() {
            log_database_away(&error);
            return Self::DatabaseAway;
        }
        tracing::error!(%error, "a request failed");
        Self::Internal
    }
}

impl From<RegisterError> for Failure {
    fn from(error: RegisterError) -> Self {
        if let RegisterError::DatabaseAway(_) = &error {
            log_database_away(&error);
            return Self::DatabaseAway;
        }
        tracing::error!(%error, "an order was not registered");
        Self::Internal
    }
}

impl From<NoRandomness> for Failure {
    fn from(error: NoRandomness) -> Self {
        tracing::error!(%error, "a request failed");
        Self::Internal
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Problem(problem) => problem.into_response(),
            Self::Internal => internal(),
            Self::DatabaseAway => {
                let detail = "The database does not answer now; nothing is known to be lost. Repeat the request.";
                Problem::new(ProblemKind::NotReady, detail)
                    .retry_after(DATABASE_RETRY_AFTER)
                    .into_response()
            }
        }
    }
}

fn log_database_away(error: &impl Display) {
    static LOGGED_AT: Mutex<Option<Instant>> = Mutex::new(None);
    let mut logged_at = LOGGED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    if logged_at.is_none_or(|at| at.elapsed() >= DATABASE_LOG_INTERVAL) {
        *logged_at = Some(Instant::now());
        tracing::error!(%error, "requests fail, since the database cannot carry them out now");
    }
}

/// The answer after a failure of the server.
pub(super) fn internal() -> Response {
    let detail = "Something broke on the server; nothing is known to be lost. Repeat the request.";
    Problem::new(ProblemKind::Internal, detail)
        .retry_after(Duration::from_secs(1))
        .into_response()
}

#[cfg(test)]
mod tests;
