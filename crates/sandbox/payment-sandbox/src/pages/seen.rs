//! What the sandbox saw, for developers: the latest entries of the journal. A script reads the page again every second
//! and shows what has changed; without scripts, a link does.

use super::layout::document_headers;
use crate::Sandbox;
use crate::journal::Entry;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// Older entries are left out, so that the page stays quick. `/sandbox/journal` has all of them.
const SHOWN: usize = 200;

const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `GET /seen`.
pub(super) async fn show(State(sandbox): State<Sandbox>) -> Response {
    let entries = sandbox.world().journal.newest(SHOWN);
    let headers = document_headers(POLICY.to_owned());
    (headers, Html(page(&entries).into_string())).into_response()
}

/// `GET /pages/seen.js`.
pub(super) async fn script() -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, include_str!("seen.js"))
}

fn page(entries: &[Entry]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "What the payment sandbox saw" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/pages/style.css";
                script type="module" src="/pages/seen.js" {}
            }
            body class="seen" {
                main {
                    h1 { "What the sandbox saw" }
                    p class="lead" {
                        "The latest requests to the payment service, and the notifications that it sent, the newest first. "
                        a href="/seen" { "Read again" }
                        " · "
                        a href="/sandbox/journal" { "all of them as JSON lines" }
                        " · "
                        a href="/phone?lang=en" { "the payers' wallet" }
                    }
                    div id="entries" { (table(entries)) }
                }
            }
        }
    }
}

fn table(entries: &[Entry]) -> Markup {
    html! {
        @if entries.is_empty() {
            p class="lead" { "Nothing yet. Start a payment in your shop." }
        } @else {
            div class="scroll" role="region" aria-label="Journal" tabindex="0" {
                table {
                    thead { tr {
                        th scope="col" { "Time (UTC)" }
                        th scope="col" { "Request" }
                        th scope="col" { "Answer" }
                        th scope="col" { "Operation" }
                        th scope="col" { "Amount" }
                        th scope="col" { "State after it" }
                    } }
                    tbody { @for entry in entries { (row(entry)) } }
                }
            }
        }
    }
}

fn row(entry: &Entry) -> Markup {
    let effect = &entry.effect;
    let dash = "–";
    html! {
        tr class=(if entry.is_good() { "good" } else { "bad" }) {
            td { (entry.time_of_day()) }
            td {
                @if entry.sent { span class="new" { "notification" } " " }
                code { (entry.method) " " (entry.path) }
            }
            td {
                @match entry.status {
                    Some(status) => (status),
                    None => "no answer",
                }
                @if let Some(fault) = entry.fault { " · fault " code { (fault) } }
            }
            td { (effect.merchant_operation_number.as_deref().unwrap_or(dash)) }
            td {
                @match (&effect.amount, &effect.currency) {
                    (Some(amount), Some(currency)) => { (amount) " " (currency) },
                    (Some(amount), None) => (amount),
                    _ => (dash),
                }
            }
            td { (effect.state_after.as_deref().unwrap_or(dash)) }
        }
    }
}
