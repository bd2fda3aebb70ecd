//! Standbys that may lack commits when they take over.

use crate::db::standbys_may_lack_commits;
use crate::db::testing::Place;
use std::time::Duration;

#[tokio::test]
async fn an_ordinary_user_sees_standbys_that_may_lack_commits() {
    let Some(server) = test_postgres::own() else {
        return;
    };
    let place = Place::first_of(&server);
    let db = place.open().await;
    assert!(!db.standbys_may_lack_commits().await.unwrap());
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
    assert!(db.standbys_may_lack_commits().await.unwrap());
    let mut connection = place.beside().await;
    let sql = format!(
        "BEGIN; CREATE ROLE ordinary_{0}; SET ROLE ordinary_{0}",
        std::process::id()
    );
    let become_ordinary = sqlx::raw_sql(sqlx::AssertSqlSafe(sql));
    become_ordinary.execute(&mut connection).await.unwrap();
    let seen = crate::db::engine::postgres::standbys_may_lack_commits(&mut connection).await;
    assert!(seen.unwrap());
    let careless = server.copy_with("-c fsync=off").unwrap();
    let careless = Place::first_of(&careless);
    assert!(!standbys_may_lack_commits(careless.address()).await);
}
