//! One complete body of every request and response, in the specification's shape.

#[allow(dead_code, reason = "each test program uses a part")]
pub(crate) mod forms;

use serde_json::Value;

macro_rules! samples {
    ($($name:literal)+) => {
        /// Every sample with its name.
        pub(crate) const SAMPLES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!($name, ".json")))),+];
    };
}

samples! {
    "authorize_request_qr" "authorize_request_installment"
    "authorize_response_qr" "authorize_response_installment"
    "query_response_qr" "query_response_installment" "query_response_cashcode"
    "query_response_bank_transfer"
    "cancel_response" "refund_request" "refund_response" "refund_query_response"
}

/// The sample of this name.
pub(crate) fn sample(name: &str) -> Value {
    let found = SAMPLES.iter().find(|(known, _)| *known == name);
    found
        .and_then(|(_, json)| serde_json::from_str(json).ok())
        .unwrap_or_default()
}

/// Calls a macro with a sample's type, chosen by the sample's name.
#[macro_export]
macro_rules! with_type_of {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        match $name {
            name if name.starts_with("authorize_request") => {
                $function::<payment_model::AuthorizeRequest>($($argument),*)
            }
            name if name.starts_with("authorize_response") => {
                $function::<payment_model::AuthorizeResponse>($($argument),*)
            }
            name if name.starts_with("query") => {
                $function::<payment_model::QueryResponse>($($argument),*)
            }
            "cancel_response" => $function::<payment_model::CancelResponse>($($argument),*),
            "refund_request" => $function::<payment_model::RefundRequest>($($argument),*),
            "refund_response" => $function::<payment_model::RefundResponse>($($argument),*),
            _ => $function::<payment_model::RefundQueryResponse>($($argument),*),
        }
    };
}
