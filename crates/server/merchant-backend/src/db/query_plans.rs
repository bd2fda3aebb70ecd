//! Tests that SQLite answers the frequent questions of staff by indexes.

use super::connections::Db;
use super::due::Due;
use super::engine::{Engine, ROW_ID};
use super::exception_list;
use super::payments;
use super::requests::{GIVEN_BACK_IN_A_DAY, GIVEN_BACK_OF_OPERATION};
use super::staff_links::{MADE_IN_A_DAY, StaffLinkCursor, list_statement};
use super::staff_news::{CHANGED_LINKS, changed_rows_sql};
use super::staff_views::{search_order, search_statement};
use crate::clock::instant;
use payment_rules::search::Search;
use sqlx::{AssertSqlSafe, Row};

/// The steps of a statement's plan; unbound parameters are NULL, which changes no plan.
async fn plan(db: &Db, sql: &str) -> Vec<String> {
    let mut connection = db.reader().await.unwrap();
    let rows = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")))
        .fetch_all(&mut connection)
        .await
        .unwrap();
    rows.iter().map(|row| row.get("detail")).collect()
}

async fn db() -> (tempfile::TempDir, Db) {
    let directory = tempfile::tempdir().unwrap();
    let db = Db::open_file(&directory.path().join("merchant.db")).await;
    (directory, db.unwrap())
}

/// The searches of every day.
pub(super) fn frequent_searches() -> Vec<Search> {
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
    vec![
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
            ..all
        },
    ]
}

/// Support looks for what a payer says.
pub(super) fn by_number() -> Search {
    Search {
        q: Some("7".to_owned()),
        among: vec!["shop".to_owned()],
        ..Search::default()
    }
}

#[tokio::test]
async fn frequent_searches_neither_scan_nor_sort() {
    let (_directory, db) = db().await;
    for search in frequent_searches() {
        let mut sql = search_statement(Engine::Sqlite, &search).unwrap();
        sql.push(search_order(search.sort)).push("51");
        let steps = plan(&db, sql.sql()).await;
        let sorts = steps.iter().any(|step| step.contains("TEMP B-TREE"));
        let scans = steps.iter().any(|step| step == "SCAN o");
        assert!(!sorts && !scans, "{search:?}: {steps:#?}");
    }
    let steps = plan(
        &db,
        search_statement(Engine::Sqlite, &by_number())
            .unwrap()
            .sql(),
    )
    .await;
    assert!(!steps.iter().any(|step| step == "SCAN o"), "{steps:#?}");
}

#[tokio::test]
async fn exceptions_are_found_without_looking_at_every_operation() {
    let (_directory, db) = db().await;
    for sql in [
        exception_list::all_statement(Engine::Sqlite),
        exception_list::some_statement(Engine::Sqlite),
        exception_list::counts_statement(Engine::Sqlite),
    ] {
        let steps = plan(&db, &sql.0).await;
        // Few exceptions are unresolved, and few rows are in these indexes.
        let few = |step: &str| {
            let indexes = ["operations_due", "operations_in_doubt", "requests_open"];
            indexes.iter().any(|index| step.ends_with(index))
        };
        let every = |step: &String| {
            if step.starts_with("SEARCH o USING AUTOMATIC") {
                return true;
            }
            let scanned = step.strip_prefix("SCAN ").unwrap_or_default();
            let all = ["e", "r", "o", "p"];
            all.contains(&scanned.split(' ').next().unwrap()) && !few(step)
        };
        assert!(!steps.iter().any(every), "{}: {steps:#?}", sql.0);
    }
}

#[tokio::test]
async fn what_an_account_gives_back_is_found_without_looking_at_that_of_others() {
    let (_directory, db) = db().await;
    for sql in [GIVEN_BACK_OF_OPERATION, GIVEN_BACK_IN_A_DAY] {
        let steps = plan(&db, sql).await;
        let scans = |step: &String| step.starts_with("SCAN") || step.contains("AUTOMATIC");
        assert!(!steps.iter().any(scans), "{sql}: {steps:#?}");
    }
}

#[tokio::test]
async fn links_and_changes_for_desks_are_found_by_their_time() {
    let (_directory, db) = db().await;
    let after = StaffLinkCursor {
        made_ms: 1,
        order_id: "link-1".to_owned(),
    };
    let list = list_statement(Engine::Sqlite, &["shop".to_owned()], Some(&after), 20);
    for sql in [
        list.unwrap().sql(),
        MADE_IN_A_DAY,
        CHANGED_LINKS,
        &changed_rows_sql(),
    ] {
        let steps = plan(&db, sql).await;
        let slow = |step: &String| {
            let scans = step.starts_with("SCAN l") || step.starts_with("SCAN operations");
            scans || step.contains("AUTOMATIC") || step.contains("TEMP B-TREE")
        };
        assert!(!steps.iter().any(slow), "{sql}: {steps:#?}");
    }
}

#[tokio::test]
async fn the_payments_of_an_order_are_found_without_looking_at_those_of_others() {
    let (_directory, db) = db().await;
    for which in [
        "merchant_code = $1 AND merchant_operation_number = $2",
        "order_id = $1 AND merchant_code = $2",
    ] {
        let sql = payments::select("", which);
        let steps = plan(&db, &sql).await;
        let scans = |step: &String| step.starts_with("SCAN") || step.contains("AUTOMATIC");
        assert!(!steps.iter().any(scans), "{sql}: {steps:#?}");
    }
}

#[tokio::test]
async fn what_is_due_is_found_without_looking_at_all_that_is_planned() {
    let (_directory, db) = db().await;
    for due in Due::ALL {
        for sql in [
            due.take_statement(Engine::Sqlite, ROW_ID),
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
