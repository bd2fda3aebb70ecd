//! Serves the shop's pages from a folder, with the same headers as `trunk serve`.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::map_response_with_state;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use std::env::var_os;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use tower_http::services::{ServeDir, ServeFile};

/// The shop's start page, which is also served at `/`.
const INDEX: &str = "index.html";

/// The placeholder in the start page for the lines that preload the element, and the file with these lines, which
/// contain the file names of the current build.
const PRELOAD: (&str, &str) = ("<!-- preload -->", "element/preload.html");

/// Builds the routes of the pages in the folder `SHOP_PAGES`, with the headers of the Trunk configuration
/// `SHOP_HEADERS`. Without these settings there are no routes, and another program serves the pages.
///
/// # Errors
/// The folder or the headers cannot be read; the message names the setting.
pub fn pages() -> Result<Router, String> {
    let Some(folder) = var_os("SHOP_PAGES").map(PathBuf::from) else {
        return Ok(Router::new());
    };
    let headers = var_os("SHOP_HEADERS").ok_or("SHOP_HEADERS is missing: name a Trunk.toml.")?;
    let headers =
        headers_of(Path::new(&headers)).map_err(|wrong| format!("SHOP_HEADERS: {wrong}."))?;
    let routes = routes(folder).map_err(|error| format!("SHOP_PAGES cannot be read: {error}."))?;
    Ok(routes.layer(map_response_with_state(headers, with_headers)))
}

async fn with_headers(State(headers): State<HeaderMap>, mut response: Response) -> Response {
    response.headers_mut().extend(headers);
    response
}

/// Builds a route for each file and folder. The server handles all other addresses.
fn routes(folder: PathBuf) -> io::Result<Router> {
    let mut routes = Router::new();
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let address = format!("/{}", name.to_string_lossy());
        routes = if path.is_dir() {
            routes.nest_service(&address, ServeDir::new(path))
        } else if name == INDEX {
            routes.route("/", get(index)).route(&address, get(index))
        } else {
            routes.route_service(&address, ServeFile::new(path))
        };
    }
    Ok(routes.with_state(folder))
}

/// Serves the start page. It is read for each request, since a build may replace it.
async fn index(State(folder): State<PathBuf>) -> Response {
    let (place, lines) = PRELOAD;
    // Without these lines the element loads later, but works.
    let lines = fs::read_to_string(folder.join(lines)).unwrap_or_default();
    match fs::read_to_string(folder.join(INDEX)) {
        Ok(page) => Html(page.replace(place, &lines)).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Reads the table `[serve.headers]`.
fn headers_of(file: &Path) -> Result<HeaderMap, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let settings: Table = text.parse().map_err(|error| format!("{error}"))?;
    let table = settings.get("serve").and_then(|serve| serve.get("headers"));
    let table = table
        .and_then(Value::as_table)
        .ok_or("there is no [serve.headers]")?;
    let mut headers = HeaderMap::new();
    for (name, value) in table {
        let header = HeaderName::try_from(name).ok();
        let value = value
            .as_str()
            .and_then(|value| HeaderValue::from_str(value).ok());
        let (header, value) = header
            .zip(value)
            .ok_or_else(|| format!("`{name}` is no header"))?;
        headers.insert(header, value);
    }
    Ok(headers)
}
