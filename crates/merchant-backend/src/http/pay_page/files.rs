//! The files of the element, from the folder of the setting `PAY_PAGE_ELEMENT`, and the module that gives it its place
//! on the page.

use super::files_in_memory::FilesInMemory;
use crate::http::app::App;
use crate::http::problem::Problem;
use axum::Router;
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use pay_page::ELEMENT_PAGE;
use std::path::Path;
use tower_http::services::ServeDir;

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
