//! A node that is halted between what it wrote down and the request that moves money.

use super::fleet::Fleet;
use crate::support::database::{let_its_time_pass, tamper, values};
use crate::support::stack::Stack;
use crate::support::wait::until;
use std::time::{Duration, Instant};

/// Longer than a request may leave after what it rests on.
const TOO_LONG: Duration = Duration::from_secs(3);

/// Makes the commit of a new row of this table last a second.
async fn slow_commits_of(stack: &Stack, table: &str) {
    let sql = format!(
        "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql
             AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
         CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON {table}
             DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION linger()"
    );
    tamper(stack, &sql).await;
}

/// Halts a node while the database commits such a row. When this returns, the row is stored, and
/// the node does not know it.
async fn halt_in_its_commit(fleet: &Fleet, node: usize) {
    let lingering = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'PgSleep'";
    until("a commit under way", async || {
        let lingering = values::<i64>(&fleet.stack, lingering).await;
        lingering == [1]
    })
    .await;
    fleet.signal(node, "-STOP");
    // This waits for the end of the commit.
    tamper(&fleet.stack, "DROP FUNCTION linger CASCADE").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn an_authorization_that_others_took_over_never_leaves() {
    let fleet = Fleet::start().await;
    slow_commits_of(&fleet.stack, "operations").await;
    let mut halted = fleet.shopper_of(0, "A-1");
    let asked = tokio::spawn(async move { halted.asks("k").await });
    halt_in_its_commit(&fleet, 0).await;
    let since = Instant::now();
    let_its_time_pass(&fleet.stack).await;
    let mut shopper = fleet.shopper_of(1, "A-1");
    let number = shopper.insists("k").await;
    let stored = "SELECT count(*) FROM operations";
    assert_eq!(values::<i64>(&fleet.stack, stored).await, [2]);
    until("too late", async || since.elapsed() > TOO_LONG).await;
    fleet.signal(0, "-CONT");
    let late = asked.await.unwrap();
    assert_ne!(late.status, 200, "{}", late.text);
    assert!(!late.header("retry-after").is_empty(), "{}", late.text);
    assert_eq!(fleet.shopper_of(0, "A-1").insists("k").await, number);
    assert_eq!(fleet.authorized().await, [number]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn a_cancellation_never_leaves_after_a_payment_that_it_did_not_see() {
    let fleet = Fleet::start().await;
    let mut shopper = fleet.shopper_of(0, "A-1");
    let number = shopper.insists("k").await;
    slow_commits_of(&fleet.stack, "requests").await;
    let (halted, cancelled) = (shopper.payer.clone(), number.clone());
    let asked = tokio::spawn(async move { halted.cancel(&cancelled).await });
    halt_in_its_commit(&fleet, 0).await;
    let since = Instant::now();
    fleet.stack.drive(&number, "pay").await;
    until("too late", async || since.elapsed() > TOO_LONG).await;
    fleet.signal(0, "-CONT");
    asked.await.unwrap();
    shopper.waits_for(&number, "AUTORIZADO").await;
    assert!(fleet.stack.seen("DELETE").await.is_empty());
    assert_eq!(fleet.stack.state_of(&number).await, "AUTORIZADO");
    // The reservation ends, so that the payment can be given back at another time.
    let open = "SELECT count(*) FROM requests WHERE kind = 'reversal' AND state <> 'not_done'";
    until("the end of the reservation", async || {
        values::<i64>(&fleet.stack, open).await == [0]
    })
    .await;
}
