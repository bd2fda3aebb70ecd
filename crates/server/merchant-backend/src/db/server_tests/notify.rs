//! The changes that one node tells the others.

use super::{becomes, key, nodes, order, pending, request, run};
use crate::clock::moment;
use crate::db::Change;
use serde_json::Value;
use std::time::Duration;

#[tokio::test]
async fn a_change_is_told_to_the_others_when_it_is_committed_and_not_to_its_own_node() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    let mut heard = b.listen().await.unwrap().unwrap();
    let own = a.listen().await.unwrap().unwrap();
    becomes(a.clone(), "1", "AUTORIZADO").await;
    let told = heard.next().await.unwrap();
    assert_eq!(told, Some(Change::Operation(key("1"))));

    let request = request();
    let claim = a.claim::<Value>(&request, moment(), Duration::from_mins(1));
    let claim = claim.await.unwrap().unwrap();
    a.end(&claim, Some(&serde_json::json!(1))).await.unwrap();
    let told = heard.next().await.unwrap();
    assert_eq!(told, Some(Change::Key(request.sender, request.key)));

    // A node gets no notification of its own changes: the next one is another node's.
    let mut own = own;
    becomes(b, "1", "LIQUIDADO").await;
    let told = own.next().await.unwrap();
    assert_eq!(told, Some(Change::Operation(key("1"))));
    let rest = tokio::time::timeout(Duration::from_millis(300), own.next());
    assert!(rest.await.is_err());
    drop(place);
}

#[tokio::test]
async fn a_listener_says_that_it_may_have_missed_something() {
    let Some((place, a, b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    pending(&a, "1").await;
    let mut heard = b.listen().await.unwrap().unwrap();
    run(
        &place,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    )
    .await;
    assert_eq!(heard.next().await.unwrap(), None);
    // It listens again on another connection. A poll finds the change whose notification was lost.
    becomes(a.clone(), "1", "AUTORIZADO").await;
    let told = heard.next().await.unwrap();
    assert_eq!(told, Some(Change::Operation(key("1"))));
    let found = b.changed_since(crate::clock::instant(0)).await;
    assert_eq!(found.unwrap(), [key("1")]);
}
