//! Every member of every answer, in every form that services and their proxies produce: what decides nothing
//! changes nothing, and what decides never proves an absence in a form that cannot be read.

mod support;

use payment_model::{
    AuthorizeResponse, CancelResponse, Operation, QueryResponse, Refund, RefundQueryResponse,
    RefundResponse, Timestamp, Transaction,
};
use serde_json::{Value, json};
use support::forms::{forms, members, put};
use support::{SAMPLES, sample};

/// The members that decide, by the end of their path. Each has its rule in `src/lenient.rs`.
const DECIDES: &[&str] = &[
    "success",
    "status.code",
    "meta",
    "meta.status",
    "merchant_code",
    "merchant_operation_number",
    "operation",
    "transaction",
    "transactions",
    "transaction_id",
    "amount",
    "currency",
    "state",
    "expiration_date",
    "expiration_date.unix_time",
    "expiration_date.utc_time",
    "operations",
    "operations_count",
    "refund_id",
    "refund_amount",
    "additional_fields.attempt_id",
];

/// What the rules decide by, in words.
trait Decides: Sized {
    fn decides(body: &Value) -> Option<Vec<String>>;
}

fn of_transaction(transaction: &Transaction) -> String {
    let deadline = transaction.expiration_date.as_ref();
    format!(
        "{} {} {} {:?} {:?} {:?}",
        transaction.transaction_id,
        transaction.amount,
        transaction.currency,
        transaction.state,
        transaction.outcome(),
        deadline
            .and_then(payment_model::DateObject::timestamp)
            .map(Timestamp::as_millis),
    )
}

fn of_operation(operation: &Operation) -> Vec<String> {
    let transactions = operation.transactions.iter().map(of_transaction);
    let own = format!(
        "{} {} {}",
        operation.merchant_operation_number, operation.amount, operation.currency
    );
    transactions.chain([own]).collect()
}

fn of_refund(refund: &Refund) -> String {
    let fields = refund.additional_fields.as_ref();
    format!(
        "{} {} {} {:?} {:?}",
        refund.refund_id,
        refund.refund_amount,
        refund.currency,
        refund.state,
        fields.and_then(|fields| fields.get("attempt_id")),
    )
}

macro_rules! decides {
    ($($answer:ty: |$it:ident| $facts:expr;)+) => {
        $(impl Decides for $answer {
            fn decides(body: &Value) -> Option<Vec<String>> {
                let $it: Self = serde_json::from_value(body.clone()).ok()?;
                let mut facts: Vec<String> = $facts;
                facts.push(format!("{} {} {}", $it.success, $it.meta.status.code, $it.merchant_code));
                Some(facts)
            }
        })+
    };
}

decides! {
    AuthorizeResponse: |it| vec![
        of_transaction(&it.transaction),
        it.merchant_operation_number.to_string(),
    ];
    QueryResponse: |it| of_operation(&it.operation);
    CancelResponse: |it| of_operation(&it.operation);
    RefundResponse: |it| it.operations.iter().map(of_refund).collect();
    RefundQueryResponse: |it| {
        let refunds = it.operations.iter().map(of_refund);
        refunds.chain([it.is_complete().to_string()]).collect()
    };
}

fn decision(name: &str, body: &Value) -> Option<Vec<String>> {
    match name {
        _ if name.starts_with("authorize") => AuthorizeResponse::decides(body),
        _ if name.starts_with("query") => QueryResponse::decides(body),
        "cancel_response" => CancelResponse::decides(body),
        "refund_response" => RefundResponse::decides(body),
        _ => RefundQueryResponse::decides(body),
    }
}

fn ends_with(path: &str, end: &str) -> bool {
    path == end
        || path
            .strip_suffix(end)
            .is_some_and(|rest| rest.ends_with('.'))
}

/// True for a member by which a rule decides. A few members have the name of one and no rule.
fn is_deciding(path: &str) -> bool {
    let of_refund = path.starts_with("operations.") && ends_with(path, "merchant_operation_number");
    let no_rule = [
        "method_details",
        "method_detail",
        "processor_response",
        "lifecycle",
        "created_at",
        "operation.state",
        "transaction_amount",
        "message_ilgn",
    ];
    let of_nothing = path.split('.').any(|part| no_rule.contains(&part))
        || path == "operation.state"
        || of_refund
        || path == "operations.transaction_id";
    !of_nothing && DECIDES.iter().any(|end| ends_with(path, end))
}

#[test]
fn members_that_decide_nothing_change_nothing_in_any_form() {
    let mut tried = 0;
    for (name, _) in SAMPLES.iter().filter(|(name, _)| name.contains("response")) {
        let body = sample(name);
        let whole = decision(name, &body);
        assert!(whole.is_some(), "{name}");
        let mut found = Vec::new();
        members(&body, "", "", &mut found);
        for (pointer, path) in found.iter().filter(|(_, path)| !is_deciding(path)) {
            for form in forms() {
                // These two have tests of their own.
                let is_history = path.contains("lifecycle") && !path.contains("date");
                let is_cancelled = is_history && *name == "cancel_response";
                if is_cancelled || path == "operations.additional_fields" {
                    continue;
                }
                let odd = put(&body, pointer, form.clone());
                assert_eq!(decision(name, &odd), whole, "{name} {pointer} {form:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn a_member_that_decides_is_never_read_from_another_form_as_if_it_had_not_changed() {
    for (name, _) in SAMPLES.iter().filter(|(name, _)| name.contains("response")) {
        let body = sample(name);
        let whole = decision(name, &body);
        let mut found = Vec::new();
        members(&body, "", "", &mut found);
        for (pointer, path) in found.iter().filter(|(_, path)| is_deciding(path)) {
            // One of the two forms of a date is enough, and a list of refunds is no answer about its number.
            if path.contains("expiration_date.") || path == "merchant_operation_number" {
                continue;
            }
            let before = body.pointer(pointer).unwrap();
            for form in forms() {
                // `success` is read as a text and as a boolean.
                let text = |value: &Value| value.to_string().trim_matches('"').to_owned();
                let same = text(form.as_ref().unwrap_or(&Value::Null)) == text(before);
                let is_date = path.ends_with("expiration_date") && before.is_null();
                if same || is_date {
                    continue;
                }
                let odd = put(&body, pointer, form.clone());
                assert_ne!(decision(name, &odd), whole, "{name} {pointer} {form:?}");
            }
        }
    }
}

#[test]
fn a_cancellation_whose_history_cannot_be_read_is_unreadable() {
    let body = sample("cancel_response");
    let pointer = "/operation/transactions/0/lifecycle";
    for form in forms() {
        let is_history = form
            .as_ref()
            .is_none_or(|form| *form == json!([]) || form.is_null());
        let odd = put(&body, pointer, form.clone());
        let read = serde_json::from_value::<CancelResponse>(odd).is_ok();
        assert_eq!(read, is_history, "{form:?}");
    }
    for entry in [
        json!({"state": ["AUTORIZADO"]}),
        json!({"state": null}),
        json!({}),
        json!("x"),
    ] {
        let odd = put(&body, pointer, Some(json!([entry])));
        assert!(
            serde_json::from_value::<CancelResponse>(odd).is_err(),
            "{entry}"
        );
    }
}

#[test]
fn a_list_is_complete_only_if_the_additional_fields_of_each_refund_can_be_read() {
    let body = sample("refund_query_response");
    for form in forms() {
        let is_readable = form
            .as_ref()
            .is_none_or(|form| form.is_null() || *form == json!([]) || form.is_object());
        let odd = put(&body, "/operations/0/additional_fields", form.clone());
        let list: RefundQueryResponse = serde_json::from_value(odd).unwrap();
        assert_eq!(list.is_complete(), is_readable, "{form:?}");
    }
}
