use super::migrations;
use crate::database_address::DatabaseAddress;
use crate::db::connections::Db;
use crate::db::engine::{Commits, Engine, sqlite};
use crate::db::{DatabaseError, inspect};
use sqlx::AssertSqlSafe;
use std::path::Path;

async fn run(path: &Path, sql: &str) {
    let pool = sqlite::connect(path, Commits::Synced, 1).await.unwrap();
    let mut connection = pool.acquire().await.unwrap();
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection);
    done.await.unwrap();
    drop(connection);
    pool.close().await;
}

#[test]
fn a_change_of_the_schema_has_one_version_on_both_engines() {
    let versions = |engine| {
        let migrations = migrations(engine);
        let versions = migrations
            .iter()
            .map(|one| (one.version, one.description.clone()));
        versions.collect::<Vec<_>>()
    };
    assert_eq!(versions(Engine::Sqlite), versions(Engine::Postgres));
}

#[tokio::test]
async fn a_file_of_another_program_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    let address = DatabaseAddress::File(path.clone());
    let refused = async || {
        let looked = inspect(&address).await;
        let opened = Db::open_file(&path).await.err();
        (looked.err(), opened)
    };
    std::fs::write(&path, "").unwrap();
    // The name of no table of ours.
    run(&path, "CREATE TABLE theirs (x)").await;
    let foreign = Some(DatabaseError::Foreign(path.display().to_string()).to_string());
    let (looked, opened) = refused().await;
    assert_eq!(looked.map(|error| error.to_string()), foreign);
    assert_eq!(opened.map(|error| error.to_string()), foreign);
    run(&path, "DROP TABLE theirs").await;
    Db::open_file(&path).await.unwrap().close().await;
    // Another program that has migrations of its own.
    run(
        &path,
        "UPDATE _sqlx_migrations SET checksum = x'00'; DROP TABLE order_sessions",
    )
    .await;
    let (looked, opened) = refused().await;
    assert_eq!(looked.map(|error| error.to_string()), foreign);
    assert_eq!(opened.map(|error| error.to_string()), foreign);
}

#[tokio::test]
async fn tables_of_another_build_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("merchant.db");
    Db::open_file(&path).await.unwrap().close().await;
    run(&path, "UPDATE _sqlx_migrations SET checksum = x'00'").await;
    let named = Some(DatabaseError::OtherBuild(path.display().to_string()).to_string());
    let opened = Db::open_file(&path).await.err();
    assert_eq!(opened.map(|error| error.to_string()), named);
    let looked = inspect(&DatabaseAddress::File(path)).await.err();
    assert_eq!(looked.map(|error| error.to_string()), named);
}
