//! Finds operations for staff: as a page, or as a file of all matches.

use super::Staff;
use crate::db::DbError;
use crate::http::app::App;
use crate::http::problem::{Failure, Problem, ProblemKind};
use crate::staff::{CsvFile, HEADINGS};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use jiff::Timestamp;
use payment_rules::search::Search;
use payment_rules::staff::AuditRecord;
use staff_model::{AuditAction, OperationRow, SearchPage, SearchQuery, WrongField};
use std::io;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// The query of a request, or the error in it.
type Asked = Result<Query<SearchQuery>, QueryRejection>;

/// `GET /api/staff/operations`: a page of the matches.
pub(super) async fn search(
    State(app): State<App>,
    staff: Staff,
    asked: Asked,
) -> Result<Json<SearchPage>, Failure> {
    let (query, search) = read(asked, staff.codes)?;
    let page = app.db.search(&search, app.unsettled_since()).await?;
    Ok(Json(SearchPage {
        operations: page.rows,
        next_cursor: page.next.map(|cursor| cursor.write(&query)),
    }))
}

/// Reads a search among the operations of these merchant codes.
fn read(asked: Asked, codes: Vec<String>) -> Result<(SearchQuery, Search), Problem> {
    let Query(query) = asked.map_err(|rejection| {
        let detail = format!("The query cannot be read: {}.", rejection.body_text());
        Problem::new(ProblemKind::BadRequest, detail)
    })?;
    let mut search = Search::read(&query).map_err(|fault| {
        Problem::new(ProblemKind::BadRequest, format!("{fault}.")).carrying(&WrongField {
            field: fault.field.to_owned(),
        })
    })?;
    search.among = codes;
    Ok((query, search))
}

/// How many operations a file reads from the database at a time.
const CHUNK_ROWS: u32 = 200;

/// `GET /api/staff/operations.csv`: all matches as a file, which is sent while the database reads them.
pub(super) async fn download(
    State(app): State<App>,
    staff: Staff,
    asked: Asked,
) -> Result<Response, Failure> {
    let (_, mut search) = read(asked, staff.codes.clone())?;
    search.limit = CHUNK_ROWS;
    search.after = None;
    let export =
        AuditRecord::without_operation(staff.name(), AuditAction::Export, "a file of operations");
    app.db.audit(&export).await?;
    let day = Timestamp::now().to_zoned(app.config.time_zone.clone());
    let name = format!(
        "attachment; filename=\"operations-{}.csv\"",
        day.strftime("%Y-%m-%d-%H%M")
    );
    let (chunks, body) = mpsc::channel(2);
    app.tasks.spawn(write_file(app.clone(), search, chunks));
    let mut response = Response::new(Body::from_stream(ReceiverStream::new(body)));
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/csv; charset=utf-8"),
    );
    if let Ok(name) = HeaderValue::from_str(&name) {
        headers.insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// The channel for the chunks of a file. An error closes the connection before the end of the answer, so
/// that an incomplete file does not look complete.
type Chunks = mpsc::Sender<io::Result<Bytes>>;

/// Why a file is incomplete.
#[derive(Debug, thiserror::Error)]
enum FileError {
    #[error(transparent)]
    Database(#[from] DbError),
    #[error("a row cannot be written as CSV: {0}")]
    Csv(#[from] csv::Error),
    #[error("the server is stopping")]
    Stopping,
}

async fn write_file(app: App, search: Search, chunks: Chunks) {
    if let Err(error) = write_chunks(&app, search, &chunks).await {
        tracing::error!(%error, "a file of operations was not finished");
        // Fails only if the client closed the connection.
        let _ = chunks.send(Err(io::Error::other("not finished"))).await;
    }
}

async fn write_chunks(app: &App, mut search: Search, chunks: &Chunks) -> Result<(), FileError> {
    let file = CsvFile {
        time_zone: app.config.time_zone.clone(),
    };
    loop {
        let page = app.db.search(&search, app.unsettled_since()).await?;
        let is_first = search.after.is_none();
        let chunk = chunk_of(&file, &page.rows, is_first)?;
        let gone = tokio::select! {
            sent = chunks.send(Ok(chunk)) => sent.is_err(),
            () = app.tasks.stopped() => return Err(FileError::Stopping),
        };
        let Some(next) = page.next.filter(|_| !gone) else {
            return Ok(());
        };
        search.after = Some(next);
    }
}

/// A spreadsheet reads a file without it in the code page of its machine.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Operations as lines of the file, the first of them after the headings.
fn chunk_of(file: &CsvFile, rows: &[OperationRow], is_first: bool) -> csv::Result<Bytes> {
    let mark = if is_first { BYTE_ORDER_MARK } else { "" };
    let mut lines = csv::Writer::from_writer(mark.as_bytes().to_vec());
    if is_first {
        lines.write_record(HEADINGS)?;
    }
    for row in rows {
        lines.write_record(file.line(row))?;
    }
    let lines = lines.into_inner();
    let lines = lines.map_err(|error| io::Error::other(error.to_string()))?;
    Ok(lines.into())
}

#[cfg(test)]
mod tests {
    use axum::extract::Query;
    use staff_model::{Address, SearchQuery};

    #[test]
    fn a_search_that_the_element_writes_into_an_address_is_read() {
        let query = SearchQuery {
            q: "a b&c=%".to_owned(),
            state: "LIQUIDADO none".to_owned(),
            cursor: "x+/=".to_owned(),
            limit: "200".to_owned(),
            ..SearchQuery::default()
        };
        let address = Address::search().with_query(&query.fields());
        let uri = address.path().parse().unwrap();
        let read = Query::<SearchQuery>::try_from_uri(&uri).unwrap();
        assert_eq!(read.0, query);
    }
}
