//! Staff refund payments, and see the refunds of an operation.

use super::{Staff, request_fingerprint};
use crate::http::app::App;
use crate::http::body::{ByName, JsonBody, Text, not_allowed, wrong};
use crate::http::operation_key;
use crate::http::problem::{Failure, Problem};
use crate::payments::{RefundCommand, RefundItemCommand};
use crate::single_flight::Freshness;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use payment_model::{
    Amount, Fields, MerchantCode, Meta, RefundQueryResponse, RefundType, TransactionId,
};
use payment_rules::ledger::ATTEMPT_ID_FIELD;
use payment_rules::operation::OperationKey;
use serde::{Deserialize, Serialize};
use staff_model::{AuditAction, Permission};

const MOST_REFUNDS_PER_REQUEST: usize = 20;

/// `POST /api/staff/refund`: refunds payments.
pub(super) async fn refund(
    State(app): State<App>,
    staff: Staff,
    headers: HeaderMap,
    JsonBody(body): JsonBody<RefundBody>,
) -> Result<Response, Failure> {
    let act = AuditAction::Refund;
    staff.must_now(&app, Permission::Refund, &act).await?;
    let requester = staff.requester(&headers)?;
    staff.must_see(&body.merchant_code)?;
    let command = RefundCommand {
        requester,
        fingerprint: request_fingerprint("refund", &body)?,
        merchant_code: MerchantCode::new(&*body.merchant_code),
        items: items(body)?,
        limits: staff.account.limits(),
    };
    let payments = app.payments.clone();
    let work = async move { payments.refund(&command).await };
    let response = app.finish(work).await??;
    Ok(Json(response).into_response())
}

/// `GET /api/staff/refund/{merchant_code}/{merchant_operation_number}`: the refunds of an operation.
pub(super) async fn refunds(
    State(app): State<App>,
    staff: Staff,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Response, Failure> {
    let key = operation_key(path)?;
    let record = staff.operation(&app, &key).await?;
    // An operation without a transaction never had a refund.
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
    match app.finish(work).await? {
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

/// The body, which is that of the service. [`payment_model::RefundRequest`] has the same fields, but
/// ignores unknown ones.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RefundBody {
    merchant_code: Text,
    operations: Vec<ByName<ItemBody>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemBody {
    #[serde(rename = "type")]
    kind: Text,
    merchant_operation_number: Text,
    transaction_id: Option<Text>,
    refund_amount: Text,
    /// The service returns them with the refund.
    additional_fields: Option<Fields>,
}

fn items(body: RefundBody) -> Result<Vec<RefundItemCommand>, Problem> {
    let RefundBody {
        merchant_code,
        operations,
    } = body;
    if !(1..=MOST_REFUNDS_PER_REQUEST).contains(&operations.len()) {
        return Err(wrong("operations", "a list of 1 to 20 refunds"));
    }
    let items = operations.into_iter().enumerate();
    items
        .map(|(at, ByName(item))| {
            let fields = item.additional_fields.unwrap_or_default();
            // The server identifies an attempt by it.
            if fields.contains_key(ATTEMPT_ID_FIELD) {
                let path = format!("operations[{at}].additional_fields.{ATTEMPT_ID_FIELD}");
                return Err(not_allowed(&path));
            }
            Ok(RefundItemCommand {
                key: OperationKey::new(&*merchant_code, &*item.merchant_operation_number),
                transaction_id: item.transaction_id.map(|id| TransactionId::new(&*id)),
                kind: RefundType::from(&*item.kind),
                amount: Amount::new(&*item.refund_amount).cents(),
                fields,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{RefundBody, items};
    use crate::http::staff::request_fingerprint;
    use payment_model::{
        Amount, Cents, Fields, RefundItem, RefundRequest, RefundType, TransactionId,
    };
    use payment_rules::fingerprint;
    use serde_json::{Value, json};

    fn written(transaction_id: Option<TransactionId>, additional_fields: Option<Fields>) -> Value {
        let item = RefundItem {
            kind: RefundType::Partial,
            merchant_operation_number: "1".into(),
            transaction_id,
            refund_amount: Amount::from(Cents::new(300)),
            additional_fields,
        };
        let request = RefundRequest {
            merchant_code: "shop".into(),
            operations: vec![item],
        };
        serde_json::to_value(&request).unwrap()
    }

    fn read(body: &Value) -> RefundBody {
        serde_json::from_value(body.clone()).unwrap()
    }

    #[test]
    fn a_refund_that_the_element_writes_is_read() {
        let fields: Fields = [("ticket".to_owned(), json!(7))].into_iter().collect();
        let whole = written(Some(TransactionId::new("t")), Some(fields.clone()));
        let item = items(read(&whole)).unwrap().remove(0);
        assert_eq!(item.key.merchant_code.as_str(), "shop");
        assert_eq!(item.key.number.as_str(), "1");
        assert_eq!(item.transaction_id, Some(TransactionId::new("t")));
        assert_eq!(item.amount, Some(300));
        assert_eq!((item.kind, item.fields), (RefundType::Partial, fields));
        // The element leaves both fields to the server.
        let item = items(read(&written(None, None))).unwrap().remove(0);
        assert_eq!((item.transaction_id, item.fields.len()), (None, 0));
    }

    #[test]
    fn a_repeated_request_has_its_fingerprint_however_it_is_written() {
        let body = written(None, None);
        let of = |body: &Value| request_fingerprint("refund", &read(body)).unwrap();
        // Stored keys have fingerprints of this form.
        assert_eq!(of(&body), fingerprint(&format!("refund {body}")));
        let mut absent = body.clone();
        let item = absent["operations"][0].as_object_mut().unwrap();
        item.retain(|_, value| !value.is_null());
        assert_ne!(absent, body);
        assert_eq!(of(&absent), of(&body));
        absent["operations"][0]["refund_amount"] = json!("301");
        assert_ne!(of(&absent), of(&body));
    }
}
