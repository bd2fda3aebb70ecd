use super::Staff;
use super::search::{Asked, read, unsettled_since};
use crate::db::DbError;
use crate::http::Failure;
use crate::http::app::App;
use crate::staff::{CsvFile, HEADINGS};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use jiff::Timestamp;
use payment_rules::audit::AuditRecord;
use payment_rules::search::Search;
use staff_model::AuditAction;
use std::io;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// How many operations are read at a time.
const CHUNK: u32 = 200;

/// `GET /api/staff/operations.csv`: every match, sent while it is read.
pub(super) async fn download(
    State(app): State<App>,
    staff: Staff,
    asked: Asked,
) -> Result<Response, Failure> {
    let (_, mut search) = read(asked, staff.codes.clone())?;
    search.limit = CHUNK;
    search.after = None;
    let audit_record = AuditRecord {
        staff: staff.name().to_owned(),
        action: AuditAction::Export,
        key: None,
        detail: "a file of operations".to_owned(),
    };
    app.db.audit(&audit_record).await?;
    let day = Timestamp::now().to_zoned(app.config.staff.time_zone.clone());
    let name = format!(
        "attachment; filename=\"operations-{}.csv\"",
        day.strftime("%Y-%m-%d-%H%M")
    );
    let (lines, body) = mpsc::channel(2);
    app.tasks.spawn(write(app.clone(), search, lines));
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

/// The channel for the pieces of the file. An error ends the connection, so that half a file does
/// not look like a whole one.
type Lines = mpsc::Sender<io::Result<Bytes>>;

async fn write(app: App, search: Search, lines: Lines) {
    if let Err(error) = pieces(&app, search, &lines).await {
        tracing::error!(%error, "a file of operations was not finished");
        // The channel is closed when the reader is gone.
        let _ = lines.send(Err(io::Error::other("not finished"))).await;
    }
}

async fn pieces(app: &App, mut search: Search, lines: &Lines) -> Result<(), DbError> {
    let file = CsvFile {
        time_zone: app.config.staff.time_zone.clone(),
    };
    let mut piece = csv::Writer::from_writer(Vec::new());
    let mut written = piece.write_record(HEADINGS);
    loop {
        let page = app.db.search(&search, unsettled_since(app)).await?;
        for row in &page.rows {
            written = written.and_then(|()| piece.write_record(file.line(row)));
        }
        written.map_err(DbError::missing)?;
        let bytes = piece.into_inner().map_err(|_| DbError::missing("memory"))?;
        let gone = tokio::select! {
            sent = lines.send(Ok(Bytes::from(bytes))) => sent.is_err(),
            () = app.tasks.stopped() => return Err(DbError::missing("the rest of a file")),
        };
        let Some(next) = page.next.filter(|_| !gone) else {
            return Ok(());
        };
        search.after = Some(next);
        piece = csv::Writer::from_writer(Vec::new());
        written = Ok(());
    }
}
