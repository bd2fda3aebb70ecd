//! The events of `<payment-checkout>`, and their details as they are serialized. The first paragraph of a field's
//! comment is its text in the guides.

use crate::item::Event;
use payment_model::{
    Amount, Currency, MerchantCode, MerchantOperationNumber, Outcome, PaymentMethodName,
    TransactionId, TransactionState,
};
use serde::Serialize;

/// The events, in the order of the guides.
pub(crate) const EVENTS: &[Event] = &[
    Event {
        name: "checkout-ready",
        typescript: "CustomEvent<null>",
        when: "the element works; again for another checkout",
        about_detail: "`null`",
    },
    Event {
        name: "checkout-start",
        typescript: "CheckoutStartEvent",
        when: "before each new attempt to pay, never before a repetition of one. `preventDefault()` prevents it, \
               `waitUntil(promise)` delays it: see [The order at the press](#the-order-at-the-press)",
        about_detail: "`method`",
    },
    Event {
        name: "checkout-choose",
        typescript: "CustomEvent<ChooseDetail>",
        when: "with `hide-choice`: the payer is back where the choice would be",
        about_detail: "`method`: that of the last attempt, or `null`. `reason`: why it is [not \
                       offered](#methods-that-are-not-offered), in words for the payer, or `null`",
    },
    Event {
        name: "checkout-pending",
        typescript: "CustomEvent<StatusDetail>",
        when: "an operation waits for the payer; once an operation, and again after the element was put back",
        about_detail: "[an operation](#an-operation)",
    },
    Event {
        name: "checkout-redirect",
        typescript: "CustomEvent<RedirectDetail>",
        when: "before the page goes to another site, or to `paid-url`. `preventDefault()` keeps the payer here, with a link on the screen",
        about_detail: "`url`: https, and one of `redirect-hosts` where these are set; or `paid-url`",
    },
    Event {
        name: "checkout-status",
        typescript: "CustomEvent<StatusDetail>",
        when: "your server answered a state that is no end: the first one, and each change. An end is only a \
               `checkout-result`",
        about_detail: "[an operation](#an-operation)",
    },
    Event {
        name: "checkout-result",
        typescript: "CustomEvent<ResultDetail>",
        when: "your server answered how it ended; once an operation, outcome and page",
        about_detail: "an operation, and [its result](#a-result)",
    },
    Event {
        name: "checkout-state",
        typescript: "CustomEvent<StateDetail>",
        when: "the payer sees another screen; every `state` has it",
        about_detail: "`state` and `previous`",
    },
    Event {
        name: "checkout-action",
        typescript: "CustomEvent<ActionDetail>",
        when: "the payer decided something, for your analytics; a press without an effect is none",
        about_detail: "`action` and `method` (or `null`): see [Actions](#actions)",
    },
    Event {
        name: "checkout-error",
        typescript: "CustomEvent<ErrorDetail>",
        when: "something is wrong. It may be older than your listener, so look at `state` too",
        about_detail: "see [Errors](#errors)",
    },
];

/// Declares details that begin with the facts of an operation. A field that is flattened takes more code than these.
macro_rules! operation_details {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident { $($(#[doc = $about:literal])+ $field:ident: $kind:ty,)* }
    )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Serialize)]
            #[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
            #[serde(rename_all = "camelCase")]
            pub struct $name<'a> {
                /// your code at the payment service
                pub merchant_code: &'a MerchantCode,
                /// the number of the attempt, which payers see; text, and leading zeros count
                pub merchant_operation_number: &'a MerchantOperationNumber,
                /// the service's id of the transaction, or `null` until the service named one
                pub transaction_id: Option<&'a TransactionId>,
                /// as in `methods`
                pub method: &'a PaymentMethodName,
                /// the service's word: `REGISTRADO`, `PENDIENTE`, `AUTORIZADO`, `LIQUIDADO`, `DENEGADO`, `INVALIDO`,
                /// `CANCELADO`, `EXPIRADO`, `EXTORNADO`, or a new one
                pub state: &'a TransactionState,
                /// text, as the service answered: whole cents
                pub amount: &'a Amount,
                /// ISO 4217, letters or digits, as the service answered
                pub currency: &'a Currency,
                $($(#[doc = $about])+ pub $field: $kind,)*
            }
        )+
    };
}

operation_details! {
    /// An operation, as in the merchant's server's last answer.
    StatusDetail {}

    /// How an operation ended, on the server's word.
    ResultDetail {
        /// `paid`, `declined`, `invalid` (the service could not use it), `cancelled`, `expired` or `reversed` (paid and
        /// given back)
        outcome: Outcome,
        /// the outcome that this one corrects, or `null`. Unpaid becomes paid when a late payment arrives, paid becomes
        /// reversed, reversed becomes paid where your server says that this operation pays the order (`order-paid`), and
        /// nothing else changes
        previous: Option<Outcome>,
        /// the numbers of other operations of the order that this page knows
        superseded: &'a [MerchantOperationNumber],
        /// whether it had ended before this page saw it wait, as after a reload
        resumed: bool,
        /// whether another operation of the order is paid too, so that one payment has to be given back
        paid_twice: bool,
    }
}

/// The attempt that is about to begin. The element's script dispatches it.
#[cfg(feature = "typescript")]
#[derive(Debug, Serialize, tsify::Tsify)]
pub struct StartDetail {
    /// its method
    #[cfg_attr(feature = "typescript", tsify(type = "OfferedMethod"))]
    pub method: PaymentMethodName,
}

/// Where the payer is.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ChooseDetail<'a> {
    /// the method of the last attempt, or `null`
    #[cfg_attr(feature = "typescript", tsify(type = "OfferedMethod | null"))]
    pub method: Option<&'a PaymentMethodName>,
    /// why it is not offered for this order, in words for the payer, or `null`
    pub reason: Option<&'a str>,
}

/// Where the payer is about to be led.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct RedirectDetail<'a> {
    /// the address: https, and one of `redirect-hosts` where these are set; or `paid-url`
    pub url: &'a str,
}

/// What the payer decided.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ActionDetail<'a> {
    /// what the payer did
    #[cfg_attr(feature = "typescript", tsify(type = "CheckoutAction"))]
    pub action: &'static str,
    /// the method that it is about, or `null`
    pub method: Option<&'a PaymentMethodName>,
}

/// What is wrong.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetail<'a> {
    /// one of the codes below
    #[cfg_attr(feature = "typescript", tsify(type = "CheckoutErrorCode"))]
    pub code: &'static str,
    /// whether trying again makes sense
    pub retryable: bool,
    /// a sentence for your log, as in `refused: POST /api/charges answered 404`; for an answer that breaks the contract
    /// it names the field: `server: POST /api/charges answered 200: the field transaction.amount breaks the contract`.
    /// Payers never see it
    pub message: &'a str,
    /// the HTTP status of the answer, or `null`
    pub status: Option<u16>,
    /// the `type` of the problem in it ([server.md](server.md#problems)), or `null`
    pub problem: Option<&'a str>,
    /// its `X-Request-Id`, by which your server's log knows the request, or `null`
    pub request_id: Option<&'a str>,
}

/// The screen that the payer sees. The element's script dispatches it.
#[cfg(feature = "typescript")]
#[derive(Debug, Serialize, tsify::Tsify)]
pub struct StateDetail {
    /// the present screen
    #[tsify(type = "CheckoutState")]
    pub state: &'static str,
    /// the one before
    #[tsify(type = "CheckoutState")]
    pub previous: &'static str,
}
