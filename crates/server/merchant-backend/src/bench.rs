//! Fills a database with a year's operations of a shop, for measurements that depend on their
//! number. Behind the feature `bench`; no server has it.

use crate::clock::now;
use crate::database_address::DatabaseAddress;
use crate::db::{Db, DbError};
use payment_model::{Operation, PaymentMethodName, Person, Timestamp};
use payment_rules::fingerprint;
use payment_rules::operation::{Difference, OperationKey, OperationRecord, Phase};
use payment_rules::order::{OrderFacts, OrderState};
use serde_json::json;
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);
const YEAR: Duration = Duration::from_hours(365 * 24);
/// A payment's time from its start to its end.
const PAID_AFTER: Duration = Duration::from_secs(90);
/// How many operations are written in one transaction.
const AT_ONCE: u32 = 2_000;

/// The methods by how often they are used.
const METHODS: [&str; 10] = [
    "QR",
    "QR",
    "QR",
    "QR",
    "QR",
    "INSTALLMENT",
    "INSTALLMENT",
    "CASHCODE",
    "BANK_TRANSFER",
    "CARD",
];

/// How operations end, each with its share; a few of a thousand are exceptions.
const ENDS: [(&str, u32); 7] = [
    ("LIQUIDADO", 700),
    ("EXPIRADO", 150),
    ("DENEGADO", 60),
    ("CANCELADO", 50),
    ("AUTORIZADO", 30),
    ("INVALIDO", 8),
    ("EXTORNADO", 2),
];

/// Makes the database, or adds to it.
///
/// # Errors
/// The database cannot be written; the error says why.
pub async fn fill(database: &str, merchant_code: &str, count: u32) -> Result<(), String> {
    let database = DatabaseAddress::read(database)?;
    let db = Db::open(&database)
        .await
        .map_err(|error| error.to_string())?;
    let filled = write(&db, merchant_code, count).await;
    db.close().await;
    filled.map_err(|error| error.to_string())
}

async fn write(db: &Db, merchant_code: &str, count: u32) -> Result<(), DbError> {
    let end = now();
    let beginning = end.saturating_sub(YEAR);
    for first in (0..count).step_by(AT_ONCE as usize) {
        let some = first..count.min(first + AT_ONCE);
        let rows: Result<Vec<_>, DbError> = some
            .map(|at| {
                let created_at = beginning.saturating_add(YEAR / count * at);
                one(merchant_code, at, created_at, end)
            })
            .collect();
        db.fill(&rows?).await?;
    }
    db.count_rows().await
}

/// An order with its one operation. The same number always gives the same pair.
fn one(
    merchant_code: &str,
    at: u32,
    created_at: Timestamp,
    end: Timestamp,
) -> Result<(OrderFacts, OperationRecord), DbError> {
    let mixed = fingerprint(&at.to_string());
    let dice = at.wrapping_mul(2_654_435_761) >> 8;
    let method = METHODS[dice as usize % METHODS.len()];
    let mut left = dice / 16 % 1_000;
    let (mut state, _) = ENDS
        .into_iter()
        .find(|(_, share)| {
            let here = left < *share;
            left = left.saturating_sub(*share);
            here
        })
        .unwrap_or(("EXPIRADO", 0));
    // Old payments are settled, but for a few.
    if state == "AUTORIZADO" && created_at < end.saturating_sub(2 * DAY) && !dice.is_multiple_of(50)
    {
        state = "LIQUIDADO";
    }
    let amount = u64::from(500 + dice % 200_000);
    let number = format!("{:012}", u64::from(at) * 7_919 + 100_000_000_000);
    let order_id = format!("{at:07}{}", &mixed[..13]).to_ascii_uppercase();
    let date = json!({"unix_time": created_at.as_secs(), "utc_time": null});
    let lifecycle: Vec<_> = ["REGISTRADO", "PENDIENTE", state]
        .iter()
        .map(|state| json!({"state": state, "date": date}))
        .collect();
    let response = match method {
        "QR" => json!({"qr_id": format!("qr-{at}"), "date": "2026-11-21"}),
        "CASHCODE" => json!({"cip": format!("{:08}", at), "operationNumber": number}),
        _ => json!({"operation_id": &mixed[..10]}),
    };
    let operation: Operation = serde_json::from_value(json!({
        "merchant_operation_number": number, "state": state, "amount": amount.to_string(),
        "currency": "PEN", "created_at": date,
        "transactions": [{
            "transaction_id": &mixed[..32], "channel": "ecommerce", "state": state,
            "state_reason": "", "amount": amount.to_string(), "currency": "PEN",
            "payment_method": {"method_name": method}, "processor_response": response,
            "lifecycle": lifecycle,
        }],
    }))?;
    let mut order = OrderFacts {
        order_id,
        label: None,
        merchant_code: merchant_code.into(),
        session_hash: mixed.clone(),
        created_at,
        amount,
        currency: "PEN".to_owned(),
        items: Vec::new(),
        customer: Person::default(),
        state: OrderState::Open,
        paid_twice: false,
        described_at: None,
        order_key_hash: None,
        methods: None,
        pay_until: None,
        unpaid_at: None,
    };
    let rare = dice % 2_000;
    let key = OperationKey::new(merchant_code, number);
    let method = PaymentMethodName::from(method);
    let mut record = OperationRecord {
        phase: if rare == 0 { Phase::Lost } else { Phase::Known },
        live: false,
        changed_at: created_at.saturating_add(PAID_AFTER),
        queried_at: Some(created_at.saturating_add(PAID_AFTER)),
        operation: Some(operation),
        paid_late_at: (rare == 1).then_some(created_at.saturating_add(DAY)),
        answer_mismatch: (rare == 2).then(|| Difference::new("answered amount \"1\"", created_at)),
        ..OperationRecord::sending(key, &order, method, mixed, created_at)
    };
    record.announce(false, record.changed_at);
    if record.announced_at.is_some() {
        order.state = OrderState::Paid;
    }
    Ok((order, record))
}
