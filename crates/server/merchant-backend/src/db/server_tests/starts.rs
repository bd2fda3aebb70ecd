//! Nodes that start, and servers that none of them uses.

use super::{LEASE, count, nodes, order, request, run};
use crate::clock::{moment, now};
use crate::db::engine::Engine;
use crate::db::lock::Lock;
use crate::db::testing::Place;
use crate::db::{DatabaseError, Inspected, inspect, preconditions};
use payment_rules::idempotency::KeyState;
use payment_rules::operation::fixture::record;
use payment_rules::operation::{OperationRecord, Phase};
use serde_json::Value;

#[tokio::test]
async fn a_node_that_starts_leaves_alone_what_another_one_runs() {
    let Some((place, a, _b)) = nodes().await else {
        return;
    };
    a.add_order(&order("order")).await.unwrap();
    let sent = OperationRecord {
        created_at: now(),
        ..record()
    };
    a.put(&sent).await.unwrap();
    let request = request();
    let claimed = a.claim::<Value>(&request, moment(), LEASE).await.unwrap();
    assert!(claimed.is_ok());
    run(&place, "UPDATE operations SET due_at = 10, planned_at = 5").await;
    assert_eq!(a.take_due(moment(), LEASE, 9).await.unwrap().len(), 1);

    let third = place.open().await;
    let found = third.operation(&sent.key).await.unwrap().unwrap();
    assert_eq!((found.phase, found.live), (Phase::Sending, true));
    let state = third.key_state::<Value>(&request, moment()).await.unwrap();
    assert_eq!(state, Some(KeyState::Running));
    assert!(third.take_due(moment(), LEASE, 9).await.unwrap().is_empty());
    let before = now().saturating_sub(LEASE);
    assert_eq!(third.doubt_abandoned(before, now()).await.unwrap(), 0);
    // Its sender is gone when its time is over.
    let later = now().saturating_add(LEASE);
    assert_eq!(third.doubt_abandoned(later, later).await.unwrap(), 1);
}

#[tokio::test]
async fn nodes_that_start_together_make_the_schema_once() {
    let Some(place) = Place::server().await else {
        return;
    };
    let (one, two, three) = tokio::join!(place.open(), place.open(), place.open());
    for node in [one, two, three] {
        node.ready().await.unwrap();
    }
    let made = count(&place, "SELECT count(*) FROM _sqlx_migrations").await;
    let migrations = preconditions::migrations(Engine::Postgres);
    assert_eq!(usize::try_from(made).unwrap(), migrations.iter().count());
}

#[tokio::test]
async fn a_server_of_another_program_is_left_alone() {
    let Some(place) = Place::server().await else {
        return;
    };
    // An extension brings a view, and is no other program.
    run(&place, "CREATE EXTENSION pg_stat_statements").await;
    assert_eq!(inspect(place.address()).await.unwrap(), Inspected::None);
    run(&place, "CREATE TABLE theirs (x bigint)").await;
    let looked = inspect(place.address()).await;
    assert!(matches!(looked, Err(DatabaseError::Foreign(_))));
    let refused = place.try_open().await.err().unwrap();
    assert!(matches!(&refused, DatabaseError::Foreign(_)), "{refused}");
    let tables = "SELECT count(*) FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'";
    assert_eq!(count(&place, tables).await, 1);
}

#[tokio::test]
async fn it_does_not_start_where_a_commit_may_be_lost() {
    let Some(place) = Place::server().await else {
        return;
    };
    let name: String = {
        let mut connection = place.beside().await;
        let name = sqlx::query_scalar("SELECT CAST(current_database() AS text)");
        name.fetch_one(&mut connection).await.unwrap()
    };
    let sql = format!("ALTER DATABASE {name} SET synchronous_commit = off");
    run(&place, &sql).await;
    let error = place.try_open().await.err().unwrap();
    assert!(
        matches!(&error, DatabaseError::Loses { setting, .. } if *setting == "synchronous_commit")
    );
    assert!(error.to_string().starts_with("DATABASE: postgres://"));
}

#[tokio::test]
async fn it_does_not_start_on_a_standby_or_without_fsync() {
    let Some(server) = test_postgres::own() else {
        return;
    };
    let standby = server.standby().unwrap();
    let standby = Place::first_of(&standby).try_open().await;
    assert!(matches!(standby.err(), Some(DatabaseError::Standby(_))));
    let careless = server.copy_with("-c fsync=off").unwrap();
    let careless = Place::first_of(&careless).try_open().await;
    assert!(matches!(
        careless.err(),
        Some(DatabaseError::Loses {
            setting: "fsync",
            ..
        })
    ));
}

#[tokio::test]
async fn a_commit_that_does_not_wait_changes_no_later_one() {
    let Some((_place, a, _b)) = nodes().await else {
        return;
    };
    for _ in 0..12 {
        a.take_due(moment(), LEASE, 1).await.unwrap();
        let mut writing = a.write(Lock::None).await.unwrap();
        let setting: String = sqlx::query_scalar("SELECT current_setting('synchronous_commit')")
            .fetch_one(&mut *writing)
            .await
            .unwrap();
        assert_eq!(setting, "on");
    }
}
