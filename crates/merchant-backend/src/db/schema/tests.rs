use super::{MIGRATIONS, sqlite};
use crate::clock::{Moment, instant, now};
use crate::db::Db;
use payment_model::{IdempotencyKey, LocalizedMessage, TransactionId};
use payment_rules::idempotent_answer::{AuthorizationAnswer, AuthorizationRefusal, Numbers};
use payment_rules::idempotent_request::{IdempotentRequest, Sender, Standing};
use payment_rules::operation::OperationKey;
use serde_json::{Value, json};
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Row, SqlitePool};
use std::time::Duration;

/// Runs the changes with these numbers.
async fn change(pool: &SqlitePool, numbers: std::ops::RangeInclusive<i64>) {
    for (_, name, sql) in MIGRATIONS.iter().filter(|one| numbers.contains(&one.0)) {
        let done = sqlx::raw_sql(AssertSqlSafe((*sql).to_owned()));
        done.execute(pool)
            .await
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[tokio::test]
async fn returns_from_before_were_made_and_what_was_given_back_twice_is_found() {
    let pool = SqlitePool::connect("sqlite::memory:").await.unwrap();
    change(&pool, 1..=7).await;
    let rows = "
        INSERT INTO orders VALUES ('o', 'h', 0, 500, 'PEN', '[]', '{}', 'open', 0, 'shop', NULL);
        INSERT INTO operations (merchant_code, merchant_operation_number, order_id, phase, live,
                method_name, amount, currency, callback_hash, created_at, changed_at, failures,
                outcome)
            VALUES ('shop', '1', 'o', 'known', 0, 'QR', 500, 'PEN', 'a', 0, 0, 0, 'paid'),
                ('shop', '2', 'o', 'known', 0, 'QR', 500, 'PEN', 'b', 0, 0, 0, 'reversed');
        INSERT INTO manual_returns
            VALUES ('shop', '1', 500, 'slip', 'ana', 'k1', 7), ('shop', '2', 300, 'slip', 'ana', 'k2', 8);";
    sqlx::raw_sql(rows).execute(&pool).await.unwrap();
    change(&pool, 8..=i64::MAX).await;
    let returns = sqlx::query("SELECT * FROM manual_returns").fetch_all(&pool);
    for row in returns.await.unwrap() {
        assert_eq!(row.get::<String, _>("state"), "done");
        assert_eq!(row.get::<String, _>("return_id").len(), 32);
    }
    let excesses = sqlx::query("SELECT * FROM excesses").fetch_all(&pool);
    let excesses = excesses.await.unwrap();
    assert_eq!(excesses.len(), 1);
    let detail: String = excesses[0].get("detail");
    assert_eq!(
        excesses[0].get::<String, _>("merchant_operation_number"),
        "2"
    );
    assert!(
        detail.contains("500 that were reversed, 300 cents"),
        "{detail}"
    );
}

/// A file in the schema before this change, with these rows.
async fn older(path: &std::path::Path, version: i64, rows: &str) {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true);
    let pool = SqlitePool::connect_with(options).await.unwrap();
    let all = sqlite();
    let older = all.iter().filter(|m| m.version < version).cloned();
    let older = Migrator::with_migrations(older.collect());
    older.run(&pool).await.unwrap();
    let rows = sqlx::raw_sql(AssertSqlSafe(rows.to_owned()));
    rows.execute(&pool).await.unwrap();
    pool.close().await;
}

#[tokio::test]
async fn what_an_older_version_planned_is_due_after_the_update() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    let rows = "INSERT INTO orders (order_id, session_hash, created_at, amount, currency,
             merchant_code, items, customer, state)
         VALUES ('o', 's', 1, 1, 'PEN', 'shop', '[]', '{}', 'open');
         INSERT INTO operations (merchant_code, merchant_operation_number, order_id, phase,
             live, method_name, amount, currency, callback_hash, created_at, changed_at,
             failures, due_at)
         VALUES ('shop', '1', 'o', 'known', 0, 'QR', 1, 'PEN', 'a', 1, 1, 0, 4000000000000),
             ('shop', '2', 'o', 'known', 0, 'QR', 1, 'PEN', 'b', 2, 2, 0, 9),
             ('shop', '3', 'o', 'known', 0, 'QR', 1, 'PEN', 'c', 3, 3, 0, NULL)";
    older(&path, 8, rows).await;
    let db = Db::open_file(&path).await.unwrap();
    let soon = Moment {
        wall: now().saturating_add(Duration::from_secs(1)),
        steady: instant(0),
    };
    let due = db
        .take_due(soon, Duration::from_millis(1_000), 10)
        .await
        .unwrap();
    let mut numbers: Vec<&str> = due.iter().map(|r| r.key.number.as_str()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, ["1", "2"]);
}

/// Problems in the form of the version before, with all their members.
fn problem(status: u16, kind: &str, members: &Value) -> String {
    let mut problem = json!({
        "type": format!("urn:payment-checkout:problem:{kind}"), "title": "No.",
        "status": status, "detail": "It cannot be."
    });
    let members = members.as_object().unwrap().clone();
    problem.as_object_mut().unwrap().extend(members);
    problem.to_string()
}

#[tokio::test]
async fn keys_of_an_older_version_have_their_answers_after_the_update() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    let numbers = json!({"merchant_code": "shop", "merchant_operation_number": "0123",
        "transaction_id": "t-1"});
    let untold = json!({"merchant_code": "shop", "merchant_operation_number": "0123",
        "transaction_id": null});
    let messages = json!({"service_status": 402, "messages": [
        {"locale": "es_PE", "value": "Sin \"fondos\"."}, {"locale": "en_US", "value": "No."}]});
    let refused = [
        ("many", problem(409, "too-many-operations", &json!({}))),
        ("reversed", problem(409, "payment-reversed", &numbers)),
        ("untold", problem(409, "payment-reversed", &untold)),
        ("refused", problem(422, "authorization-refused", &messages)),
        (
            "wordless",
            problem(
                422,
                "authorization-refused",
                &json!({"service_status": 500}),
            ),
        ),
    ];
    let mut rows = "INSERT INTO orders (order_id, session_hash, created_at, amount, currency,
             merchant_code, items, customer, state)
         VALUES ('o', 's', 1, 1, 'PEN', 'shop', '[]', '{}', 'open');
         INSERT INTO attempts (session_hash, idempotency_key, order_id, fingerprint,
             created_at, running_until, merchant_code, merchant_operation_number)
         VALUES ('s', 'answered', 'o', 'f', 5, NULL, 'shop', '0042'),
             ('s', 'running', 'o', 'f', 5, 4000000000000, NULL, NULL);
         INSERT INTO staff_requests (staff, idempotency_key, fingerprint, created_at,
             running_until, status, answer)
         VALUES ('ana', 'answered', 'f', 5, NULL, 200, '{\"items\":[1]}'),
             ('ana', 'running', 'f', 5, 4000000000000, NULL, NULL);"
        .to_owned();
    for (key, problem) in &refused {
        rows += &format!(
            "INSERT INTO attempts (session_hash, idempotency_key, order_id, fingerprint,
                 created_at, problem_status, problem)
             VALUES ('s', '{key}', 'o', 'f', 5, 422, '{problem}');"
        );
    }
    older(&path, 12, &rows).await;
    let db = Db::open_file(&path).await.unwrap();
    let at = Moment {
        wall: instant(9),
        steady: instant(9),
    };
    let request = |sender: Sender, key: &str| IdempotentRequest {
        sender,
        key: IdempotencyKey::new(key).unwrap(),
        fingerprint: "f".to_owned(),
        order_id: None,
    };
    let payer = || Sender::Payer("s".to_owned());
    let message = |locale: &str, value: &str| LocalizedMessage {
        locale: locale.to_owned(),
        value: value.to_owned(),
    };
    let reversed = |transaction_id: Option<&str>| {
        AuthorizationRefusal::PaymentReversed(Numbers {
            key: OperationKey::new("shop", "0123"),
            transaction_id: transaction_id.map(TransactionId::new),
        })
    };
    let not_authorized = |service_status, messages| AuthorizationRefusal::AuthorizationRefused {
        service_status,
        messages,
    };
    let said = vec![message("es_PE", "Sin \"fondos\"."), message("en_US", "No.")];
    let answers = [
        (
            "answered",
            AuthorizationAnswer::Operation(OperationKey::new("shop", "0042")),
        ),
        (
            "many",
            AuthorizationAnswer::Refused(AuthorizationRefusal::TooManyOperations),
        ),
        (
            "reversed",
            AuthorizationAnswer::Refused(reversed(Some("t-1"))),
        ),
        ("untold", AuthorizationAnswer::Refused(reversed(None))),
        (
            "refused",
            AuthorizationAnswer::Refused(not_authorized(402, said)),
        ),
        (
            "wordless",
            AuthorizationAnswer::Refused(not_authorized(500, Vec::new())),
        ),
    ];
    for (key, answer) in answers {
        let found = db
            .standing::<AuthorizationAnswer>(&request(payer(), key), at)
            .await;
        assert_eq!(found.unwrap(), Some(Standing::Answered(answer)), "{key}");
    }
    let of_staff = |key| request(Sender::Staff("ana".to_owned()), key);
    let found = db.standing::<Value>(&of_staff("answered"), at).await;
    assert_eq!(
        found.unwrap(),
        Some(Standing::Answered(json!({"items": [1]})))
    );
    // A start frees running requests, and the same request may run again.
    for request in [request(payer(), "running"), of_staff("running")] {
        let found = db.standing::<Value>(&request, at).await.unwrap();
        assert_eq!(found, None);
        let mut other = request;
        other.fingerprint = "g".to_owned();
        let found = db.standing::<Value>(&other, at).await.unwrap();
        assert_eq!(found, Some(Standing::Other));
    }
    let about: Vec<(String, i64)> = sqlx::query_as(
        "SELECT sender_kind || coalesce(order_id, '-'), count(*) FROM idempotency_keys
         WHERE created_at = 5 GROUP BY 1 ORDER BY 1",
    )
    .fetch_all(&mut *db.reader().await.unwrap())
    .await
    .unwrap();
    assert_eq!(about, [("payero".to_owned(), 7), ("staff-".to_owned(), 2)]);
}
