use super::Staff;
use super::reason::reason;
use super::refund::{asker, foreign_merchant};
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::field::{Object, wrong};
use crate::http::body::json_body::JsonBody;
use crate::http::problem::Problem;
use crate::payments::RecordReturnCommand;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::response::Response;
use payment_model::Cents;
use payment_rules::fingerprint::fingerprint;
use payment_rules::operation::OperationKey;
use payment_rules::order::LARGEST_AMOUNT;
use serde_json::Value;
use staff_model::{Permission, RecordReturn};

/// `POST /api/staff/returns`: money that staff are about to give back where the service cannot, or
/// gave back already.
pub(super) async fn record(
    State(app): State<App>,
    staff: Staff,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    staff.must(Permission::Refund)?;
    let asker = asker(&staff, &headers)?;
    let record = read(&body, |code| staff.sees(code))?;
    let command = RecordReturnCommand {
        key: OperationKey::new(record.merchant_code, record.merchant_operation_number),
        amount: record.amount.get(),
        reason: record.reason,
        asker,
        fingerprint: fingerprint(&format!("return {body}")),
        limits: staff.account.limits(),
        already_made: record.already_made,
    };
    let payments = app.payments.clone();
    let work = async move { payments.record_return(&command).await };
    let returned = app.tasks.finish(work).await.ok_or(Failure::Internal)??;
    Ok((StatusCode::CREATED, Json(returned)).into_response())
}

/// Reads the body; its merchant code must be one that the account sees.
pub(super) fn read(body: &Value, sees: impl Fn(&str) -> bool) -> Result<RecordReturn, Problem> {
    let root = Object::body(body)?;
    root.only(&[
        "merchant_code",
        "merchant_operation_number",
        "amount",
        "reason",
        "already_made",
    ])?;
    let merchant_code = root.text("merchant_code")?;
    if !sees(merchant_code) {
        return Err(foreign_merchant());
    }
    let amount = root.get("amount").and_then(Value::as_u64);
    let amount = amount.filter(|amount| *amount <= LARGEST_AMOUNT);
    Ok(RecordReturn {
        merchant_code: merchant_code.to_owned(),
        merchant_operation_number: root.text("merchant_operation_number")?.to_owned(),
        amount: Cents::new(amount.ok_or_else(|| wrong("amount", "a whole number of cents"))?),
        reason: reason(&root)?,
        already_made: already_made(&root)?,
    })
}

fn already_made(root: &Object<'_>) -> Result<bool, Problem> {
    match root.get("already_made") {
        None => Ok(false),
        Some(value) => value
            .as_bool()
            .ok_or_else(|| wrong("already_made", "true or false")),
    }
}
