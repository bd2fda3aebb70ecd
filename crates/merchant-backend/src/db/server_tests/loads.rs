//! How many statements it takes to load what a decision rests on.

use super::{key, nodes, operation, order, pending};
use crate::clock::instant;
use crate::db::Notes;
use crate::db::connections::Db;
use crate::db::ledger_entries::Of;
use crate::db::load_order;
use payment_rules::ledger::Ledger;
use payment_rules::ledger::fixture::reserve;
use payment_rules::operation::OperationRecord;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

/// Counts the statements that this thread sends.
#[derive(Clone, Default)]
struct Statements(Arc<AtomicUsize>);

impl<S: Subscriber> Layer<S> for Statements {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "sqlx::query" {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Loads the order of an operation; how many operations and refund attempts it holds, and the number of
/// statements.
async fn load(db: &Db, number: &str) -> (usize, usize, usize) {
    let statements = Statements::default();
    let mut transaction = db.read().await.unwrap();
    let counting = tracing_subscriber::registry().with(statements.clone());
    let order = {
        let _counts = tracing::subscriber::set_default(counting);
        let loaded = load_order::load(&mut transaction, Of::Operation(&key(number))).await;
        loaded.unwrap().unwrap()
    };
    let attempts = order.payments.iter().map(|one| one.ledger.attempts.len());
    (
        order.payments.len(),
        attempts.sum(),
        statements.0.load(Ordering::Relaxed),
    )
}

#[tokio::test]
#[ignore = "cargo xtask test --only postgres"]
async fn an_order_is_loaded_by_three_statements_whatever_it_holds() {
    let (_place, db, _) = nodes().await;
    db.add_order(&order("order")).await.unwrap();
    pending(&db, "1").await;
    assert_eq!(load(&db, "1").await, (1, 0, 3));
    pending(&db, "2").await;
    pending(&db, "3").await;
    let paid = operation("1", "LIQUIDADO");
    let change = |record: &mut OperationRecord| *record = paid.clone();
    db.change(&key("1"), change).await.unwrap();
    let reserve_two = |ledger: &mut Ledger| {
        reserve(ledger, "first", 100, instant(1));
        reserve(ledger, "second", 100, instant(2));
        ((), Notes::default())
    };
    db.change_ledger(&key("1"), reserve_two).await.unwrap();
    assert_eq!(load(&db, "3").await, (3, 2, 3));
}
