//! `merchant-backend compare`: compares a statement of the payment service with the stored operations,
//! while the server may run.

use crate::database_address::DatabaseAddress;
use crate::db::{AdminDb, AdminDbError, DbError};
use csv::{ReaderBuilder, StringRecord, Trim};
use payment_rules::compare_statement::{Compared, StatementLine};
use payment_rules::operation::OperationKey;
use std::fmt;
use std::path::Path;

/// The lines of one transaction, for which the running server's writes wait.
const BATCH_LINES: usize = 100;

const COLUMNS: [&str; 4] = [
    "merchant_code",
    "merchant_operation_number",
    "state",
    "amount",
];

/// The lines of a statement, each with the result of its comparison.
#[derive(Debug)]
pub(crate) struct Statement(Vec<(StatementLine, Compared)>);

/// A statement that was not, or not completely, compared. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StatementError {
    #[error("--statement: {0} cannot be read ({1}); name a file in CSV")]
    Unreadable(String, String),
    #[error(
        "--statement: the first line has no column {0}; name merchant_code, merchant_operation_number, state and amount there"
    )]
    NoColumn(&'static str),
    #[error(transparent)]
    Database(#[from] AdminDbError),
    #[error("the comparison stopped: {0}; run it again")]
    Stopped(#[from] DbError),
}

impl Statement {
    /// The number of lines that differ from the stored operations.
    pub(crate) fn differences(&self) -> usize {
        let differs = |compared: &Compared| *compared != Compared::Same;
        self.0.iter().filter(|(_, one)| differs(one)).count()
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (line, compared) in &self.0 {
            let (code, number) = (&line.key.merchant_code, &line.key.number);
            let (code, number) = (code.as_str(), number.as_str());
            match compared {
                Compared::Same => {}
                Compared::Differs(detail) => writeln!(f, "{code} {number}: {detail}")?,
                Compared::Unknown => {
                    let (state, amount) = (&line.state, &line.amount);
                    writeln!(
                        f,
                        "{code} {number}: the statement says {state} and {amount}, the server has no such operation"
                    )?;
                }
            }
        }
        let (lines, differ) = (self.0.len(), self.differences());
        writeln!(f, "lines: {lines}; not as the server knows it: {differ}")
    }
}

/// Compares every line, and records a difference of a known operation as an exception for staff.
///
/// # Errors
/// The file or the database cannot be read or written.
pub(crate) async fn compare(
    database: &DatabaseAddress,
    file: &Path,
) -> Result<Statement, StatementError> {
    let lines = read(file)?;
    let beside = AdminDb::open(database).await?;
    let mut all = Vec::with_capacity(lines.len());
    for batch in lines.chunks(BATCH_LINES) {
        let compared = beside.compare(batch).await?;
        all.extend(batch.iter().cloned().zip(compared));
    }
    beside.close().await;
    Ok(Statement(all))
}

fn read(file: &Path) -> Result<Vec<StatementLine>, StatementError> {
    let unreadable = |error: csv::Error| {
        StatementError::Unreadable(file.display().to_string(), error.to_string())
    };
    let reader = ReaderBuilder::new().trim(Trim::All).from_path(file);
    let mut reader = reader.map_err(unreadable)?;
    let headings = reader.headers().map_err(unreadable)?.clone();
    let mut places = [0; COLUMNS.len()];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        // A spreadsheet may begin the file with a byte order mark.
        let is_it = |heading: &str| heading.trim_start_matches('\u{feff}') == column;
        let found = headings.iter().position(is_it);
        *place = found.ok_or(StatementError::NoColumn(column))?;
    }
    let line = |record: StringRecord| {
        let [code, number, state, amount] =
            places.map(|place| record.get(place).unwrap_or_default().to_owned());
        StatementLine {
            key: OperationKey::new(code, number),
            state,
            amount,
        }
    };
    let lines = reader.records().map(|record| record.map(line));
    lines.collect::<Result<_, _>>().map_err(unreadable)
}
