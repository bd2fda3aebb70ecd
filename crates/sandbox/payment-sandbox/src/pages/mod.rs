//! The pages for people. The payers' pages, which are the wallet, the lender and the agent, are HTML without scripts, so
//! that they work in every browser; the developers' page is `seen`.

mod agent;
mod english;
mod formats;
mod language;
mod layout;
mod lender;
mod notice;
mod phone;
mod seen;
mod spanish;
mod speaker;
mod visitor;
mod words;

use crate::Sandbox;
use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::routing::{get, post};

/// The routes of the pages.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/", get(phone::list))
        .route("/phone", get(phone::list))
        .route("/phone/{operation}", get(phone::show))
        .route("/phone/{operation}/pay", post(phone::pay))
        .route("/phone/{operation}/reject", post(phone::reject))
        .route("/lender/{operation}", get(lender::show))
        .route("/lender/{operation}/approve", post(lender::approve))
        .route("/lender/{operation}/reject", post(lender::reject))
        .route("/agent", get(agent::find))
        .route("/agent/{name}", get(agent::show))
        .route("/agent/{name}/pay", post(agent::pay))
        .route("/seen", get(seen::show))
        .route("/pages/seen.js", get(seen::script))
        .route("/pages/style.css", get(style))
}

async fn style() -> impl axum::response::IntoResponse {
    let headers = [
        (CONTENT_TYPE, "text/css; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, include_str!("style.css"))
}
