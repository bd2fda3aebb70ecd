//! Tests that this server reads the bodies that the staff's element writes, field by field.

use super::reason::only_reason;
use super::{exceptions, record_manual_return, refund, session};
use crate::http::problem::Problem;
use payment_model::{Amount, Cents, Fields, RefundItem, RefundRequest, RefundType, TransactionId};
use serde::Serialize;
use serde_json::{Value, json};
use staff_model::{
    EndReturn, ExceptionKind, RecordReturn, ReleaseAttempt, ReleaseOrder, ReleaseReversal,
    ResolveException, SearchQuery, SignIn,
};
use std::collections::BTreeSet;

const REASON: &str = "slip 7";

fn written(body: &impl Serialize) -> Value {
    serde_json::to_value(body).unwrap()
}

/// Reads a body with every field, and refuses the same body with an unknown field, in a problem
/// that names the fields of the body and no others.
fn check<T>(body: &Value, read: impl Fn(&Value) -> Result<T, Problem>) -> T {
    let known: BTreeSet<String> = body.as_object().unwrap().keys().cloned().collect();
    let mut odd = body.clone();
    odd["zzz"] = json!(1);
    let refusal = read(&odd).err().unwrap().body();
    let detail = refusal["detail"].as_str().unwrap();
    if let Some((_, rest)) = detail.split_once("only ") {
        let named = rest.trim_end_matches(" may be sent.").split(", ");
        assert_eq!(named.map(str::to_owned).collect::<BTreeSet<_>>(), known);
    } else {
        assert!(
            known
                .iter()
                .all(|name| detail.contains(&format!("`{name}`")))
        );
    }
    read(body).unwrap()
}

#[test]
fn a_reason_that_is_written_is_read() {
    let reason = || REASON.to_owned();
    for body in [
        written(&EndReturn { reason: reason() }),
        written(&ReleaseAttempt { reason: reason() }),
        written(&ReleaseOrder { reason: reason() }),
        written(&ReleaseReversal { reason: reason() }),
    ] {
        assert_eq!(check(&body, only_reason), REASON);
    }
}

#[test]
fn a_return_that_is_written_is_read() {
    let mut record = RecordReturn {
        merchant_code: "shop".to_owned(),
        merchant_operation_number: "1".to_owned(),
        amount: Cents::new(1_050),
        reason: REASON.to_owned(),
        already_made: true,
    };
    let read = |body: &Value| record_manual_return::read(body, |code| code == "shop");
    assert_eq!(check(&written(&record), read), record);
    record.already_made = false;
    assert_eq!(read(&written(&record)).unwrap(), record);
}

#[test]
fn a_resolution_that_is_written_is_read() {
    for kind in ExceptionKind::ALL {
        let resolution = ResolveException {
            merchant_code: "shop".to_owned(),
            merchant_operation_number: "1".to_owned(),
            kind: *kind,
            reason: REASON.to_owned(),
        };
        assert_eq!(check(&written(&resolution), exceptions::read), resolution);
    }
}

#[test]
fn a_refund_that_is_written_is_read() {
    let item = |transaction_id, additional_fields| RefundItem {
        kind: RefundType::Partial,
        merchant_operation_number: "1".into(),
        transaction_id,
        refund_amount: Amount::from(Cents::new(300)),
        additional_fields,
    };
    let fields: Fields = [("ticket".to_owned(), json!(7))].into_iter().collect();
    let whole = item(Some(TransactionId::new("t")), Some(fields.clone()));
    let request = |item| RefundRequest {
        merchant_code: "shop".into(),
        operations: vec![item],
    };
    let read = |body: &Value| refund::read(body, |code| code == "shop");
    let (code, items) = check(&written(&request(whole.clone())), read);
    assert_eq!((code.as_str(), items.len()), ("shop", 1));
    let of_item = |item: &Value| {
        let (_, mut items) = read(&json!({"merchant_code": "shop", "operations": [item]}))?;
        Ok::<_, Problem>(items.remove(0))
    };
    let mut whole = written(&whole);
    let odd = {
        let mut odd = whole.clone();
        odd["zzz"] = json!(1);
        of_item(&odd).err().unwrap().body()
    };
    let detail = odd["detail"].as_str().unwrap();
    for name in whole.as_object().unwrap().keys() {
        assert!(
            detail.contains(&format!("operations[0].{name}")),
            "{detail}"
        );
    }
    let item_read = of_item(&whole).unwrap();
    assert_eq!(item_read.key.number.as_str(), "1");
    assert_eq!(item_read.transaction_id, Some(TransactionId::new("t")));
    assert_eq!(item_read.amount, Some(300));
    assert_eq!(
        (item_read.kind, item_read.fields),
        (RefundType::Partial, fields)
    );
    // The element leaves both fields to the server.
    whole = written(&item(None, None));
    let item_read = of_item(&whole).unwrap();
    assert_eq!(
        (item_read.transaction_id, item_read.fields.len()),
        (None, 0)
    );
}

#[test]
fn a_sign_in_that_is_written_is_read() {
    let wanted = SignIn {
        name: "ana".to_owned(),
        password: "secret".to_owned(),
    };
    let read = check(&written(&wanted), |body| session::read(body.clone()));
    assert!(read == wanted);
}

#[test]
fn a_search_that_is_written_into_an_address_is_read() {
    let query = SearchQuery {
        q: "a b&c=%".to_owned(),
        state: "LIQUIDADO none".to_owned(),
        cursor: "x+/=".to_owned(),
        limit: "200".to_owned(),
        ..SearchQuery::default()
    };
    let address = staff_model::Address::search().with_query(&query.fields());
    let uri = address.path().parse().unwrap();
    let read = axum::extract::Query::<SearchQuery>::try_from_uri(&uri).unwrap();
    assert_eq!(read.0, query);
}
