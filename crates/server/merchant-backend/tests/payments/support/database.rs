//! The database of a stack, read and changed as no program of the project does. It is a file of
//! SQLite, or with `TEST_DATABASE=postgres` a database of PostgreSQL.

use crate::support::stack::Stack;
use crate::support::wait::until;
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Connection as _, Decode, Row as _, Type};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The address of a new database.
pub(crate) async fn fresh(directory: &Path) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    if !is_server() {
        return directory.join("merchant.db").display().to_string();
    }
    let server = test_postgres::shared().unwrap();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("payments_{}_{number}", std::process::id());
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(&server.address()).await.unwrap();
    let made = sqlx::raw_sql(AssertSqlSafe(format!("CREATE DATABASE {name}")));
    made.execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    server.address_of(&name)
}

/// Copies the database of a stack that was stopped; returns the address of the copy.
pub(crate) async fn copied(stack: &Stack) -> String {
    if !is_server() {
        let copy = stack.directory.path().join("copy.db");
        std::fs::copy(stack.file(), &copy).unwrap();
        return copy.display().to_string();
    }
    let mut address = reqwest::Url::parse(&stack.database).unwrap();
    let from = address.path().trim_start_matches('/').to_owned();
    let copy = format!("{from}_copy");
    let server = test_postgres::shared().unwrap().address();
    let mut connection = AnyConnection::connect(&server).await.unwrap();
    let sql = format!("CREATE DATABASE {copy} TEMPLATE {from}");
    let made = sqlx::raw_sql(AssertSqlSafe(sql));
    made.execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    address.set_path(&copy);
    address.into()
}

/// True when the tests run on a server.
pub(crate) fn is_server() -> bool {
    test_postgres::is_test_database()
}

/// A connection beside those of the backend.
pub(crate) async fn connect(stack: &Stack) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let address = if is_server() {
        stack.database.clone()
    } else {
        format!("sqlite://{}", stack.database)
    };
    AnyConnection::connect(&address).await.unwrap()
}

/// True when one of its tables has this text.
pub(crate) async fn holds(stack: &Stack, text: &str) -> bool {
    let tables = if is_server() {
        "SELECT CAST(table_name AS text) FROM information_schema.tables
         WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
    } else {
        "SELECT name FROM sqlite_schema WHERE type = 'table'"
    };
    for table in values::<String>(stack, tables).await {
        let columns = if is_server() {
            format!(
                "SELECT CAST(column_name AS text) FROM information_schema.columns
                 WHERE table_name = '{table}' AND data_type = 'text'"
            )
        } else {
            format!("SELECT name FROM pragma_table_info('{table}') WHERE type = 'TEXT'")
        };
        for column in values::<String>(stack, &columns).await {
            let found = format!("SELECT count(*) FROM {table} WHERE {column} LIKE '%{text}%'");
            if values::<i64>(stack, &found).await != [0] {
                return true;
            }
        }
    }
    false
}

/// Changes it beside the server.
pub(crate) async fn tamper(stack: &Stack, sql: &str) {
    let mut connection = connect(stack).await;
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    done.execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The documents of all payments, by their numbers.
pub(crate) async fn documents(stack: &Stack) -> Vec<(String, Value)> {
    let mut connection = connect(stack).await;
    let rows = sqlx::query("SELECT merchant_operation_number, document FROM operations");
    let rows = rows.fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let read = |row: &AnyRow| {
        let document: String = row.get(1);
        (row.get(0), serde_json::from_str(&document).unwrap())
    };
    rows.iter().map(read).collect()
}

/// Changes the documents of payments beside the server.
pub(crate) async fn edit(stack: &Stack, change: impl Fn(&str, &mut Value)) {
    for (number, before) in documents(stack).await {
        let mut document = before.clone();
        change(&number, &mut document);
        if document != before {
            let mut connection = connect(stack).await;
            let written = sqlx::query(
                "UPDATE operations SET document = $1 WHERE merchant_operation_number = $2",
            );
            let written = written.bind(document.to_string()).bind(&number);
            written.execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        }
    }
}

/// Changes payments while the server is stopped. The server then finds their exceptions anew, as after an upgrade.
pub(crate) async fn change_payments(stack: &mut Stack, change: impl Fn(&str, &mut Value)) {
    stack.stop().await;
    edit(stack, change).await;
    tamper(stack, "UPDATE operations SET exceptions_version = 0").await;
    stack.run().await;
    let left = "SELECT count(*) FROM operations WHERE exceptions_version = 0";
    until("found anew", async || {
        values::<i64>(stack, left).await == [0]
    })
    .await;
}

/// Makes an instant in a document earlier by this time, if there is one.
pub(crate) fn age(document: &mut Value, place: &str, by: Duration) {
    if let Some(instant) = document.pointer_mut(place)
        && let Some(millis) = instant.as_i64()
    {
        *instant = (millis - i64::try_from(by.as_millis()).unwrap()).into();
    }
}

/// Makes all that is under way an hour older, after its process was stopped. A file has one
/// process, whose start ends what the last one left; on a server its time has to be over.
pub(crate) async fn let_its_time_pass(stack: &Stack) {
    if !is_server() {
        return;
    }
    const HOUR: Duration = Duration::from_hours(1);
    edit(stack, |_, document| {
        if document["operation"]["phase"] == "sending" {
            age(document, "/operation/created_at", HOUR);
        }
        for (list, instants) in [
            ("attempts", &["begun_at", "requested_at"][..]),
            ("reversals", &["begun_at"]),
        ] {
            for entry in document[list].as_array_mut().unwrap() {
                let is_sending = entry["state"] == "sending";
                for instant in instants.iter().filter(|_| is_sending) {
                    age(entry, &format!("/{instant}"), HOUR);
                }
            }
        }
    })
    .await;
    tamper(
        stack,
        "UPDATE operations SET created_at = created_at - 3600000 WHERE phase = 'sending';
         UPDATE requests SET begun_at = begun_at - 3600000, at = at - 3600000
             WHERE state = 'sending';
         UPDATE operations SET leased_until = leased_until - 3600000;
         UPDATE refund_watches SET leased_until = leased_until - 3600000;
         UPDATE deliveries SET leased_until = leased_until - 3600000;
         UPDATE idempotency_keys SET running_until = running_until - 3600000",
    )
    .await;
}

/// Waits until no refund is called under way whose sender is gone.
pub(crate) async fn nothing_is_under_way(stack: &Stack) {
    until("given up", async || {
        let sending = "SELECT count(*) FROM requests WHERE kind = 'refund' AND state = 'sending'";
        values::<i64>(stack, sending).await == [0]
    })
    .await;
}

/// The values of the one column of a query.
pub(crate) async fn values<T>(stack: &Stack, sql: &str) -> Vec<T>
where
    T: for<'r> Decode<'r, Any> + Type<Any>,
{
    let mut connection = connect(stack).await;
    let rows = sqlx::query(AssertSqlSafe(sql.to_owned()));
    let rows = rows.fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    rows.iter().map(|row: &AnyRow| row.get(0)).collect()
}
