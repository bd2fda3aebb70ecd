//! A file and a database for tests of the copy, and copies that stop half-way.

use crate::clock::instant;
use crate::database_address::{DatabaseAddress, ServerAddress};
use crate::db::connections::Db;
use crate::db::copy::file::{HeldFile, OldFile};
use crate::db::copy::target::Target;
use crate::db::copy::{CopyError, abandon};
use crate::db::engine::{Commits, sqlite};
use crate::db::testing::{Place, of_shop};
use crate::db::{Inspected, inspect};
use crate::maintenance::copy;
use payment_rules::ledger::fixture::{reserve, returned, reversal};
use payment_rules::ledger::{Ledger, LedgerEntries, Purpose};
use payment_rules::operation::fixture::{operation, reading, record, transaction};
use payment_rules::operation::{OperationKey, OperationRecord, Phase};
use payment_rules::payment::Payment;
use sqlx::AssertSqlSafe;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Rows of every table, an operation in every phase, and every kind of key.
const ROWS: &str = "
    INSERT INTO orders (order_id, session_hash, created_at, amount, currency, items, customer,
        state, paid_twice, merchant_code, purged_at, described_at, order_key_hash)
    VALUES ('a', 's', 1, 500, 'PEN', '[]', '{\"first_name\":\"Ñandú 🦤\"}', 'open', 0, 'shop', NULL, 5, 'h'),
        ('B', 's', 2, 500, 'PEN', '[]', '{}', 'paid', 1, 'shop', 9, NULL, NULL),
        ('é', 's', 3, 500, 'PEN', '[]', '', 'open', 0, 'shop', NULL, NULL, NULL);
    UPDATE orders SET label = 'R-1007', methods = '[\"QR\"]' WHERE order_id = 'a';
    INSERT INTO refused_codes VALUES ('shop', 2, 1);
    INSERT INTO order_numbers VALUES ('order', 1007);
    INSERT INTO order_sessions VALUES ('shop', 'a', 's', 1, 0), ('shop', 'a', 'S', 2, 1), ('shop', 'é', 's', 3, 0);
    INSERT INTO operations (rowid, merchant_code, merchant_operation_number, order_id, phase, live,
        method_name, amount, currency, callback_hash, created_at, changed_at, failures, state,
        outcome, document, due_at, planned_at)
    VALUES (7, 'shop', 'sent', 'a', 'sending', 1, 'QR', 500, 'PEN', '1', 1, 1, 0, NULL, NULL, '{sent}', NULL, NULL),
        (8, 'shop', 'doubt', 'a', 'in_doubt', 0, 'QR', 500, 'PEN', '2', 1, 1, 0, NULL, NULL, '{doubt}', 4, 3),
        (9, 'shop', 'refused', 'a', 'refused', 0, 'QR', 500, 'PEN', '3', 1, 1, 0, NULL, NULL, '{refused}', NULL, NULL),
        (10, 'shop', 'paid', 'B', 'known', 0, 'QR', 500, 'PEN', '4', 1, 1, 0, 'LIQUIDADO', 'paid', '{paid}', NULL, NULL),
        (11, 'shop', 'waits', 'é', 'known', 1, 'QR', 500, 'PEN', '5', 1, 1, 2, 'PENDIENTE', NULL, '{waits}', 4000000000000, 5),
        (12, 'shop', 'lost', 'B', 'lost', 0, 'QR', 500, 'PEN', '6', 1, 1, 0, NULL, NULL, '{lost}', NULL, NULL),
        (13, 'shop', 'again', 'B', 'known', 0, 'QR', 500, 'PEN', '7', 1, 1, 0, 'LIQUIDADO', 'paid', '{again}', NULL, NULL);
    INSERT INTO requests VALUES ('r', 'refund', 'shop', 'paid', 'ana', 'k', 1, NULL, 100, 'sending', 1),
        ('v', 'reversal', 'shop', 'doubt', NULL, NULL, 1, 1, 500, 'sending', 0),
        ('m', 'return', 'shop', 'waits', 'ana', 'o', 1, NULL, 500, 'done', 1);
    INSERT INTO refund_watches (merchant_code, merchant_operation_number, due_at, failures,
        asked_at, complete_at, planned_at, leased_until)
    VALUES ('shop', 'paid', 5, 0, 1, 1, 3, 77);
    INSERT INTO exceptions VALUES ('shop', 'waits', 0, 'given_back_beyond', 1, NULL, 'too much');
    INSERT INTO resolved_exceptions VALUES ('shop', 'again', 'paid_twice', 1, 'ana', 2, 'done');
    INSERT INTO events (seq, event_id, type, merchant_code, order_id, created_at, body)
    VALUES (40, 'e1', 'order.paid', 'shop', 'B', 1, '{}'), (41, 'e2', 'order.paid_twice', 'shop', 'B', 1, '{}'),
        (90, 'e3', 'order.paid', 'shop', 'B', 1, '{}');
    DELETE FROM events WHERE seq = 90;
    INSERT INTO event_receivers VALUES ('erp', '[\"order.paid\"]', 1, 2, 41);
    INSERT INTO deliveries (event_seq, receiver, merchant_code, order_id, due_at, delivered_at)
    VALUES (40, 'erp', 'shop', 'B', NULL, 2), (41, 'erp', 'shop', 'B', 3, NULL),
        (40, 'shop', 'shop', 'B', 4, NULL);
    INSERT INTO idempotency_keys (sender_kind, sender, key, fingerprint, merchant_code, order_id,
        created_at, running_until, answer)
    VALUES ('payer', 's', 'answered', 'f', 'shop', 'a', 1, NULL, '{\"operation\":{}}'),
        ('payer', 's', 'runs', 'f', 'shop', 'a', 1, 4000000000000, NULL),
        ('staff', 'ana', 'answered', 'f', NULL, NULL, 1, NULL, '{}');
    INSERT INTO staff_sessions (hash, name, created_at, used_at, confirmed_at) VALUES ('h', 'ana', 1, 1, 1);
    INSERT INTO staff_second_factors VALUES ('ana', 'sealed', 1, 58790000, '[\"hash\"]', 'code', 4000000000000, 'sealed', 'h');
    INSERT INTO staff_wrong_codes VALUES ('ana', '', 5, 1), ('ana', 'device', 1, 1);
    INSERT INTO closed_orders VALUES ('shop', 'B', 'erp', 1, 0);
    INSERT INTO pay_links VALUES ('handle', 'shop', 'B', 1, 1, 9, NULL);
    INSERT INTO staff_links VALUES ('shop', 'B', 'ana', 'k', 'f', 1, NULL, 1), ('shop', 'a', 'ana', 'l', 'f', 1, 2, 2);
    INSERT INTO api_keys VALUES ('erp', 'h', 'shop', '[\"read\"]', NULL, 500, 1, NULL);
    INSERT INTO fence VALUES (1, 0);
    INSERT INTO transaction_hints VALUES ('shop', 'doubt', 't', -9223372036854775808, 0),
        ('shop', 'doubt', '\"\\\\u0041' || char(1, 9, 10, 13, 127, 8232), 9223372036854775807, 0),
        ('shop', 'doubt', '', 9007199254740993, 0);
    INSERT INTO audit (id, at, staff, action, merchant_code, merchant_operation_number, detail)
    VALUES (3, 1, 'ana', 'refund', 'shop', 'paid', 'why'), (4, 1, 'ana', 'search', NULL, NULL, '')";

/// The payments of these rows, as their documents have them.
fn payments() -> Vec<Payment> {
    let of = |number: &str, order: &str, phase, state: Option<&str>| {
        let told = state.map(|state| operation(&transaction(state, &[state])));
        let operation = OperationRecord {
            key: OperationKey::new("shop", number),
            order_id: order.to_owned(),
            phase,
            amount: 500,
            live: matches!(number, "sent" | "waits"),
            callback_hash: number.to_owned(),
            announced_at: told.as_ref().map(|_| instant(1)),
            operation: told,
            ..record()
        };
        let ledger = Ledger::new(&operation, LedgerEntries::default());
        Payment::new(operation, ledger)
    };
    let mut paid = of("paid", "B", Phase::Known, Some("LIQUIDADO"));
    reserve(&mut paid.ledger, "r", 100, instant(1));
    let mut doubt = of("doubt", "a", Phase::InDoubt, None);
    let cancel = reversal("v", Purpose::SettleDoubt, instant(1));
    doubt.ledger.reserve_reversal(cancel, reading(instant(1)));
    let mut waits = of("waits", "é", Phase::Known, Some("PENDIENTE"));
    let mut made = of("again", "B", Phase::Known, Some("LIQUIDADO")).ledger;
    made.give_back(returned("m", 500, true), instant(1))
        .unwrap();
    waits.ledger.returns = made.returns;
    vec![
        of("sent", "a", Phase::Sending, None),
        doubt,
        of("refused", "a", Phase::Refused, None),
        paid,
        waits,
        of("lost", "B", Phase::Lost, None),
        of("again", "B", Phase::Known, Some("LIQUIDADO")),
    ]
}

/// A file with such rows, and an empty database of a server.
pub(super) struct Move {
    _directory: TempDir,
    pub(super) path: PathBuf,
    pub(super) place: Place,
}

impl Move {
    /// `None` if PostgreSQL is not installed.
    pub(super) async fn new() -> Option<Self> {
        let place = Place::server().await?;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("merchant.db");
        Db::open_file(&path).await.unwrap().close().await;
        let mut rows = ROWS.to_owned();
        for payment in payments() {
            let number = payment.operation.key.number.as_str();
            let document = payment.to_document(None).unwrap();
            rows = rows.replace(&format!("'{{{number}}}'"), &format!("'{document}'"));
        }
        change(&path, &rows).await;
        Some(Self {
            _directory: directory,
            path,
            place,
        })
    }

    pub(super) fn to(&self) -> &ServerAddress {
        server(&self.place)
    }

    pub(super) async fn copy(&self) -> Result<String, CopyError> {
        copy(&self.path, self.to()).await
    }

    pub(super) async fn abandon(&self) -> Result<(), CopyError> {
        abandon(&self.path, self.to()).await
    }

    pub(super) async fn ends(&self) -> (HeldFile, Target) {
        let file = OldFile::take(&self.path).await.unwrap();
        let target = Target::open(self.to()).await.unwrap();
        (file.hold().await.unwrap(), target)
    }

    /// Runs the first steps of a copy and stops there, as a killed process does.
    pub(super) async fn interrupted_after(&self, steps: usize) {
        let (mut file, mut target) = self.ends().await;
        if steps == 0 {
            return;
        }
        let to = target.name.clone();
        let filled = target.fill(file.rows()).await.unwrap();
        if steps == 1 {
            return;
        }
        let _marked = file.mark(&to).await.unwrap();
        if steps == 2 {
            return;
        }
        filled.commit().await.unwrap();
    }

    /// True for the file, and for the new database, if a server starts on it and finds the orders.
    pub(super) async fn usable(&self) -> (bool, bool) {
        let file = Db::open_file(&self.path).await;
        if let Ok(db) = &file {
            assert!(db.order(&of_shop("a")).await.unwrap().is_some());
            db.close().await;
        }
        let looked = inspect(self.place.address()).await.unwrap();
        (file.is_ok(), looked != Inspected::None)
    }
}

pub(super) fn server(place: &Place) -> &ServerAddress {
    let DatabaseAddress::Server(server) = place.address() else {
        panic!("a server");
    };
    server
}

pub(super) async fn change(path: &Path, sql: &str) {
    let pool = sqlite::connect(path, Commits::Synced, 1).await.unwrap();
    let mut connection = pool.acquire().await.unwrap();
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection);
    done.await.unwrap();
    drop(connection);
    pool.close().await;
}
