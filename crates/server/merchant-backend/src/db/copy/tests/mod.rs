//! Copies on real databases, also such as are interrupted.

mod moving;

use super::target::TABLES;
use super::{CopyError, abandon};
use crate::clock::now;
use crate::database_address::DatabaseAddress;
use crate::db::connections::Db;
use crate::db::engine::{Commits, Connection, Row, sqlite};
use crate::db::server_tests::{count, run, when_waiting};
use crate::db::testing::{Place, of_shop};
use crate::db::{AdminDbError, BeginAttemptOutcome, DatabaseError, Inspected, PurgeFile, inspect};
use crate::maintenance::copy;
use moving::{Move, change, server};
use payment_rules::operation::fixture::record;
use payment_rules::operation::{OperationKey, Phase};
use payment_rules::order::fixture::order;
use payment_rules::staff::AuditRecord;
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::AuditAction;
use std::collections::BTreeSet;
use std::path::Path;

/// All values of a table, as texts.
async fn values(
    connection: &mut Connection,
    table: &str,
    columns: &[String],
) -> Vec<Vec<Option<String>>> {
    let texts: Vec<String> = columns
        .iter()
        .map(|name| format!("CAST({name} AS TEXT)"))
        .collect();
    let sql = format!("SELECT {} FROM {table}", texts.join(", "));
    let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(connection);
    let values = |row: &Row| (0..texts.len()).map(|place| row.get(place)).collect();
    let mut rows: Vec<Vec<Option<String>>> = rows.await.unwrap().iter().map(values).collect();
    rows.sort();
    rows
}

/// Ends the connection of a copy, which alone has the lock of migrations.
async fn disconnect(place: &Place) {
    let ended = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks
        WHERE locktype = 'advisory' AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    assert_eq!(count(place, ended).await, 1);
}

#[tokio::test]
async fn every_value_of_every_table_is_the_same_in_both() {
    let Some(moving) = Move::new().await else {
        return;
    };
    let told = moving.copy().await.unwrap();
    let pool = sqlite::connect(&moving.path, Commits::Synced, 1).await;
    let mut file = pool.unwrap().acquire().await.unwrap();
    let mut server = moving.place.beside().await;
    for table in TABLES {
        let columns = "SELECT CAST(column_name AS text) FROM information_schema.columns
            WHERE table_name = $1";
        let columns = sqlx::query_scalar(columns).bind(table);
        let columns: Vec<String> = columns.fetch_all(&mut server).await.unwrap();
        let rows = values(&mut file, table, &columns).await;
        assert_eq!(values(&mut server, table, &columns).await, rows, "{table}");
        assert!(!rows.is_empty(), "{table}");
        let line = format!("{table:<20}{:>10} rows", rows.len());
        assert!(told.lines().any(|told| told == line), "{told}");
    }
}

#[tokio::test]
async fn everything_moves_and_the_new_database_goes_on() {
    let Some(moving) = Move::new().await else {
        return;
    };
    moving.copy().await.unwrap();
    let db = moving.place.try_open().await.unwrap();
    let phase = async |number: &str| {
        let found = db.operation(&OperationKey::new("shop", number)).await;
        found.unwrap().unwrap().phase
    };
    // Work under way ends as at any start on a file.
    assert_eq!(phase("sent").await, Phase::InDoubt);
    assert_eq!(phase("doubt").await, Phase::InDoubt);
    assert_eq!(phase("refused").await, Phase::Refused);
    assert_eq!(phase("waits").await, Phase::Known);
    assert_eq!(phase("lost").await, Phase::Lost);
    let found = db.order(&of_shop("a")).await.unwrap().unwrap();
    assert_eq!(found.customer.first_name.as_deref(), Some("Ñandú 🦤"));
    let running = "SELECT count(*) FROM idempotency_keys WHERE running_until IS NOT NULL";
    assert_eq!(count(&moving.place, running).await, 0);

    // The next rows have numbers of their own.
    db.add_order(&order("order")).await.unwrap();
    assert_eq!(db.put(&record()).await.unwrap(), BeginAttemptOutcome::Begun);
    let act = AuditRecord {
        staff: "ana".to_owned(),
        action: AuditAction::Purge,
        key: None,
        detail: String::new(),
    };
    db.audit(&act).await.unwrap();
    let event = "INSERT INTO events (event_id, type, merchant_code, order_id, created_at, body)
        VALUES ('e4', 'order.paid', 'shop', 'a', 1, '{}')";
    run(&moving.place, event).await;
    for (next, wanted) in [
        ("SELECT max(rowid) FROM operations", 14),
        ("SELECT max(id) FROM audit", 5),
        // Its number before belonged to an event that was removed.
        ("SELECT max(seq) FROM events", 91),
    ] {
        assert_eq!(count(&moving.place, next).await, wanted);
    }

    // The database watches over the same things as before.
    let mut connection = moving.place.beside().await;
    for wrong in [
        "UPDATE audit SET staff = 'eva'",
        "UPDATE operations SET gone = 501 WHERE merchant_operation_number = 'paid'",
    ] {
        assert!(sqlx::raw_sql(wrong).execute(&mut connection).await.is_err());
    }
}

#[tokio::test]
async fn a_file_that_was_moved_is_used_by_nobody() {
    let Some(moving) = Move::new().await else {
        return;
    };
    let old = DatabaseAddress::File(moving.path.clone());
    let beside = PurgeFile::open(&old).await.unwrap();
    let first = moving.copy().await.unwrap();
    // A purge that opened the file before the copy must not forget a payer in the old database alone.
    let purged = beside.batch(now(), 0, 100).await.unwrap_err().to_string();
    assert!(purged.contains("it was moved to postgres://"), "{purged}");
    beside.close().await;
    let refused = Db::open_file(&moving.path).await.err().unwrap().to_string();
    let wanted = format!(" was moved to {}; name that one. ", moving.to());
    assert!(refused.contains(&wanted), "{refused}");
    let looked = inspect(&old).await;
    assert!(matches!(looked, Err(DatabaseError::Moved { .. })));
    let purge = PurgeFile::open(&old).await.err().unwrap();
    assert!(matches!(purge, AdminDbError::Moved(_)));
    // A repetition has nothing to do, and says so.
    assert_eq!(moving.copy().await.unwrap(), first);
    let Some(elsewhere) = Place::server().await else {
        return;
    };
    let again = copy(&moving.path, server(&elsewhere)).await.unwrap_err();
    assert!(matches!(again, CopyError::Elsewhere { .. }), "{again}");
    let again = abandon(&moving.path, server(&elsewhere)).await.unwrap_err();
    assert!(matches!(again, CopyError::Elsewhere { .. }), "{again}");
    let looked = inspect(moving.place.address()).await.unwrap();
    assert_eq!(looked, Inspected::Restored);
    // Nor when a server has run on the new one since.
    let db = moving.place.open().await;
    db.add_order(&order("since")).await.unwrap();
    db.close().await;
    let again = moving.copy().await.unwrap_err();
    assert!(matches!(again, CopyError::OtherRows { .. }), "{again}");
    let again = moving.abandon().await.unwrap_err();
    assert!(matches!(again, CopyError::MayBeInUse { .. }), "{again}");
    assert!(Db::open_file(&moving.path).await.is_err());
    let db = moving.place.open().await;
    assert!(db.order(&of_shop("since")).await.unwrap().is_some());
}

#[tokio::test]
async fn interrupted_anywhere_one_at_the_most_is_usable_and_a_repetition_finishes() {
    for (steps, usable) in [
        (0, (true, false)),
        (1, (true, false)),
        (2, (false, false)),
        (3, (false, true)),
    ] {
        let Some(moving) = Move::new().await else {
            return;
        };
        moving.interrupted_after(steps).await;
        assert_eq!(moving.usable().await, usable, "{steps} steps");
        let told = moving.copy().await.unwrap();
        assert!(
            told.contains("orders                       3 rows"),
            "{told}"
        );
        assert_eq!(moving.usable().await, (false, true), "{steps} steps");
        let db = moving.place.open().await;
        assert!(db.order(&of_shop("a")).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn a_copy_is_abandoned_only_while_the_new_database_is_empty() {
    for steps in 0..=3 {
        let Some(moving) = Move::new().await else {
            return;
        };
        moving.interrupted_after(steps).await;
        let abandoned = moving.abandon().await;
        let usable = moving.usable().await;
        match steps {
            0 | 1 => assert!(matches!(abandoned, Err(CopyError::NotMarked(_)))),
            2 => abandoned.unwrap(),
            _ => assert!(matches!(abandoned, Err(CopyError::MayBeInUse { .. }))),
        }
        assert_eq!(usable, (steps < 3, steps == 3), "{steps} steps");
    }
    // A server was started on the new database before the copy was complete.
    let Some(moving) = Move::new().await else {
        return;
    };
    moving.interrupted_after(2).await;
    moving.place.open().await.close().await;
    let abandoned = moving.abandon().await;
    assert!(matches!(abandoned, Err(CopyError::MayBeInUse { .. })));
    let again = moving.copy().await;
    assert!(matches!(again, Err(CopyError::OtherRows { .. })));
    assert!(Db::open_file(&moving.path).await.is_err());
}

#[tokio::test]
async fn a_commit_that_is_under_way_is_awaited_before_a_copy_is_abandoned() {
    let Some(moving) = Move::new().await else {
        return;
    };
    let (mut file, mut target) = moving.ends().await;
    let to = target.name.clone();
    let filled = target.fill(file.rows()).await.unwrap();
    // The process is gone, and the server has not carried its commit out yet.
    file.mark(&to).await.unwrap().close().await;
    let waiting = async {
        when_waiting(&moving.place, 1).await;
        filled.commit().await.unwrap();
        // As the end of the process.
        disconnect(&moving.place).await;
    };
    let (abandoned, ()) = tokio::join!(moving.abandon(), waiting);
    assert!(matches!(abandoned, Err(CopyError::MayBeInUse { .. })));
    assert_eq!(moving.usable().await, (false, true));
}

#[tokio::test]
async fn a_server_that_starts_during_a_copy_waits_for_its_end() {
    let Some(moving) = Move::new().await else {
        return;
    };
    let (mut file, mut target) = moving.ends().await;
    let to = target.name.clone();
    let filled = target.fill(file.rows()).await.unwrap();
    let finish = async {
        when_waiting(&moving.place, 1).await;
        let _marked = file.mark(&to).await.unwrap();
        filled.commit().await.unwrap();
        disconnect(&moving.place).await;
    };
    let (db, ()) = tokio::join!(moving.place.open(), finish);
    assert!(db.order(&of_shop("a")).await.unwrap().is_some());
}

#[tokio::test]
async fn a_server_that_is_lost_before_the_commit_leaves_an_empty_database() {
    let Some(moving) = Move::new().await else {
        return;
    };
    let (mut file, mut target) = moving.ends().await;
    let to = target.name.clone();
    let filled = target.fill(file.rows()).await.unwrap();
    let marked = file.mark(&to).await.unwrap();
    disconnect(&moving.place).await;
    let stopped = filled.commit().await.unwrap_err();
    assert!(matches!(stopped, CopyError::Stopped(_)), "{stopped}");
    marked.close().await;
    assert_eq!(moving.usable().await, (false, false));
    moving.copy().await.unwrap();
    assert_eq!(moving.usable().await, (false, true));
}

#[tokio::test]
async fn a_file_that_cannot_be_marked_keeps_the_new_database_empty() {
    let Some(moving) = Move::new().await else {
        return;
    };
    let refuse = "CREATE TRIGGER no_mark BEFORE INSERT ON moved
        BEGIN SELECT raise(ABORT, 'no mark'); END";
    change(&moving.path, refuse).await;
    let stopped = moving.copy().await.unwrap_err();
    assert!(stopped.to_string().contains("no mark"), "{stopped}");
    assert_eq!(moving.usable().await, (true, false));
    change(&moving.path, "DROP TRIGGER no_mark").await;
    moving.copy().await.unwrap();
    assert_eq!(moving.usable().await, (false, true));
}

#[tokio::test]
async fn nothing_is_copied_over_anything() {
    let Some(moving) = Move::new().await else {
        return;
    };
    let Some(used) = Place::server().await else {
        return;
    };
    used.open().await.close().await;
    let Some(foreign) = Place::server().await else {
        return;
    };
    run(&foreign, "CREATE TABLE orders (x bigint)").await;
    for place in [&used, &foreign] {
        let refused = copy(&moving.path, server(place)).await.unwrap_err();
        assert!(matches!(refused, CopyError::NotEmpty(_)), "{refused}");
        assert_eq!(moving.usable().await, (true, false));
    }
}

#[tokio::test]
async fn a_database_in_use_is_not_moved() {
    let Some(moving) = Move::new().await else {
        return;
    };
    let db = Db::open_file(&moving.path).await.unwrap();
    let refused = moving.copy().await.unwrap_err();
    assert!(matches!(&refused, CopyError::From(DatabaseError::InUse(_))));
    assert!(refused.to_string().starts_with("--from: /"), "{refused}");
    assert!(matches!(
        inspect(moving.place.address()).await,
        Ok(Inspected::None)
    ));
    db.close().await;
    let refused = copy(Path::new("/nowhere/merchant.db"), moving.to()).await;
    assert!(matches!(refused, Err(CopyError::NoSource(_))));
}

#[tokio::test]
async fn what_the_new_database_cannot_keep_is_said_and_the_old_one_goes_on() {
    let Some(moving) = Move::new().await else {
        return;
    };
    change(
        &moving.path,
        "UPDATE orders SET customer = 'canary' || char(0) WHERE order_id = 'a'",
    )
    .await;
    let told = moving.copy().await.unwrap_err().to_string();
    let wanted = "PostgreSQL does not take a row of the table orders whose rowid is above ";
    assert!(
        told.starts_with(wanted) && !told.contains("canary"),
        "{told}"
    );
    Db::open_file(&moving.path).await.unwrap().close().await;

    // Without its references checked, SQLite keeps rows that PostgreSQL refuses.
    change(
        &moving.path,
        "UPDATE orders SET customer = '{}' WHERE order_id = 'a';
         PRAGMA foreign_keys = OFF; INSERT INTO order_sessions VALUES ('shop', 'canary', 'canary', 1, 0)",
    )
    .await;
    let told = moving.copy().await.unwrap_err().to_string();
    let wanted = "PostgreSQL does not take a row of the table order_sessions whose ";
    assert!(
        told.starts_with(wanted) && !told.contains("canary"),
        "{told}"
    );
    change(
        &moving.path,
        "DELETE FROM order_sessions WHERE order_id = 'canary'",
    )
    .await;
    moving.copy().await.unwrap();
}

#[tokio::test]
async fn every_table_is_copied() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    let db = Db::open_file(&path).await.unwrap();
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table'
        AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_sqlx%' ESCAPE '\\'";
    let tables: Vec<String> = sqlx::query_scalar(tables)
        .fetch_all(&mut db.reader().await.unwrap())
        .await
        .unwrap();
    let mut copied = BTreeSet::from(TABLES);
    assert_eq!(copied.len(), TABLES.len());
    // The mark itself.
    copied.insert("moved");
    assert_eq!(copied, tables.iter().map(String::as_str).collect());
}
