//! The wallet on the payer's phone, which scans a QR code and pays it.

use super::formats::{money, number, time_left};
use super::language::Language;
use super::layout::{Page, see_other};
use super::notice::{notice, outcome, taken};
use super::speaker::Speaker;
use super::visitor::Visitor;
use super::words::Words;
use crate::Sandbox;
use crate::charge::{Charge, Key, Step};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use payment_model::{PaymentMethodName, Timestamp, TransactionState};
use serde::Deserialize;
use std::time::Duration;

/// Younger charges are marked as new.
const NEW_FOR: Duration = Duration::from_secs(120);

#[derive(Deserialize)]
pub(super) struct Scanned {
    /// The identifier or the whole content of a QR code.
    qr: Option<String>,
}

/// `GET /phone`: lists the charges that can be paid; with `?qr=` shows the charge of that code.
pub(super) async fn list(
    State(sandbox): State<Sandbox>,
    visitor: Visitor,
    Query(scanned): Query<Scanned>,
) -> Response {
    if let Some(content) = scanned
        .qr
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    {
        // Every form of a code has the identifier somewhere.
        let key = sandbox
            .world()
            .find_by(|charge| is_qr(charge) && content.contains(&charge.processor_id));
        return one(&sandbox, &visitor, key);
    }
    let words = visitor.language.words();
    let now = sandbox.now();
    let mut world = sandbox.world();
    let pending = world
        .newest_first(now)
        .filter(|charge| is_qr(charge) && charge.state == TransactionState::Pending);
    let mut items = pending.map(|charge| {
        let payee = sandbox.payee(&charge.asked.key.merchant_code);
        item(&visitor, charge, payee, now)
    });
    let newest = items.next();
    let others = items.collect::<Vec<_>>();
    let content = html! {
        h1 { (words.wallet) }
        @match newest {
            None => section class="card empty" {
                h2 { (words.nothing_pending) }
                p { (words.nothing_pending_hint) }
            },
            Some(newest) => {
                p class="lead" { (words.wallet_lead) }
                ul class="charges newest" { li { (newest) } }
            },
        }
        @if !others.is_empty() {
            h2 class="others" { (words.other_charges) }
            ul class="charges" { @for item in others { li { (item) } } }
        }
        a class="button secondary" href=(visitor.path("/phone")) { (words.refresh) }
        form class="paste" method="get" action="/phone" {
            @if visitor.language == Language::English { input type="hidden" name="lang" value="en"; }
            @if let Some(shop) = &visitor.shop { input type="hidden" name="back" value=(shop); }
            label for="qr" { (words.paste) }
            div class="row" {
                input id="qr" name="qr" autocomplete="off" required;
                button class="secondary" type="submit" { (words.open) }
            }
        }
    };
    page(&visitor, &visitor.keep("/phone")).respond(StatusCode::OK, &content)
}

/// `GET /phone/{operation}`: shows the charge with this number or transaction id.
pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Response {
    let key = sandbox.world().find(&name, None).ok();
    one(&sandbox, &visitor, key)
}

/// `POST /phone/{operation}/pay`.
pub(super) async fn pay(state: State<Sandbox>, visitor: Visitor, name: Path<String>) -> Response {
    decide(&state.0, &visitor, &name.0, Step::Pay)
}

/// `POST /phone/{operation}/reject`.
pub(super) async fn reject(
    state: State<Sandbox>,
    visitor: Visitor,
    name: Path<String>,
) -> Response {
    decide(&state.0, &visitor, &name.0, Step::Decline)
}

/// Carries a step out, and redirects to the page of the charge, which shows its state even if the step was not
/// possible.
fn decide(sandbox: &Sandbox, visitor: &Visitor, name: &str, step: Step) -> Response {
    let key = sandbox.world().find(name, None).ok();
    let word = if step == Step::Pay { "pay" } else { "reject" };
    let path = |charge: &Charge| format!("/phone/{}", charge.transaction_id);
    let now = sandbox.now();
    let own = key.and_then(|key| {
        let path = sandbox
            .world()
            .charge(&key, now)
            .filter(|charge| is_qr(charge))
            .map(path)?;
        sandbox
            .move_on(&key, step, &format!("{path}/{word}"), |_| ())
            .map(|_| path)
    });
    match own {
        Some(path) => see_other(&visitor.path(&path)),
        None => one(sandbox, visitor, None),
    }
}

fn one(sandbox: &Sandbox, visitor: &Visitor, key: Option<Key>) -> Response {
    let words = visitor.language.words();
    let now = sandbox.now();
    let mut world = sandbox.world();
    let limits = world.settings.limits.clone();
    let charge = key
        .and_then(|key| world.charge(&key, now))
        .filter(|charge| is_qr(charge));
    let onward = html! {
        (to_shop(visitor))
        a class="button secondary" href=(visitor.path("/phone")) { (words.back_to_wallet) }
    };
    let Some(charge) = charge else {
        let content = notice("quiet", &words.unknown, &html! {}, &onward);
        return page(visitor, &visitor.keep("/phone")).respond(StatusCode::NOT_FOUND, &content);
    };
    let path = format!("/phone/{}", charge.transaction_id);
    let payee = sandbox.payee(&charge.asked.key.merchant_code);
    let facts = html! { (facts(words, charge, payee)) (taken(words, charge, &limits)) };
    let content = match outcome(words, charge, &limits) {
        Some((tone, result)) => notice(tone, result, &facts, &onward),
        None => html! {
            h1 { (words.confirm_payment) }
            section class="card" {
                (facts)
                @if let Some(deadline) = charge.expires_at() {
                    p class="left" { (time_left(words, deadline.duration_since(now))) }
                }
                form class="decide" method="post" action=(visitor.path(&format!("{path}/pay"))) {
                    button class="primary" type="submit" { (words.pay) " " (sum(words, charge)) }
                    button class="quiet" type="submit"
                        formaction=(visitor.path(&format!("{path}/reject"))) { (words.reject) }
                }
            }
            a class="plain" href=(visitor.path("/phone")) { (words.back_to_wallet) }
        },
    };
    page(visitor, &visitor.keep(&path)).respond(StatusCode::OK, &content)
}

/// A charge in the list.
fn item(visitor: &Visitor, charge: &Charge, payee: &str, now: Timestamp) -> Markup {
    let words = visitor.language.words();
    let deadline = charge.expires_at().unwrap_or(now);
    html! {
        a href=(visitor.path(&format!("/phone/{}", charge.transaction_id))) {
            @if now.duration_since(charge.since()) < NEW_FOR {
                span class="new" { (words.just_made) }
                " "
            }
            span class="who" { (payee) }
            " "
            span class="amount" { (sum(words, charge)) }
            " "
            span class="number" { span class="word" { (words.operation) " " } (number(&charge.asked.key.number)) }
            " "
            span class="left" { (time_left(words, deadline.duration_since(now))) }
        }
    }
}

/// The payee, the amount and the operation number of a charge.
pub(super) fn facts(words: &Words, charge: &Charge, payee: &str) -> Markup {
    html! {
        p class="amount big" { (sum(words, charge)) }
        dl {
            div { dt { (words.pay_to) } dd { (payee) } }
            div { dt { (words.operation) } dd class="number" { (number(&charge.asked.key.number)) } }
        }
    }
}

/// The link to the shop's page from which the visitor came.
pub(super) fn to_shop(visitor: &Visitor) -> Markup {
    html! {
        @if let Some(shop) = &visitor.shop {
            a class="button primary" href=(shop) { (visitor.language.words().back_to_shop) }
        }
    }
}

fn sum(words: &Words, charge: &Charge) -> String {
    money(words, &charge.asked.amount, &charge.asked.currency)
}

fn is_qr(charge: &Charge) -> bool {
    charge.asked.method == PaymentMethodName::Qr
}

fn page<'a>(visitor: &Visitor, path: &'a str) -> Page<'a> {
    Page {
        language: visitor.language,
        speaker: Speaker::Wallet,
        path,
        shop: None,
    }
}
