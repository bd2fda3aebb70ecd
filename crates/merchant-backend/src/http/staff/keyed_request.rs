//! What requests for money have in common: an account asks under an idempotency key, for
//! operations that it sees.

use super::Staff;
use crate::http::Failure;
use crate::http::idempotency_header::idempotency_key;
use crate::http::problem::{Problem, ProblemKind};
use axum::http::HeaderMap;
use payment_rules::fingerprint::fingerprint;
use payment_rules::ledger::Asker;
use serde::Serialize;

/// The member of staff who asks, with the idempotency key.
pub(super) fn asker(staff: &Staff, headers: &HeaderMap) -> Result<Asker, Problem> {
    Ok(Asker {
        staff: staff.name().to_owned(),
        key: idempotency_key(headers)?,
    })
}

/// What distinguishes a repetition under a key from another request. It is made of what the server
/// read, so that neither the order of the fields nor a `null` for an absent one makes a difference.
pub(super) fn request_fingerprint(act: &str, body: &impl Serialize) -> Result<String, Failure> {
    // A `Value` has its fields in the order of their names.
    let body = serde_json::to_value(body).map_err(|_| Failure::Internal)?;
    Ok(fingerprint(&format!("{act} {body}")))
}

/// Demands that the account sees the operations under this merchant code.
pub(super) fn must_see(staff: &Staff, merchant_code: &str) -> Result<(), Problem> {
    if staff.sees(merchant_code) {
        return Ok(());
    }
    let detail = "The field `merchant_code` must be one of those that this account sees.";
    Err(Problem::new(ProblemKind::BadRequest, detail).with("field", "merchant_code"))
}
