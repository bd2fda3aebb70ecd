//! Tests that SQLite answers the frequent questions of staff by indexes.

use super::connections::Db;
use super::due::Due;
use super::engine::Engine;
use super::exceptions;
use super::search::{newest_first, statement};
use crate::clock::instant;
use crate::domain::search::Search;
use sqlx::{AssertSqlSafe, Row};

/// The steps of a statement's plan; unbound parameters are NULL, which changes no plan.
async fn plan(db: &Db, sql: &str) -> Vec<String> {
    let mut connection = db.reader().await.unwrap();
    let rows = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")))
        .fetch_all(&mut *connection)
        .await
        .unwrap();
    rows.iter().map(|row| row.get("detail")).collect()
}

async fn db() -> (tempfile::TempDir, Db) {
    let directory = tempfile::tempdir().unwrap();
    let db = Db::open_file(&directory.path().join("merchant.db")).await;
    (directory, db.unwrap())
}

#[tokio::test]
async fn frequent_searches_neither_scan_nor_sort() {
    let (_directory, db) = db().await;
    let text = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let all = Search {
        among: text(&["shop"]),
        ..Search::default()
    };
    let searches = [
        all.clone(),
        Search {
            states: vec![Some("EXTORNADO".to_owned())],
            ..all.clone()
        },
        Search {
            methods: text(&["CARD"]),
            ..all.clone()
        },
        Search {
            from: Some(instant(0)),
            to: Some(instant(1)),
            ..all.clone()
        },
    ];
    for search in searches {
        let mut sql = statement(Engine::Sqlite, &search).unwrap();
        sql.push(newest_first()).push("51");
        let steps = plan(&db, sql.sql()).await;
        let sorts = steps.iter().any(|step| step.contains("TEMP B-TREE"));
        let scans = steps.iter().any(|step| step == "SCAN o");
        assert!(!sorts && !scans, "{search:?}: {steps:#?}");
    }
    let by_number = Search {
        q: Some("1".to_owned()),
        ..all
    };
    let steps = plan(&db, statement(Engine::Sqlite, &by_number).unwrap().sql()).await;
    assert!(!steps.iter().any(|step| step == "SCAN o"), "{steps:#?}");
}

#[tokio::test]
async fn exceptions_are_found_without_looking_at_every_operation() {
    let (_directory, db) = db().await;
    for sql in [
        exceptions::of_all(Engine::Sqlite),
        exceptions::of_some(Engine::Sqlite),
    ] {
        let steps = plan(&db, &sql.0).await;
        let every = |step: &String| ["SCAN o", "SCAN r", "SCAN p"].contains(&step.as_str());
        assert!(!steps.iter().any(every), "{}: {steps:#?}", sql.0);
    }
}

#[tokio::test]
async fn what_is_due_is_found_without_looking_at_all_that_is_planned() {
    let (_directory, db) = db().await;
    for due in Due::ALL {
        for sql in [
            due.take_statement(Engine::Sqlite, due.id()),
            due.next_statement(Engine::Sqlite),
        ] {
            let steps = plan(&db, &sql).await;
            let scans = |step: &String| step.starts_with("SCAN") && !step.contains("INDEX");
            let all = steps
                .iter()
                .any(|step| scans(step) && step.contains(due.table()));
            assert!(!all, "{sql}: {steps:#?}");
        }
    }
}
