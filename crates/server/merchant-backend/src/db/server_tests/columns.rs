//! A newer version adds a column while this one runs.

use super::{LEASE, key, nodes, order, pending, run};
use crate::clock::{instant, moment};
use crate::db::connections::Db;
use crate::db::testing::{RECEIVER, of_shop};
use payment_rules::operation::OperationRecord;
use payment_rules::operation::fixture::record;
use payment_rules::order::{OrderFacts, ShopOrder};

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
