//! Requests of staff for refunds.

use super::Staff;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::field::{Object, wrong};
use crate::http::body::json_body::JsonBody;
use crate::http::idempotency_header::idempotency_key;
use crate::http::problem::{Problem, ProblemKind};
use crate::payments::{RefundCommand, RefundItemCommand};
use crate::shared_query::Freshness;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use payment_model::{
    Amount, Fields, MerchantCode, Meta, RefundQueryResponse, RefundType, TransactionId,
};
use payment_rules::fingerprint::fingerprint;
use payment_rules::ledger::{ATTEMPT_ID, Asker};
use payment_rules::operation::OperationKey;
use serde_json::Value;
use staff_model::Permission;

/// The most refunds in one request.
const MOST: usize = 20;

/// `POST /api/staff/refund`.
pub(super) async fn refund(
    State(app): State<App>,
    staff: Staff,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    staff.must(Permission::Refund)?;
    let asker = asker(&staff, &headers)?;
    let (merchant_code, items) = read(&body, |code| staff.sees(code))?;
    let command = RefundCommand {
        asker,
        fingerprint: fingerprint(&format!("refund {body}")),
        items,
        merchant_code,
        limits: staff.account.limits(),
    };
    let payments = app.payments.clone();
    let work = async move { payments.refund(&command).await };
    let response = app.tasks.finish(work).await.ok_or(Failure::Internal)??;
    Ok(Json(response).into_response())
}

/// `GET /api/staff/refund/{merchant_code}/{merchant_operation_number}`.
pub(super) async fn refunds(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Response, Failure> {
    let Ok(Path((merchant_code, number))) = path else {
        return Err(Problem::not_found().into());
    };
    let key = OperationKey::new(merchant_code, number);
    let record = app.db.operation(&key).await?;
    let record = record.filter(|_| staff.sees(key.merchant_code.as_str()));
    let record = record.ok_or_else(Problem::not_found)?;
    // Without a transaction from the service there was never a refund.
    if record.transaction().is_none() {
        return Ok(Json(no_refunds(key)).into_response());
    }
    let age = app.config.timing.query_interval;
    let (payments, asked) = (app.payments.clone(), key.clone());
    let recent = Freshness::Recent {
        most: age,
        client: None,
    };
    let work = async move { payments.query_refunds(&asked, recent).await };
    match app.tasks.finish(work).await.ok_or(Failure::Internal)? {
        Ok(list) => Ok(Json(list.response()).into_response()),
        Err(error) => Err(Problem::from(error.into_unknown(&key)?).into()),
    }
}

fn no_refunds(key: OperationKey) -> RefundQueryResponse {
    RefundQueryResponse {
        success: true,
        merchant_code: key.merchant_code,
        operations_count: "0".to_owned(),
        operations: Vec::new(),
        meta: Meta::accepted(),
    }
}

/// The member of staff who asks, with the idempotency key.
pub(super) fn asker(staff: &Staff, headers: &HeaderMap) -> Result<Asker, Problem> {
    Ok(Asker {
        staff: staff.name().to_owned(),
        key: idempotency_key(headers)?,
    })
}

pub(super) fn foreign_merchant() -> Problem {
    let detail = "The field `merchant_code` must be one of those that this account sees.";
    Problem::new(ProblemKind::BadRequest, detail).with("field", "merchant_code")
}

/// Reads the body; its merchant code must be one that the account sees.
pub(super) fn read(
    body: &Value,
    sees: impl Fn(&str) -> bool,
) -> Result<(MerchantCode, Vec<RefundItemCommand>), Problem> {
    let root = Object::body(body)?;
    root.only(&["merchant_code", "operations"])?;
    let merchant_code = MerchantCode::new(root.text("merchant_code")?);
    if !sees(merchant_code.as_str()) {
        return Err(foreign_merchant());
    }
    let items = items(&root, &merchant_code)?;
    Ok((merchant_code, items))
}

fn items(
    root: &Object<'_>,
    merchant_code: &MerchantCode,
) -> Result<Vec<RefundItemCommand>, Problem> {
    let operations = root
        .get("operations")
        .and_then(Value::as_array)
        .filter(|items| (1..=MOST).contains(&items.len()))
        .ok_or_else(|| wrong("operations", "a list of 1 to 20 refunds"))?;
    operations
        .iter()
        .enumerate()
        .map(|(at, value)| item(&format!("operations[{at}]"), value, merchant_code))
        .collect()
}

fn item(
    path: &str,
    value: &Value,
    merchant_code: &MerchantCode,
) -> Result<RefundItemCommand, Problem> {
    let item = Object::at(value, path)?;
    item.only(&[
        "type",
        "merchant_operation_number",
        "transaction_id",
        "refund_amount",
        "additional_fields",
    ])?;
    let transaction_id = match item.get("transaction_id") {
        Some(_) => Some(TransactionId::new(item.text("transaction_id")?)),
        None => None,
    };
    let number = item.text("merchant_operation_number")?;
    Ok(RefundItemCommand {
        key: OperationKey::new(merchant_code.as_str(), number),
        transaction_id,
        kind: RefundType::from(item.text("type")?),
        amount: Amount::new(item.text("refund_amount")?).cents(),
        fields: additional_fields(path, &item)?,
    })
}

/// The fields that the service echoes for the merchant. One name is reserved for the server, which
/// identifies an attempt by it.
fn additional_fields(path: &str, item: &Object<'_>) -> Result<Fields, Problem> {
    let Some(value) = item.get("additional_fields") else {
        return Ok(Fields::new());
    };
    let path = format!("{path}.additional_fields");
    let fields = value.as_object().ok_or_else(|| wrong(&path, "an object"))?;
    if fields.contains_key(ATTEMPT_ID) {
        let field = format!("{path}.{ATTEMPT_ID}");
        let detail = format!("The field `{field}` is not allowed; the server sets it.");
        return Err(Problem::new(ProblemKind::FieldNotAllowed, detail).with("field", field));
    }
    Ok(fields.clone())
}
