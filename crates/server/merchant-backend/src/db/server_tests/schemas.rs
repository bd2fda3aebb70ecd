//! The schemas of both engines, held to each other, and a newer version that adds a column while this one runs.

use super::{LEASE, key, nodes, order, pending, run};
use crate::clock::{instant, moment};
use crate::db::connections::Db;
use crate::db::testing::{Place, RECEIVER, of_shop};
use payment_rules::operation::OperationRecord;
use payment_rules::operation::fixture::record;
use payment_rules::order::{OrderFacts, ShopOrder};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};
use std::collections::{BTreeMap, BTreeSet};

/// Columns by table, with whether they may be empty and whether they hold text.
type Columns = BTreeMap<String, BTreeSet<(String, bool, bool)>>;
/// Indexes by name: their table, columns, whether they are unique, and whether they are partial.
type Indexes = BTreeMap<String, (String, Vec<String>, bool, bool)>;

async fn texts(connection: &mut AnyConnection, sql: String) -> Vec<String> {
    let rows = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(connection);
    rows.await.unwrap()
}

async fn schema_of_file(connection: &mut AnyConnection) -> (Columns, Indexes, Vec<String>) {
    let (mut columns, mut indexes) = (Columns::new(), Indexes::new());
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table'
        AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_sqlx%' ESCAPE '\\'";
    for table in texts(&mut *connection, tables.to_owned()).await {
        let sql = format!(
            "SELECT name, \"notnull\" AS filled, pk, type FROM pragma_table_info('{table}')"
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut *connection);
        for row in rows.await.unwrap() {
            let filled = row.get::<i64, _>("filled") + row.get::<i64, _>("pk") > 0;
            let is_text = row.get::<String, _>("type") == "TEXT";
            let column = (row.get("name"), filled, is_text);
            columns.entry(table.clone()).or_default().insert(column);
        }
        let sql = format!(
            "SELECT name, \"unique\" AS single, partial FROM pragma_index_list('{table}')
             WHERE origin = 'c'"
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut *connection);
        for row in rows.await.unwrap() {
            let name: String = row.get("name");
            let sql = format!("SELECT name FROM pragma_index_info('{name}') ORDER BY seqno");
            let of = texts(&mut *connection, sql).await;
            let (single, partial) = (row.get::<i64, _>("single"), row.get::<i64, _>("partial"));
            indexes.insert(name, (table.clone(), of, single != 0, partial != 0));
        }
    }
    let others = "SELECT type || ' ' || name FROM sqlite_master WHERE type IN ('view', 'trigger')
        ORDER BY 1";
    let others = texts(connection, others.to_owned()).await;
    (columns, indexes, others)
}

async fn schema_of_server(connection: &mut AnyConnection) -> (Columns, Indexes, Vec<String>) {
    let (mut columns, mut indexes) = (Columns::new(), Indexes::new());
    let rows = sqlx::query(
        "SELECT CAST(c.table_name AS text) AS table_name, CAST(c.column_name AS text) AS name,
             CASE WHEN c.is_nullable = 'NO' THEN 1 ELSE 0 END AS filled,
             CAST(c.data_type AS text) AS type
         FROM information_schema.columns c JOIN information_schema.tables t
             ON t.table_schema = c.table_schema AND t.table_name = c.table_name
         WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
             AND c.table_name <> '_sqlx_migrations' AND c.column_name <> 'rowid'",
    );
    for row in rows.fetch_all(&mut *connection).await.unwrap() {
        let kind: String = row.get("type");
        assert!(["text", "bigint"].contains(&&*kind), "{kind}");
        let column = (
            row.get("name"),
            row.get::<i64, _>("filled") != 0,
            kind == "text",
        );
        let table = row.get("table_name");
        columns.entry(table).or_default().insert(column);
    }
    let rows = sqlx::query(
        "SELECT CAST(i.relname AS text) AS name, CAST(t.relname AS text) AS table_name,
             (SELECT string_agg(a.attname, ' ' ORDER BY k.place)
                 FROM unnest(x.indkey) WITH ORDINALITY AS k(attribute, place)
                 JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attribute
                 WHERE a.attname <> 'rowid') AS columns,
             CASE WHEN x.indisunique THEN 1 ELSE 0 END AS single,
             CASE WHEN x.indpred IS NOT NULL THEN 1 ELSE 0 END AS partial
         FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
             JOIN pg_class t ON t.oid = x.indrelid
             JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
         WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.oid)",
    );
    for row in rows.fetch_all(&mut *connection).await.unwrap() {
        let of: String = row.get("columns");
        let of = of.split(' ').map(str::to_owned).collect();
        let (single, partial) = (row.get::<i64, _>("single"), row.get::<i64, _>("partial"));
        let index = (row.get("table_name"), of, single != 0, partial != 0);
        indexes.insert(row.get("name"), index);
    }
    let others = "SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
            AND tgname <> 'audit_is_not_emptied'
        UNION ALL SELECT 'view ' || table_name FROM information_schema.views
            WHERE table_schema = 'public' ORDER BY 1";
    let mut others = texts(connection, others.to_owned()).await;
    others.sort();
    (columns, indexes, others)
}

#[tokio::test]
async fn both_engines_have_one_schema() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    Db::open_file(&path).await.unwrap().close().await;
    let url = format!("sqlite://{}", path.display());
    let mut file = AnyConnection::connect(&url).await.unwrap();
    let Some(place) = Place::server().await else {
        return;
    };
    place.open().await.close().await;
    let mut server = place.beside().await;
    let mut file = schema_of_file(&mut file).await;
    // The mark of a file that was moved.
    file.0.remove("moved").unwrap();
    let server = schema_of_server(server.driver()).await;
    assert!(file.0.len() > 10 && file.1.len() > 20 && file.2.len() > 2);
    assert_eq!(file.0, server.0);
    assert_eq!(file.1, server.1);
    assert_eq!(file.2, server.2);
}

/// Reads one row at least of every kind, by every statement that reads a whole one.
async fn reads_all(db: &Db) {
    let told = ShopOrder {
        order: OrderFacts {
            described_at: Some(instant(1)),
            ..order("told")
        },
        since: instant(1),
        time_to_pay: None,
    };
    db.operation(&key("1")).await.unwrap().unwrap();
    assert_eq!(db.operations_of(&of_shop("order")).await.unwrap().len(), 1);
    db.order(&of_shop("order")).await.unwrap().unwrap();
    db.begun_orders("order").await.unwrap().remove(0);
    db.save_shop_order(&told).await.unwrap();
    db.ledger(&key("1")).await.unwrap().unwrap();
    db.operation_page(&key("1"), instant(1)).await.unwrap();
    db.take_due(moment(), LEASE, 10).await.unwrap();
    db.take_due_refunds(moment(), LEASE, 10).await.unwrap();
    db.take_due_events(RECEIVER, moment(), LEASE, 10)
        .await
        .unwrap();
    // Looks for what is paid, live or given back.
    let taken = OperationRecord {
        key: key("1"),
        callback_hash: "1".to_owned(),
        ..record()
    };
    db.put(&taken).await.unwrap();
}

/// A pool takes its connections in turn.
async fn reads_on_all_connections(db: &Db) {
    for _ in 0..6 {
        reads_all(db).await;
    }
}

#[tokio::test]
async fn a_column_that_a_newer_version_adds_disturbs_nobody() {
    let Some((place, a, _b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    reads_on_all_connections(&a).await;
    for table in [
        "orders",
        "operations",
        "requests",
        "refund_watches",
        "events",
        "event_receivers",
        "deliveries",
    ] {
        let add = format!("ALTER TABLE {table} ADD COLUMN newer BIGINT");
        run(&place, &add).await;
    }
    reads_on_all_connections(&a).await;
}
