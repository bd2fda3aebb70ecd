//! The page of the agent who takes cash for a code.

use super::language::Language;
use super::layout::{Page, see_other};
use super::notice::notice;
use super::outcome::outcome;
use super::phone::facts;
use super::time_left::time_left;
use super::words::Words;
use crate::Sandbox;
use crate::charge::{Charge, Key, Step};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use payment_model::PaymentMethodName;
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Said {
    cip: Option<String>,
}

/// `GET /agent`: asks for a code; with `?cip=` the charge of that code.
pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    language: Language,
    Query(said): Query<Said>,
) -> Response {
    let words = language.words();
    // People read codes out and type them in groups.
    let cip = said.cip.unwrap_or_default();
    let cip = cip
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>();
    if cip.is_empty() {
        let content = html! {
            h1 { (words.agent) }
            section class="card" { (search(words, language)) }
        };
        return page(words, language, "/agent").respond(StatusCode::OK, &content);
    }
    let key = find(&sandbox, &cip);
    let now = sandbox.now();
    let mut world = sandbox.world();
    let onward = html! {
        a class="button secondary" href=(language.path("/agent")) { (words.other_code) }
    };
    let Some(charge) = key.and_then(|key| world.charge(&key, now)) else {
        let content = notice("quiet", &words.unknown, &html! {}, &onward);
        return page(words, language, "/agent").respond(StatusCode::NOT_FOUND, &content);
    };
    let payee = sandbox.payee(&charge.asked.key.merchant_code);
    let content = match outcome(words, &charge.state) {
        Some((tone, result)) => notice(tone, result, &facts(words, charge, payee), &onward),
        None => html! {
            h1 { (words.agent) }
            section class="card" {
                (facts(words, charge, payee))
                @if let Some(deadline) = charge.expires_at() {
                    p class="left" { (time_left(words, deadline.duration_since(now))) }
                }
                form class="decide" method="post" action=(language.path(&format!("/agent/{cip}/pay"))) {
                    button class="primary" type="submit" { (words.take_payment) }
                }
            }
            a class="plain" href=(language.path("/agent")) { (words.other_code) }
        },
    };
    page(words, language, "/agent").respond(StatusCode::OK, &content)
}

/// `POST /agent/{cip}/pay`. The code's page then says how the payment stands, even when it was not
/// possible.
pub(super) async fn pay(
    State(sandbox): State<Sandbox>,
    language: Language,
    Path(cip): Path<String>,
) -> Response {
    let Some(key) = find(&sandbox, &cip) else {
        return see_other(&language.path("/agent"));
    };
    let _ = sandbox.move_on(&key, Step::Pay, &format!("/agent/{cip}/pay"), |_| ());
    let path = match language {
        Language::Spanish => format!("/agent?cip={cip}"),
        Language::English => format!("/agent?cip={cip}&lang=en"),
    };
    see_other(&path)
}

fn find(sandbox: &Sandbox, cip: &str) -> Option<Key> {
    let named =
        |charge: &Charge| charge.asked.method == PaymentMethodName::CashCode && charge.cip == cip;
    sandbox.world().find_by(named)
}

fn search(words: &Words, language: Language) -> Markup {
    html! {
        form class="decide" method="get" action="/agent" {
            @if language == Language::English { input type="hidden" name="lang" value="en"; }
            label for="cip" { (words.cash_code) }
            input id="cip" name="cip" inputmode="numeric" autocomplete="off" required;
            button class="primary" type="submit" { (words.find) }
        }
    }
}

fn page<'a>(words: &'a Words, language: Language, path: &'a str) -> Page<'a> {
    Page {
        language,
        speaker: words.agent_desk,
        title: words.agent_desk,
        path,
        shop: None,
    }
}
