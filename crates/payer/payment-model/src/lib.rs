//! The resources, requests and responses of the payment service as Rust types.
//!
//! Parsing of answers is tolerant wherever the service's specification allows several forms: `success`
//! as text or boolean, `method_detail` or `method_details`, whole or decimal `unix_time`, `utc_time`
//! with and without a suffix, null and absent fields, unknown fields, states and methods. Parsing of a
//! merchant's requests is strict. The crate does no input or output, and compiles natively and to wasm.
//!
//! ```
//! use payment_model::{Outcome, QueryResponse};
//!
//! let answer = r#"{
//!     "success": true,
//!     "merchant_code": "100000001",
//!     "operation": {
//!         "merchant_operation_number": "250207000001", "state": "AUTORIZADO",
//!         "amount": "387000", "currency": "604",
//!         "transactions": [{
//!             "transaction_id": "7af1c6a2", "channel": "ecommerce",
//!             "state": "AUTORIZADO", "state_reason": "Pagado",
//!             "amount": "387000", "currency": "604",
//!             "payment_method": { "method_name": "QR" }, "lifecycle": []
//!         }]
//!     },
//!     "meta": null
//! }"#;
//! let answer: QueryResponse = serde_json::from_str(answer)?;
//! let transaction = answer.operation.transaction(&"7af1c6a2".into());
//! assert_eq!(transaction.and_then(|t| t.outcome()), Some(Outcome::Paid));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! With the default feature `open-fields`, the types keep all unknown fields of an answer, so that it
//! can be passed on. Without it, as in a payer's page, only the unknown fields that are texts are kept,
//! which makes the wasm smaller.
//!
//! The feature `typescript` is for the example of that name, which prints the types as TypeScript
//! declarations.
//!
//! | Specification | Here |
//! |---|---|
//! | Shared objects | [`DateObject`], [`Meta`], [`Person`] |
//! | Operation, Transaction | [`Operation`], [`Transaction`], [`ProcessorResponse`] |
//! | Refund operation | [`Refund`] |
//! | States and transitions | [`TransactionState`], [`RefundState`], [`Outcome`] |
//! | `POST /charges` | [`AuthorizeRequest`], [`AuthorizeResponse`] |
//! | `GET /charges/…` | [`QueryResponse`] |
//! | `DELETE /charges/…` | [`CancelResponse`] |
//! | `POST /refund` | [`RefundRequest`], [`RefundResponse`] |
//! | `GET /refund/…` | [`RefundQueryResponse`] |

mod authorize_method;
mod calendar;
mod charge;
mod currency_table;
mod date;
mod id;
mod lenient;
mod method;
mod money;
mod offer;
#[cfg(not(feature = "open-fields"))]
mod open_fields;
mod problem_money;
mod processor;
mod refund;
mod shared_objects;
mod state;
mod this_machine;
mod time;
mod url_template;
mod words;

pub use authorize_method::{AuthorizeMethod, WrongMethodDetails};
pub use charge::{
    AuthorizeRequest, AuthorizeResponse, CancelResponse, LifecycleEntry, Operation, PaymentDetails,
    QueryResponse, Transaction,
};
pub use date::DateObject;
pub use id::{
    IdempotencyKey, MerchantCode, MerchantOperationNumber, RefundId, TransactionId,
    WrongIdempotencyKey,
};
pub use method::{MethodDetails, PaymentMethod, PaymentMethodName};
pub use money::{Amount, Cents, Currency, IsoCurrency, Money};
pub use offer::{NotOffered, NotOfferedReason, Offer};
pub use problem_money::ProblemMoney;
pub use processor::{
    BankTransferResponse, CashCodeResponse, InstallmentResponse, ProcessorResponse, QrResponse,
    ResultMessage,
};
pub use refund::{
    Refund, RefundItem, RefundLifecycleEntry, RefundMethod, RefundQueryResponse, RefundRefusal,
    RefundRequest, RefundResponse, RefundState, RefundType, check_refund, remaining_refundable,
};
pub use shared_objects::{LocalizedMessage, Location, Meta, Person, Phone, Status};
pub use state::{Outcome, TransactionState};
pub use this_machine::names_this_machine;
pub use time::{Timestamp, UnixTime};
pub use url_template::{filled_url, percent_encoded};
pub use words::{AuthorizeAction, Channel, RefundAction};

/// The value of the header `ALG-API-VERSION` in the specification (Versioning, 1).
pub const API_VERSION: &str = "1709847567";

/// A JSON object with keys that the specification leaves open, such as `additional_fields`.
pub type Fields = serde_json::Map<String, serde_json::Value>;

/// A [`Fields`] object in the answers about a charge. Without the feature `open-fields` it is a smaller
/// type that keeps only texts.
#[cfg(feature = "open-fields")]
pub type OpenFields = Fields;

/// A JSON value in the answers about a charge whose form the specification leaves open. Without the
/// feature `open-fields` it is a smaller type that keeps only texts.
#[cfg(feature = "open-fields")]
pub type OpenValue = serde_json::Value;

#[cfg(not(feature = "open-fields"))]
pub use open_fields::{OpenFields, OpenValue};
