//! The two engines, and the pieces of SQL in which they differ. SQLite's migrations are in
//! `migrations/sqlite`, PostgreSQL's in `migrations/postgres`.
//!
//! Every other statement of `db` is standard SQL: numbered parameters (`$1`), `ON CONFLICT`
//! with its columns, `IS NOT DISTINCT FROM`, and instants, amounts and flags as integers of 64 bits,
//! JSON as text. No statement returns a truth value or a sum of PostgreSQL's own wide kind, which
//! the common driver cannot read.

mod connection;
pub(super) mod postgres;
pub(super) mod sqlite;

use super::error::DbError;
use serde::Serialize;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe};

pub(super) use connection::{Connection, Pool};

pub(super) type Row = sqlx::any::AnyRow;

/// A number of each row that grows with every new row: SQLite's own, and a counting column of this
/// name on PostgreSQL. The table of events has its own one in `seq`.
pub(super) const ROW_ID: &str = "rowid";

/// How far the clock of a node may be from the clock of PostgreSQL.
const CLOCK_TOLERANCE_MILLIS: i64 = 5_000;

/// The engine behind a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    /// One process, one file, one writer.
    Sqlite,
    /// A server that several processes share.
    Postgres,
}

impl Engine {
    pub(super) fn of(connection: &Connection) -> Self {
        if connection.backend_name() == <sqlx::Postgres as sqlx::Database>::NAME {
            Self::Postgres
        } else {
            Self::Sqlite
        }
    }

    /// The names of all tables and views, without those of an extension of PostgreSQL.
    pub(super) const fn tables(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')
                     AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            }
            Self::Postgres => {
                "SELECT CAST(c.relname AS text) FROM pg_class c
                     JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()
                 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
                     AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid
                         AND d.classid = CAST('pg_class' AS regclass) AND d.deptype = 'e')"
            }
        }
    }

    /// Begins a transaction that may write. SQLite takes its one write lock at once, since a
    /// transaction that reads first and writes later would fail instead of waiting. PostgreSQL
    /// shows each statement what was committed before it, so that a read after a lock is fresh.
    pub(super) const fn begin_to_write(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN ISOLATION LEVEL READ COMMITTED",
        }
    }

    /// Begins a transaction that reads one state.
    pub(super) const fn begin_to_read(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN",
            Self::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }

    /// Locks the rows that a statement in a transaction reads. SQLite locks the whole file.
    pub(super) const fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }

    /// The steady clock by which leases end. On SQLite it is the clock of the one process, bound as this
    /// parameter. Processes that share a server use the clock of the server.
    pub(super) fn steady(self, parameter: u8) -> String {
        match self {
            Self::Sqlite => format!("${parameter}"),
            Self::Postgres => postgres::CLOCK.to_owned(),
        }
    }

    /// A plan made after this instant was made by a clock that was set back since. Nodes know the clock
    /// of PostgreSQL only with a tolerance.
    pub(super) fn ahead(self, now: u8) -> String {
        match self {
            Self::Sqlite => format!("${now}"),
            Self::Postgres => format!("(${now} + {CLOCK_TOLERANCE_MILLIS})"),
        }
    }

    /// The index of a table in a join. The planner of SQLite would build a temporary index each time.
    pub(super) fn indexed_by(self, index: &str) -> String {
        match self {
            Self::Sqlite => format!("INDEXED BY {index}"),
            Self::Postgres => String::new(),
        }
    }

    /// A column for which SQLite must not choose an index.
    pub(super) fn unindexed(self, column: &str) -> String {
        match self {
            Self::Sqlite => format!("+{column}"),
            Self::Postgres => column.to_owned(),
        }
    }

    /// A text in the member `data` of a JSON object of a column, which is the body of an event.
    pub(super) fn text_of_event(self, column: &str, name: &str) -> String {
        match self {
            Self::Sqlite => format!("json_extract({column}, '$.data.{name}')"),
            Self::Postgres => format!("(CAST({column} AS json)->'data'->>'{name}')"),
        }
    }

    /// The texts of a list bound as one parameter; see [`list`].
    pub(super) fn texts(self, parameter: u8) -> String {
        match self {
            Self::Sqlite => format!("(SELECT value FROM json_each(${parameter}))"),
            Self::Postgres => {
                format!("(SELECT json_array_elements_text(CAST(${parameter} AS json)))")
            }
        }
    }

    /// Pairs of texts, bound as one parameter; see [`list`].
    pub(super) fn pairs(self, parameter: u8) -> String {
        let each = match self {
            Self::Sqlite => format!("json_each(${parameter})"),
            Self::Postgres => {
                format!("json_array_elements(CAST(${parameter} AS json)) each(value)")
            }
        };
        format!("(SELECT value->>0, value->>1 FROM {each})")
    }

    /// The numbers of a list bound as one parameter; see [`list`].
    pub(super) fn numbers(self, parameter: u8) -> String {
        match self {
            Self::Sqlite => format!("(SELECT value FROM json_each(${parameter}))"),
            Self::Postgres => format!(
                "(SELECT CAST(json_array_elements_text(CAST(${parameter} AS json)) AS bigint))"
            ),
        }
    }
}

/// A list as one parameter, for [`Engine::texts`], [`Engine::pairs`] and [`Engine::numbers`].
pub(super) fn list<T: Serialize>(values: &[T]) -> Result<String, DbError> {
    Ok(serde_json::to_string(values)?)
}

/// How a connection commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commits {
    /// Every commit waits for the disk.
    Synced,
    /// No commit waits; the database stays whole in any case.
    Async,
}

/// A value to bind.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    Text(String),
    Number(i64),
}

impl From<String> for Bound {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Bound {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Bound {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

/// A statement built at run time, which numbers its parameters itself. The builder of sqlx writes `?`
/// for a parameter of the `Any` driver, which PostgreSQL does not know.
#[derive(Debug)]
pub(super) struct Statement {
    engine: Engine,
    sql: String,
    bound: Vec<Bound>,
}

impl Statement {
    pub(super) fn new(engine: Engine, sql: String) -> Self {
        Self {
            engine,
            sql,
            bound: Vec::new(),
        }
    }

    /// Adds SQL of the program; values from outside are bound.
    pub(super) fn push(&mut self, sql: impl AsRef<str>) -> &mut Self {
        self.sql.push_str(sql.as_ref());
        self
    }

    pub(super) fn push_bind(&mut self, value: impl Into<Bound>) -> &mut Self {
        self.bound.push(value.into());
        let number = self.bound.len();
        self.push(format!("${number}"))
    }

    /// Adds a list of texts.
    pub(super) fn push_texts<T: Serialize>(&mut self, values: &[T]) -> Result<&mut Self, DbError> {
        let parameter = self.bind_list(values)?;
        Ok(self.push(self.engine.texts(parameter)))
    }

    /// Adds a list of numbers.
    pub(super) fn push_numbers(&mut self, values: &[i64]) -> Result<&mut Self, DbError> {
        let parameter = self.bind_list(values)?;
        Ok(self.push(self.engine.numbers(parameter)))
    }

    fn bind_list<T: Serialize>(&mut self, values: &[T]) -> Result<u8, DbError> {
        self.bound.push(Bound::Text(list(values)?));
        u8::try_from(self.bound.len())
            .map_err(|_| DbError::Failed("too many parameters".to_owned()))
    }

    #[cfg(test)]
    pub(super) fn sql(&self) -> &str {
        &self.sql
    }

    /// The values as SQL.
    #[cfg(test)]
    pub(super) fn literals(&self) -> Vec<String> {
        let literal = |value: &Bound| match value {
            Bound::Text(text) => format!("'{}'", text.replace('\'', "''")),
            Bound::Number(number) => number.to_string(),
        };
        self.bound.iter().map(literal).collect()
    }

    pub(super) fn build(self) -> Query<'static, Any, AnyArguments> {
        let query = sqlx::query(AssertSqlSafe(self.sql));
        self.bound
            .into_iter()
            .fold(query, |query, value| match value {
                Bound::Text(text) => query.bind(text),
                Bound::Number(number) => query.bind(number),
            })
    }
}
