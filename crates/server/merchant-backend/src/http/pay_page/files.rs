//! The files of the element, from the folder of the setting `PAY_PAGE_ELEMENT`, and the module that gives it its place
//! on the page. Each file is kept in memory, and read again when it changed.

use crate::http::app::App;
use crate::http::problem::Problem;
use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::future::{BoxFuture, Ready, ready};
use pay_page::ELEMENT_PAGE;
use std::collections::HashMap;
use std::fs::Metadata;
use std::io::{self, Cursor, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::fs;
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tokio::sync::Mutex;
use tower_http::services::ServeDir;
use tower_http::services::fs::{Backend, File};

/// How long a browser may keep an answer that is the same for everybody. No other answer has it.
#[derive(Clone)]
pub(in crate::http) struct Keeping(pub(in crate::http) HeaderValue);

/// The files keep their names over versions, so that a browser asks whether they changed.
const ASKING: &str = "no-cache";
/// No file of the element has so long a path. A file system fails at a longer name than this, and the service of files
/// would answer that the server failed.
const LONGEST_PATH_BYTES: usize = 255;
/// The name of the wasm has the hash of its content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

pub(super) fn router(folder: &Path) -> Router<App> {
    // Each request looks at the file, since an update may replace it.
    let files = ServeDir::with_backend(folder, FilesInMemory::default())
        .append_index_html_on_directories(false);
    Router::new()
        .route("/element-page.js", get(module))
        .nest_service("/element", files)
        .layer(from_fn(keeping))
}

async fn module() -> Response {
    (
        [(CONTENT_TYPE, "text/javascript; charset=utf-8")],
        ELEMENT_PAGE,
    )
        .into_response()
}

async fn keeping(request: Request, next: Next) -> Response {
    if request.uri().path().len() > LONGEST_PATH_BYTES {
        return Problem::nothing_here().into_response();
    }
    let how = match request.uri().path().ends_with(".wasm") {
        true => FOR_EVER,
        false => ASKING,
    };
    let mut response = next.run(request).await;
    let status = response.status();
    // The service of files answers both without a body.
    if status == StatusCode::NOT_FOUND {
        return Problem::nothing_here().into_response();
    }
    if status == StatusCode::METHOD_NOT_ALLOWED {
        let mut refused = Problem::wrong_method().into_response();
        let allowed = response.headers_mut().remove(ALLOW);
        refused
            .headers_mut()
            .extend(allowed.map(|allowed| (ALLOW, allowed)));
        return refused;
    }
    if status.is_success() || status == StatusCode::NOT_MODIFIED {
        let how = Keeping(HeaderValue::from_static(how));
        response.extensions_mut().insert(how);
    }
    response
}

/// The element has some twenty files. More are earlier versions, or other spellings of a name where the file system
/// takes any.
const MOST_FILES: usize = 100;

#[derive(Clone, Default)]
pub(super) struct FilesInMemory(Arc<Mutex<HashMap<PathBuf, FileInMemory>>>);

#[derive(Clone)]
pub(super) struct FileInMemory {
    content: Cursor<Bytes>,
    metadata: Metadata,
}

impl FilesInMemory {
    async fn file(self, path: PathBuf) -> io::Result<FileInMemory> {
        let metadata = fs::metadata(&path).await?;
        if !metadata.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        // Held over the reading, so that one file is open at a time.
        let mut files = self.0.lock().await;
        let kept = files.get(&path);
        if let Some(file) = kept.filter(|file| version(&file.metadata) == version(&metadata)) {
            return Ok(file.clone());
        }
        let content = fs::read(&path).await?;
        if content.len() as u64 != metadata.len() {
            return Err(io::Error::other("the file is being written"));
        }
        let content = Cursor::new(content.into());
        let file = FileInMemory { content, metadata };
        if files.len() >= MOST_FILES {
            files.clear();
        }
        files.insert(path, file.clone());
        Ok(file)
    }
}

/// Another version of a file may have the same length, and the time of its making.
fn version(of: &Metadata) -> impl PartialEq {
    (of.dev(), of.ino(), of.ctime(), of.ctime_nsec(), of.len())
}

impl Backend for FilesInMemory {
    type File = FileInMemory;
    type Metadata = Metadata;
    type OpenFuture = BoxFuture<'static, io::Result<FileInMemory>>;
    type MetadataFuture = BoxFuture<'static, io::Result<Metadata>>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        Box::pin(self.clone().file(path))
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        Box::pin(fs::metadata(path))
    }
}

impl File for FileInMemory {
    type Metadata = Metadata;
    type MetadataFuture<'a> = Ready<io::Result<Metadata>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        ready(Ok(self.metadata.clone()))
    }
}

impl AsyncRead for FileInMemory {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.content).poll_read(context, buffer)
    }
}

impl AsyncSeek for FileInMemory {
    fn start_seek(mut self: Pin<&mut Self>, position: SeekFrom) -> io::Result<()> {
        Pin::new(&mut self.content).start_seek(position)
    }

    fn poll_complete(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Pin::new(&mut self.content).poll_complete(context)
    }
}
