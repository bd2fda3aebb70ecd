//! A statement built at run time. The common driver's own builder writes `?` for a parameter,
//! which PostgreSQL does not know.

use super::{Engine, list};
use crate::db::error::DbError;
use serde::Serialize;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe};

/// A value to bind.
#[derive(Debug, Clone)]
pub(in crate::db) enum Bound {
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

/// A statement, which numbers its parameters itself.
#[derive(Debug)]
pub(in crate::db) struct Statement {
    engine: Engine,
    sql: String,
    bound: Vec<Bound>,
}

impl Statement {
    pub(in crate::db) fn new(engine: Engine, sql: String) -> Self {
        Self {
            engine,
            sql,
            bound: Vec::new(),
        }
    }

    /// Adds text of the program's own; nothing from outside.
    pub(in crate::db) fn push(&mut self, sql: impl AsRef<str>) -> &mut Self {
        self.sql.push_str(sql.as_ref());
        self
    }

    pub(in crate::db) fn push_bind(&mut self, value: impl Into<Bound>) -> &mut Self {
        self.bound.push(value.into());
        let number = self.bound.len();
        self.push(format!("${number}"))
    }

    /// Adds a list of texts.
    pub(in crate::db) fn push_texts<T: Serialize>(
        &mut self,
        values: &[T],
    ) -> Result<&mut Self, DbError> {
        let parameter = self.bind_list(values)?;
        Ok(self.push(self.engine.texts(parameter)))
    }

    /// Adds a list of numbers.
    pub(in crate::db) fn push_numbers(&mut self, values: &[i64]) -> Result<&mut Self, DbError> {
        let parameter = self.bind_list(values)?;
        Ok(self.push(self.engine.numbers(parameter)))
    }

    fn bind_list<T: Serialize>(&mut self, values: &[T]) -> Result<u8, DbError> {
        self.bound.push(Bound::Text(list(values)?));
        u8::try_from(self.bound.len())
            .map_err(|_| DbError::Failed("too many parameters".to_owned()))
    }

    #[cfg(test)]
    pub(in crate::db) fn sql(&self) -> &str {
        &self.sql
    }

    /// The values as SQL.
    #[cfg(test)]
    pub(in crate::db) fn literals(&self) -> Vec<String> {
        let literal = |value: &Bound| match value {
            Bound::Text(text) => format!("'{}'", text.replace('\'', "''")),
            Bound::Number(number) => number.to_string(),
        };
        self.bound.iter().map(literal).collect()
    }

    pub(in crate::db) fn build(self) -> Query<'static, Any, AnyArguments> {
        let query = sqlx::query(AssertSqlSafe(self.sql));
        self.bound
            .into_iter()
            .fold(query, |query, value| match value {
                Bound::Text(text) => query.bind(text),
                Bound::Number(number) => query.bind(number),
            })
    }
}
