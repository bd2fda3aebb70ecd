//! A server that has taken over without every commit, as a running node sees it.

use super::{count, nodes, operation, order, run};
use crate::clock::now;
use crate::db::acknowledged_commits::{log_position, standbys_may_lack};
use crate::db::testing::{Place, of_shop};
use crate::db::{CompareCommitsOutcome, Db, standbys_may_lack_commits};
use payment_rules::operation::OperationRecord;
use std::time::Duration;

#[tokio::test]
async fn a_server_that_lacks_commits_sets_the_fence_by_itself() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    for node in [&a, &b, &a, &b] {
        assert_eq!(
            node.compare_commits().await.unwrap(),
            CompareCommitsOutcome::Same
        );
    }
    a.add_order(&order("order")).await.unwrap();
    let made = OperationRecord {
        created_at: now(),
        ..operation("1", "PENDIENTE")
    };
    a.put(&made).await.unwrap();
    let awaits_comparison = async |node: &Db| {
        let order = node
            .order_with_payments(&of_shop("order"))
            .await
            .unwrap()
            .unwrap();
        order.payments[0].ledger.awaits_comparison
    };
    assert!(!awaits_comparison(&a).await);
    // A standby takes over that lacks the last commit of each node.
    run(&place, "UPDATE node_commits SET written = written - 1").await;
    assert_eq!(
        a.compare_commits().await.unwrap(),
        CompareCommitsOutcome::Lost
    );
    let fence = a.fence().await.unwrap();
    assert!(fence.is_some());
    assert!(awaits_comparison(&b).await);
    // The other node finds its own loss, and the fence covers it.
    assert_eq!(
        b.compare_commits().await.unwrap(),
        CompareCommitsOutcome::Lost
    );
    assert_eq!(b.fence().await.unwrap(), fence);
    let records = "SELECT count(*) FROM audit WHERE action = 'restore'";
    assert_eq!(count(&place, records).await, 1);
    // Once is enough.
    b.end_fence().await.unwrap();
    for node in [&a, &b] {
        assert_eq!(
            node.compare_commits().await.unwrap(),
            CompareCommitsOutcome::Same
        );
    }
    assert_eq!(a.fence().await.unwrap(), None);
    // A server without the row of a node lacks its commits too.
    run(&place, "DELETE FROM node_commits").await;
    assert_eq!(
        b.compare_commits().await.unwrap(),
        CompareCommitsOutcome::Lost
    );
    assert!(a.fence().await.unwrap().is_some());
}

#[tokio::test]
async fn nothing_is_written_to_a_server_that_lacks_commits_before_the_fence_is_there() {
    let Some((place, node, _)) = nodes().await else {
        return;
    };
    for _ in 0..2 {
        node.compare_commits().await.unwrap();
    }
    // A standby takes over that lacks the last commit, and every connection is a new one.
    run(&place, "UPDATE node_commits SET written = written - 1").await;
    run(
        &place,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    .await;
    let early = node.add_order(&order("early")).await;
    assert!(early.is_err_and(|error| error.is_away()));
    assert_eq!(
        node.compare_commits().await.unwrap(),
        CompareCommitsOutcome::Lost
    );
    assert!(node.fence().await.unwrap().is_some());
    node.add_order(&order("late")).await.unwrap();
}

#[tokio::test]
async fn an_ordinary_user_may_read_what_a_comparison_needs() {
    let Some(server) = test_postgres::own() else {
        return;
    };
    let place = Place::first_of(&server);
    let _standby = server.standby().unwrap();
    // No commit waits for the standby, which connects a moment after its start.
    let connects = async {
        while !standbys_may_lack_commits(place.address()).await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), connects)
        .await
        .unwrap();
    let mut connection = place.beside().await;
    let sql = format!(
        "BEGIN; CREATE ROLE ordinary_{0}; SET ROLE ordinary_{0}",
        std::process::id()
    );
    let become_ordinary = sqlx::raw_sql(sqlx::AssertSqlSafe(sql));
    become_ordinary.execute(&mut connection).await.unwrap();
    let log = log_position(&mut connection).await;
    assert!(log.unwrap().is_some());
    assert!(standbys_may_lack(&mut connection).await.unwrap());
    let careless = server.copy_with("-c fsync=off").unwrap();
    let careless = Place::first_of(&careless);
    assert!(!standbys_may_lack_commits(careless.address()).await);
}
