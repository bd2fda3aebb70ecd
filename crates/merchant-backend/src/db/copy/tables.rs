use super::error::CopyError;
use crate::db::engine::{Connection, ROW_ID};
use sqlx::{AssertSqlSafe, Row as _};

/// A table that is copied.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The column that numbers its rows, if there is one. On SQLite it may be hidden.
    pub(super) counter: Option<&'static str>,
}

const fn plain(name: &'static str) -> Table {
    Table {
        name,
        counter: None,
    }
}

const fn counted(name: &'static str, counter: &'static str) -> Table {
    Table {
        name,
        counter: Some(counter),
    }
}

/// Every table but `moves`, each after those that it refers to.
pub(super) const TABLES: [Table; 21] = [
    plain("orders"),
    plain("order_sessions"),
    counted("operations", ROW_ID),
    counted("refund_attempts", ROW_ID),
    counted("refunds", ROW_ID),
    counted("manual_returns", ROW_ID),
    counted("reversals", ROW_ID),
    counted("refund_watches", ROW_ID),
    plain("excesses"),
    plain("differences"),
    plain("block_releases"),
    plain("resolved_exceptions"),
    counted("events", "seq"),
    plain("idempotency_keys"),
    plain("staff_sessions"),
    counted("audit", "id"),
    plain("readiness"),
    plain("fence"),
    plain("transaction_hints"),
    plain("node_commits"),
    plain("order_numbers"),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) is_text: bool,
}

/// The columns of a table, and its order, the same on both engines.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) table: Table,
    pub(super) columns: Vec<Column>,
    /// The columns of its key. Texts are ordered by their bytes.
    key: Vec<Column>,
}

impl Shape {
    /// Asks SQLite, so that no column of a later version is forgotten.
    pub(super) async fn of_file(
        connection: &mut Connection,
        table: Table,
    ) -> Result<Self, CopyError> {
        let name = table.name;
        let sql = format!("SELECT name, type, pk FROM pragma_table_info('{name}') ORDER BY name");
        let rows = sqlx::query(AssertSqlSafe(sql))
            .fetch_all(connection)
            .await?;
        let (mut columns, mut key) = (Vec::new(), Vec::new());
        for row in rows {
            let column = Column {
                name: row.try_get("name")?,
                is_text: row.try_get::<&str, _>("type")? == "TEXT",
            };
            let place: i64 = row.try_get("pk")?;
            if place > 0 {
                key.push((place, column.clone()));
            }
            columns.push(column);
        }
        key.sort_unstable_by_key(|one| one.0);
        if table.counter == Some(ROW_ID) {
            columns.push(Column {
                name: ROW_ID.to_owned(),
                is_text: false,
            });
        }
        Ok(Self {
            table,
            columns,
            key: key.into_iter().map(|one| one.1).collect(),
        })
    }

    /// The columns, as a list for SQL.
    pub(super) fn list(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
        names.join(", ")
    }

    /// The order of the rows; `by_bytes` is what PostgreSQL needs behind a text.
    pub(super) fn order(&self, by_bytes: &str) -> String {
        let part = |column: &Column| match column.is_text {
            true => format!("{}{by_bytes}", column.name),
            false => column.name.clone(),
        };
        let parts: Vec<String> = self.key.iter().map(part).collect();
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::TABLES;
    use crate::db::connections::Db;
    use std::collections::BTreeSet;

    #[tokio::test]
    async fn every_table_is_copied() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("merchant.db");
        let db = Db::open_file(&path).await.unwrap();
        let tables = "SELECT name FROM sqlite_master WHERE type = 'table'
            AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_sqlx%' ESCAPE '\\'";
        let tables: Vec<String> = sqlx::query_scalar(tables)
            .fetch_all(&mut *db.reader().await.unwrap())
            .await
            .unwrap();
        let mut copied: BTreeSet<&str> = TABLES.iter().map(|table| table.name).collect();
        assert_eq!(copied.len(), TABLES.len());
        copied.insert("moves");
        assert_eq!(copied, tables.iter().map(String::as_str).collect());
    }
}
