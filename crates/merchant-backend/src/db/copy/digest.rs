//! SHA-256 of rows: each value with its kind and its length, so that no two tables of different
//! rows are written alike.

use super::tables::Shape;
use super::value::Value;
use ring::digest::{Context, SHA256};

/// The rows of a table, counted and summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableDigest {
    pub(crate) table: &'static str,
    pub(crate) rows: u64,
    /// In hexadecimal digits.
    pub(crate) digest: String,
}

/// Sums rows up in their order.
pub(super) struct Summing {
    table: &'static str,
    rows: u64,
    context: Context,
}

impl Summing {
    pub(super) fn new(shape: &Shape) -> Self {
        let mut context = Context::new(&SHA256);
        text(&mut context, shape.table.name);
        for column in &shape.columns {
            text(&mut context, &column.name);
        }
        Self {
            table: shape.table.name,
            rows: 0,
            context,
        }
    }

    pub(super) fn add(&mut self, row: &[Value]) {
        self.rows = self.rows.saturating_add(1);
        for value in row {
            match value {
                Value::Text(Some(value)) => text(&mut self.context, value),
                Value::Number(Some(value)) => {
                    self.context.update(b"n");
                    self.context.update(&value.to_be_bytes());
                }
                Value::Text(None) | Value::Number(None) => self.context.update(b"-"),
            }
        }
    }

    pub(super) fn end(self) -> TableDigest {
        TableDigest {
            table: self.table,
            rows: self.rows,
            digest: hexadecimal(self.context),
        }
    }
}

/// One digest of all tables.
pub(super) fn whole(tables: &[TableDigest]) -> String {
    let mut context = Context::new(&SHA256);
    for one in tables {
        text(&mut context, one.table);
        text(&mut context, &one.digest);
    }
    hexadecimal(context)
}

fn text(context: &mut Context, value: &str) {
    let length = u64::try_from(value.len()).unwrap_or(u64::MAX);
    context.update(b"t");
    context.update(&length.to_be_bytes());
    context.update(value.as_bytes());
}

fn hexadecimal(context: Context) -> String {
    let digest = context.finish();
    let digits = digest.as_ref().iter().map(|byte| format!("{byte:02x}"));
    digits.collect()
}
