//! The kinds of problems: the type, the status, what each usually says of the money, and the title.

use axum::http::StatusCode;
use payment_model::ProblemMoney;

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

            pub(super) fn money(self) -> ProblemMoney {
                match self {
                    $(Self::$kind => ProblemMoney::$money,)+
                }
            }

            pub(super) fn title(self) -> &'static str {
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
    /// The amount of a payment link is over a limit of the account; `left` has the largest amount that the account may ask for now.
    LinkRefused = "link-refused" CONFLICT NothingCharged "The payment link is over a limit",
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
