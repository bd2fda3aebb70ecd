//! Moves from a file to a server.

use super::{count, order, run};
use crate::copy::copy;
use crate::database_address::{DatabaseAddress, ServerAddress};
use crate::db::connections::Db;
use crate::db::engine::{Commits, sqlite};
use crate::db::testing::Place;
use crate::db::{
    AuditRecord, BesideError, CopyError, Copying, DatabaseError, Inspected, PurgeFile, Reservation,
    inspect,
};
use payment_rules::ledger::fixture::refund;
use payment_rules::operation::fixture::{operation, record, transaction};
use payment_rules::operation::{OperationKey, Phase};
use sqlx::AssertSqlSafe;
use staff_model::AuditAction;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Rows of every table, an operation in every phase, and every kind of key.
const ROWS: &str = "
    INSERT INTO orders (order_id, session_hash, created_at, amount, currency, items, customer,
        state, paid_twice, merchant_code, purged_at, told_at, order_key_hash)
    VALUES ('a', 's', 1, 500, 'PEN', '[]', '{\"first_name\":\"Ñandú 🦤\"}', 'open', 0, 'shop', NULL, 5, 'h'),
        ('B', 's', 2, 500, 'PEN', '[]', '{}', 'paid', 1, 'shop', 9, NULL, NULL),
        ('é', 's', 3, 500, 'PEN', '[]', '', 'open', 0, 'shop', NULL, NULL, NULL);
    UPDATE orders SET label = 'R-1007' WHERE order_id = 'a';
    INSERT INTO order_numbers VALUES ('order', 1007);
    INSERT INTO order_sessions VALUES ('a', 's', 1), ('a', 'S', 2), ('é', 's', 3);
    INSERT INTO operations (rowid, merchant_code, merchant_operation_number, order_id, phase, live,
        method_name, amount, currency, callback_hash, created_at, changed_at, failures, state,
        outcome, operation, due_at, planned_at, blocked_since)
    VALUES (7, 'shop', 'sent', 'a', 'sending', 1, 'QR', 500, 'PEN', '1', 1, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL),
        (8, 'shop', 'doubt', 'a', 'in_doubt', 0, 'QR', 500, 'PEN', '2', 1, 1, 0, NULL, NULL, NULL, 4, 3, NULL),
        (9, 'shop', 'refused', 'a', 'refused', 0, 'QR', 500, 'PEN', '3', 1, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL),
        (10, 'shop', 'paid', 'B', 'known', 0, 'QR', 500, 'PEN', '4', 1, 1, 0, 'LIQUIDADO', 'paid', '{operation}', NULL, NULL, NULL),
        (11, 'shop', 'waits', 'é', 'known', 1, 'QR', 500, 'PEN', '5', 1, 1, 2, 'PENDIENTE', NULL, '{operation}', 4000000000000, 5, 6),
        (12, 'shop', 'lost', 'B', 'lost', 0, 'QR', 500, 'PEN', '6', 1, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL),
        (13, 'shop', 'again', 'B', 'known', 0, 'QR', 500, 'PEN', '7', 1, 1, 0, 'LIQUIDADO', 'paid', '{operation}', NULL, NULL, NULL);
    INSERT INTO refund_attempts (attempt_id, merchant_code, merchant_operation_number,
        transaction_id, type, amount, currency, staff, idempotency_key, item, requested_at,
        changed_at, state, begun_at, refund_id, detail, messages)
    VALUES ('r1', 'shop', 'paid', 't', 'PARTIAL', 100, 'PEN', 'ana', 'k', 0, 1, 1, 'registered', 1, 'f1', '', '[]'),
        ('r2', 'shop', 'paid', 't', 'PARTIAL', 100, 'PEN', 'ana', 'l', 0, 1, 1, 'in_doubt', 1, NULL, '', '[]'),
        ('r3', 'shop', 'paid', 't', 'PARTIAL', 100, 'PEN', 'ana', 'm', 0, 1, 1, 'sending', NULL, NULL, '', '[]');
    INSERT INTO refunds (merchant_code, merchant_operation_number, refund_id, attempt_id, state,
        amount, counts, changed_at, refund)
    VALUES ('shop', 'paid', 'f1', 'r1', 'RESOLVED', 100, 1, 1, '{refund}'),
        ('shop', 'paid', 'f0', NULL, 'REJECTED', NULL, 0, 1, '{refund}');
    INSERT INTO manual_returns (merchant_code, merchant_operation_number, amount, reason, staff,
        idempotency_key, at, return_id, state, already_made)
    VALUES ('shop', 'paid', 50, 'cash', 'ana', 'n', 1, 'm1', 'open', 0);
    INSERT INTO reversals (reversal_id, merchant_code, merchant_operation_number, amount, purpose,
        begun_at, changed_at, state, lost_until, arrives_until, detail)
    VALUES ('v1', 'shop', 'doubt', 500, 'settle_doubt', 1, 1, 'sending', 2, NULL, ''),
        ('v2', 'shop', 'waits', 500, 'cancel', 1, 1, 'done', 2, NULL, '');
    INSERT INTO manual_returns (merchant_code, merchant_operation_number, amount, reason, staff,
        idempotency_key, at, return_id, state, already_made)
    VALUES ('shop', 'waits', 500, 'made', 'ana', 'o', 1, 'm2', 'done', 1);
    INSERT INTO refund_watches (merchant_code, merchant_operation_number, due_at, failures,
        asked_at, whole_at, planned_at, leased_until)
    VALUES ('shop', 'paid', 5, 0, 1, 1, 3, 77);
    INSERT INTO excesses VALUES ('shop', 'waits', 1, 'too much');
    INSERT INTO block_releases (merchant_code, merchant_operation_number, blocked_since, asked_by,
        asked_at, reason) VALUES ('shop', 'waits', 6, 'ana', 7, 'why');
    INSERT INTO resolved_exceptions VALUES ('shop', 'again', 'paid_twice', 1, 'ana', 2, 'done');
    INSERT INTO events (seq, event_id, type, order_id, created_at, body, due_at, delivered_at)
    VALUES (40, 'e1', 'order.paid', 'B', 1, '{}', NULL, 2), (41, 'e2', 'order.paid_twice', 'B', 1, '{}', 3, NULL),
        (90, 'e3', 'order.paid', 'B', 1, '{}', NULL, 2);
    DELETE FROM events WHERE seq = 90;
    INSERT INTO idempotency_keys (sender_kind, sender, key, fingerprint, order_id, created_at,
        running_until, answer)
    VALUES ('payer', 's', 'answered', 'f', 'a', 1, NULL, '{\"operation\":{}}'),
        ('payer', 's', 'runs', 'f', 'a', 1, 4000000000000, NULL),
        ('staff', 'ana', 'answered', 'f', NULL, 1, NULL, '{}');
    INSERT INTO staff_sessions (hash, name, created_at, used_at) VALUES ('h', 'ana', 1, 1);
    INSERT INTO fence VALUES (1, 0);
    INSERT INTO differences VALUES ('shop', 'paid', 1, 'other');
    INSERT INTO transaction_hints VALUES ('shop', 'doubt', 't', 1, 0);
    INSERT INTO node_commits VALUES ('node', 1, 1);
    INSERT INTO audit (id, at, staff, action, merchant_code, merchant_operation_number, detail)
    VALUES (3, 1, 'ana', 'refund', 'shop', 'paid', 'why'), (4, 1, 'ana', 'search', NULL, NULL, '')";

/// A file with such rows, and an empty database of a server.
struct Move {
    _directory: TempDir,
    path: PathBuf,
    place: Place,
}

impl Move {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("merchant.db");
        Db::open_file(&path).await.unwrap().close().await;
        let told = operation(&transaction("LIQUIDADO", &["LIQUIDADO"]));
        let rows = ROWS.replace("{operation}", &serde_json::to_string(&told).unwrap());
        let refund = serde_json::to_string(&refund("f1", "RESOLVED", "1.00")).unwrap();
        change(&path, &rows.replace("{refund}", &refund)).await;
        Self {
            _directory: directory,
            path,
            place: Place::server().await,
        }
    }

    fn to(&self) -> &ServerAddress {
        let DatabaseAddress::Server(server) = self.place.address() else {
            panic!("a server");
        };
        server
    }

    async fn copy(&self) -> Result<String, CopyError> {
        let moved = copy(&self.path, self.to()).await;
        moved.map(|moved| moved.to_string())
    }

    /// Takes so many steps, as a process that is killed after them.
    async fn interrupted_after(&self, steps: usize) {
        let mut copying = Copying::open(&self.path, self.to()).await.unwrap();
        for step in 0..steps {
            match step {
                0 => copying.announce(&self.path).await.unwrap(),
                1 => drop(copying.copy_rows().await.unwrap()),
                2 => copying.leave().await.unwrap(),
                _ => copying.arrive().await.unwrap(),
            }
        }
    }
}

async fn change(path: &Path, sql: &str) {
    let pool = sqlite::connect(path, Commits::Synced, 1).await.unwrap();
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&pool);
    done.await.unwrap();
    pool.close().await;
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn everything_moves_and_the_new_database_goes_on() {
    let moving = Move::new().await;
    let told = moving.copy().await.unwrap();
    for table in [
        "orders                       3 rows  ",
        "operations                   7 rows  ",
        "refund_attempts              3 rows  ",
        "idempotency_keys             3 rows  ",
        "audit                        2 rows  ",
        "all tables                  41 rows  ",
    ] {
        assert!(told.contains(table), "{told}");
    }
    let empty = told.lines().filter(|line| line.contains(" 0 rows"));
    assert_eq!(empty.count(), 0, "{told}");

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
    let found = db.order("a").await.unwrap().unwrap();
    assert_eq!(found.customer.first_name.as_deref(), Some("Ñandú 🦤"));
    let running = "SELECT count(*) FROM idempotency_keys WHERE running_until IS NOT NULL";
    assert_eq!(count(&moving.place, running).await, 0);

    // The next rows have numbers of their own.
    db.add_order(&order("order")).await.unwrap();
    assert_eq!(db.put(&record()).await.unwrap(), Reservation::Reserved);
    let act = AuditRecord {
        staff: "ana".to_owned(),
        action: AuditAction::Purge,
        key: None,
        detail: String::new(),
    };
    db.audit(&act).await.unwrap();
    let event = "INSERT INTO events (event_id, type, order_id, created_at, body)
        VALUES ('e4', 'order.paid', 'a', 1, '{}')";
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
        "UPDATE reversals SET state = 'sending' WHERE reversal_id = 'v2'",
    ] {
        assert!(sqlx::raw_sql(wrong).execute(&mut connection).await.is_err());
    }
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn a_database_that_was_moved_is_used_by_nobody() {
    let moving = Move::new().await;
    moving.copy().await.unwrap();
    let refused = Db::open_file(&moving.path).await.err().unwrap().to_string();
    let to = moving.to().to_string();
    let wanted = format!(" was moved to {to}; name that one, and remove the old one");
    assert!(refused.ends_with(&wanted), "{refused}");
    let old = DatabaseAddress::File(moving.path.clone());
    let looked = inspect(&old).await;
    assert!(matches!(looked, Err(DatabaseError::Moved { .. })));
    let purge = PurgeFile::open(&old).await.err().unwrap();
    assert!(matches!(purge, BesideError::Moved(_)));
    let again = moving.copy().await.unwrap_err();
    assert!(matches!(again, CopyError::Already { .. }), "{again}");
    let elsewhere = Place::server().await;
    let DatabaseAddress::Server(server) = elsewhere.address() else {
        panic!("a server");
    };
    let again = copy(&moving.path, server).await.unwrap_err();
    assert!(matches!(again, CopyError::Elsewhere { .. }), "{again}");
    let looked = inspect(moving.place.address()).await.unwrap();
    assert_eq!(looked, Inspected::Restored);
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn interrupted_anywhere_one_at_the_most_starts_and_a_repetition_finishes() {
    for (steps, old, new) in [
        (1, true, false),
        (2, true, false),
        (3, false, false),
        (4, false, true),
    ] {
        let moving = Move::new().await;
        moving.interrupted_after(steps).await;
        let started = Db::open_file(&moving.path).await;
        assert_eq!(started.is_ok(), old, "{steps} steps");
        if let Ok(db) = started {
            // It goes on until somebody repeats the copy.
            db.add_order(&order("since")).await.unwrap();
            db.close().await;
        }
        let looked = inspect(moving.place.address()).await;
        assert_eq!(looked.is_ok(), new, "{steps} steps");
        let started = moving.place.try_open().await;
        assert_eq!(started.is_ok(), new, "{steps} steps");
        match moving.copy().await {
            Ok(_) => assert!(steps < 4),
            Err(error) => assert!(matches!(error, CopyError::Already { .. }), "{error}"),
        }
        assert!(Db::open_file(&moving.path).await.is_err());
        let db = moving.place.open().await;
        assert_eq!(db.order("since").await.unwrap().is_some(), old);
    }
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn nothing_is_copied_over_anything() {
    let moving = Move::new().await;
    let used = Place::server().await;
    used.open().await.close().await;
    let DatabaseAddress::Server(server) = used.address() else {
        panic!("a server");
    };
    let refused = copy(&moving.path, server).await.unwrap_err();
    assert!(matches!(refused, CopyError::NotEmpty(_)), "{refused}");
    let foreign = Place::server().await;
    run(&foreign, "CREATE TABLE moves (x bigint)").await;
    let DatabaseAddress::Server(server) = foreign.address() else {
        panic!("a server");
    };
    let refused = copy(&moving.path, server).await.unwrap_err();
    assert!(matches!(refused, CopyError::NotEmpty(_)), "{refused}");
    moving.interrupted_after(2).await;
    let other = Move::new().await;
    let refused = copy(&other.path, moving.to()).await.unwrap_err();
    assert!(matches!(refused, CopyError::OfAnother { .. }), "{refused}");
    for path in [&moving.path, &other.path] {
        Db::open_file(path).await.unwrap().close().await;
    }
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn a_database_in_use_is_not_moved() {
    let moving = Move::new().await;
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
#[ignore = "cargo xtask test --only postgres"]
async fn what_the_new_database_cannot_keep_is_said_and_the_old_one_goes_on() {
    let moving = Move::new().await;
    change(
        &moving.path,
        "UPDATE orders SET customer = 'canary' || char(0) WHERE order_id = 'a'",
    )
    .await;
    let told = moving.copy().await.unwrap_err().to_string();
    let wanted = "row 1 of the table orders has the character U+0000 in customer, ";
    assert!(
        told.starts_with(wanted) && !told.contains("canary"),
        "{told}"
    );
    Db::open_file(&moving.path).await.unwrap().close().await;
    let refused = moving.place.try_open().await.err().unwrap();
    assert!(matches!(&refused, DatabaseError::Unfinished { .. }));

    // Without its references checked, SQLite keeps rows that PostgreSQL refuses.
    change(
        &moving.path,
        "UPDATE orders SET customer = '{}' WHERE order_id = 'a';
         PRAGMA foreign_keys = OFF; INSERT INTO order_sessions VALUES ('canary', 'canary', 1)",
    )
    .await;
    let told = moving.copy().await.unwrap_err().to_string();
    let wanted = "PostgreSQL does not take the rows of the table order_sessions (";
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
