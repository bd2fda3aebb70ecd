use super::Staff;
use super::search::{Asked, read, unsettled_since};
use crate::api::Failure;
use crate::backend::Backend;
use crate::desk::{HEADINGS, Search, Sheet};
use crate::store::{Deed, StoreError};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use jiff::Timestamp;
use std::io;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// How many operations are read at a time.
const CHUNK: u32 = 200;

/// `GET /api/staff/operations.csv`: every match, sent while it is read.
pub(super) async fn sheet(
    State(backend): State<Backend>,
    staff: Staff,
    asked: Asked,
) -> Result<Response, Failure> {
    let (_, mut search) = read(asked, staff.codes(&backend))?;
    search.limit = CHUNK;
    search.after = None;
    let deed = Deed {
        staff: staff.name().to_owned(),
        action: "export",
        key: None,
        detail: "a file of operations".to_owned(),
    };
    backend.store.audit(&deed).await?;
    let day = Timestamp::now().to_zoned(backend.config.staff.time_zone.clone());
    let name = format!(
        "attachment; filename=\"operations-{}.csv\"",
        day.strftime("%Y-%m-%d-%H%M")
    );
    let (lines, body) = mpsc::channel(2);
    backend.tasks.spawn(write(backend.clone(), search, lines));
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

/// Where the pieces of the file go; an error ends the connection, so that half a file is not
/// taken for a whole one.
type Lines = mpsc::Sender<io::Result<Bytes>>;

async fn write(backend: Backend, search: Search, lines: Lines) {
    if let Err(error) = pieces(&backend, search, &lines).await {
        tracing::error!(%error, "a file of operations was not finished");
        // Nobody hears it when the reader is gone.
        let _ = lines.send(Err(io::Error::other("not finished"))).await;
    }
}

async fn pieces(backend: &Backend, mut search: Search, lines: &Lines) -> Result<(), StoreError> {
    let sheet = Sheet {
        time_zone: backend.config.staff.time_zone.clone(),
    };
    let mut piece = csv::Writer::from_writer(Vec::new());
    let mut written = piece.write_record(HEADINGS);
    loop {
        let page = backend
            .store
            .search(&search, unsettled_since(backend))
            .await?;
        for row in &page.rows {
            written = written.and_then(|()| piece.write_record(sheet.line(row)));
        }
        written.map_err(StoreError::missing)?;
        let bytes = piece
            .into_inner()
            .map_err(|_| StoreError::missing("memory"))?;
        let gone = tokio::select! {
            sent = lines.send(Ok(Bytes::from(bytes))) => sent.is_err(),
            () = backend.stopping.cancelled() => return Err(StoreError::missing("the rest of a file")),
        };
        let Some(next) = page.next.filter(|_| !gone) else {
            return Ok(());
        };
        search.after = Some(next);
        piece = csv::Writer::from_writer(Vec::new());
        written = Ok(());
    }
}
