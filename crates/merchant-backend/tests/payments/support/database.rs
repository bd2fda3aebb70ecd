//! The database's file, changed as no program of the project does.

use crate::support::stack::Stack;

/// Changes it beside the server.
pub(crate) async fn tamper(stack: &Stack, sql: &str) {
    let url = format!("sqlite://{}", stack.database().display());
    let pool = sqlx::SqlitePool::connect(&url).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))
        .execute(&pool)
        .await
        .unwrap();
    pool.close().await;
}
