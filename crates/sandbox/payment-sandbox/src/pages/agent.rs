//! The page of the agent to whom a payer gives cash for a code.

use super::formats::time_left;
use super::language::Language;
use super::layout::{Page, see_other};
use super::notice::{notice, outcome, taken};
use super::phone::{facts, to_shop};
use super::speaker::Speaker;
use super::visitor::Visitor;
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

/// `GET /agent`: asks for a code; with `?cip=` shows the charge of that code.
pub(super) async fn find(
    State(sandbox): State<Sandbox>,
    visitor: Visitor,
    Query(said): Query<Said>,
) -> Response {
    // People type codes in groups.
    let cip = said.cip.unwrap_or_default();
    let cip = cip
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>();
    if !cip.is_empty() {
        return one(&sandbox, &visitor, &cip);
    }
    let words = visitor.language.words();
    let content = html! {
        h1 { (words.agent) }
        section class="card" { (search(&visitor)) }
    };
    page(&visitor, &visitor.keep("/agent")).respond(StatusCode::OK, &content)
}

/// `GET /agent/{name}`: shows the charge with this code, number or transaction id.
pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Response {
    one(&sandbox, &visitor, &name)
}

/// `POST /agent/{name}/pay`: pays, and redirects to the page of the code, which shows the state even if the
/// payment was not possible.
pub(super) async fn pay(
    State(sandbox): State<Sandbox>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Response {
    let Some((key, path)) = find_by_name(&sandbox, &name) else {
        return one(&sandbox, &visitor, &name);
    };
    let _ = sandbox.move_on(&key, Step::Pay, &format!("{path}/pay"), |_| ());
    see_other(&visitor.path(&path))
}

fn one(sandbox: &Sandbox, visitor: &Visitor, name: &str) -> Response {
    let words = visitor.language.words();
    let found = find_by_name(sandbox, name);
    let now = sandbox.now();
    let mut world = sandbox.world();
    let limits = world.settings.limits.clone();
    let found = found.and_then(|(key, path)| Some((world.charge(&key, now)?, path)));
    let other = |look| {
        html! { a class=(look) href=(visitor.path("/agent")) { (words.other_code) } }
    };
    let Some((charge, path)) = found else {
        let content = notice(
            "quiet",
            &words.unknown,
            &html! {},
            &other("button secondary"),
        );
        return page(visitor, &visitor.keep("/agent")).respond(StatusCode::NOT_FOUND, &content);
    };
    let payee = sandbox.payee(&charge.asked.key.merchant_code);
    let facts = html! { (facts(words, charge, payee)) (taken(words, charge, &limits)) };
    let content = match outcome(words, charge, &limits) {
        Some((tone, result)) => {
            let onward = html! {
                (to_shop(visitor))
                (other("button secondary"))
            };
            notice(tone, result, &facts, &onward)
        }
        None => html! {
            h1 { (words.agent) }
            section class="card" {
                (facts)
                @if let Some(deadline) = charge.expires_at() {
                    p class="left" { (time_left(words, deadline.duration_since(now))) }
                }
                form class="decide" method="post" action=(visitor.path(&format!("{path}/pay"))) {
                    button class="primary" type="submit" { (words.take_payment) }
                }
            }
            (other("plain"))
        },
    };
    page(visitor, &visitor.keep(&path)).respond(StatusCode::OK, &content)
}

/// Finds the charge with this code, number or transaction id, and the path of its page.
fn find_by_name(sandbox: &Sandbox, name: &str) -> Option<(Key, String)> {
    let now = sandbox.now();
    let is_cash = |charge: &Charge| charge.asked.method == PaymentMethodName::CashCode;
    let mut world = sandbox.world();
    let key = world
        .find_by(|charge| is_cash(charge) && charge.cip == name)
        .or_else(|| world.find(name, None).ok())?;
    let charge = world.charge(&key, now).filter(|charge| is_cash(charge))?;
    let path = format!("/agent/{}", charge.cip);
    Some((key, path))
}

fn search(visitor: &Visitor) -> Markup {
    let words = visitor.language.words();
    html! {
        form class="decide" method="get" action="/agent" {
            @if visitor.language == Language::English { input type="hidden" name="lang" value="en"; }
            @if let Some(shop) = &visitor.shop { input type="hidden" name="back" value=(shop); }
            label for="cip" { (words.cash_code) }
            input id="cip" name="cip" inputmode="numeric" autocomplete="off" required;
            button class="primary" type="submit" { (words.find) }
        }
    }
}

fn page<'a>(visitor: &Visitor, path: &'a str) -> Page<'a> {
    Page {
        language: visitor.language,
        speaker: Speaker::Agent,
        path,
        shop: None,
    }
}
