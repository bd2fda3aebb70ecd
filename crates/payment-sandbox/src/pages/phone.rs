//! The wallet on the payer's phone, which scans a QR and pays it.

use super::language::Language;
use super::layout::{Page, see_other};
use super::money::money;
use super::notice::notice;
use super::number::number;
use super::outcome::outcome;
use super::time_left::time_left;
use super::words::Words;
use crate::Sandbox;
use crate::charge::{Charge, Key, Step};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use payment_model::{PaymentMethodName, Timestamp, TransactionState};
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Scanned {
    /// A code's identifier, or its whole content.
    qr: Option<String>,
}

/// `GET /phone`: lists what can be paid; with `?qr=` shows the charge of that code.
pub(super) async fn list(
    State(sandbox): State<Sandbox>,
    language: Language,
    Query(scanned): Query<Scanned>,
) -> Response {
    if let Some(content) = scanned
        .qr
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    {
        let after = content.rsplit("qr=").next().unwrap_or_default();
        let qr_id = after.split('&').next().unwrap_or_default();
        let key = sandbox
            .world()
            .find_by(|charge| is_qr(charge) && charge.processor_id == qr_id);
        return one(&sandbox, language, key);
    }
    let words = language.words();
    let now = sandbox.now();
    let mut world = sandbox.world();
    let pending = world
        .newest_first(now)
        .filter(|charge| is_qr(charge) && charge.state == TransactionState::Pending);
    let items = pending
        .map(|charge| {
            item(
                language,
                charge,
                sandbox.payee(&charge.asked.key.merchant_code),
                now,
            )
        })
        .collect::<Vec<_>>();
    let content = html! {
        h1 { (words.wallet) }
        @if items.is_empty() {
            section class="card empty" {
                h2 { (words.nothing_pending) }
                p { (words.nothing_pending_hint) }
            }
        } @else {
            p class="lead" { (words.wallet_lead) }
            ul class="charges" { @for item in items { li { (item) } } }
        }
        a class="button secondary" href=(language.path("/phone")) { (words.refresh) }
        form class="paste" method="get" action="/phone" {
            @if language == Language::English { input type="hidden" name="lang" value="en"; }
            label for="qr" { (words.paste) }
            div class="row" {
                input id="qr" name="qr" autocomplete="off" required;
                button class="secondary" type="submit" { (words.open) }
            }
        }
    };
    page(words, language, "/phone").respond(StatusCode::OK, &content)
}

/// `GET /phone/{operation}`: one charge, by number or transaction id.
pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    language: Language,
    Path(name): Path<String>,
) -> Response {
    let key = sandbox.world().find(&name, None).ok();
    one(&sandbox, language, key)
}

/// `POST /phone/{operation}/pay`.
pub(super) async fn pay(state: State<Sandbox>, language: Language, name: Path<String>) -> Response {
    decide(&state.0, language, &name.0, Step::Pay)
}

/// `POST /phone/{operation}/reject`.
pub(super) async fn reject(
    state: State<Sandbox>,
    language: Language,
    name: Path<String>,
) -> Response {
    decide(&state.0, language, &name.0, Step::Decline)
}

/// Takes a step and redirects to the charge's own page, which shows its state, also when the step
/// was not possible.
fn decide(sandbox: &Sandbox, language: Language, name: &str, step: Step) -> Response {
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
        Some(path) => see_other(&language.path(&path)),
        None => one(sandbox, language, None),
    }
}

fn one(sandbox: &Sandbox, language: Language, key: Option<Key>) -> Response {
    let words = language.words();
    let now = sandbox.now();
    let mut world = sandbox.world();
    let charge = key
        .and_then(|key| world.charge(&key, now))
        .filter(|charge| is_qr(charge));
    let onward = html! {
        a class="button secondary" href=(language.path("/phone")) { (words.back_to_wallet) }
    };
    let Some(charge) = charge else {
        let content = notice("quiet", &words.unknown, &html! {}, &onward);
        return page(words, language, "/phone").respond(StatusCode::NOT_FOUND, &content);
    };
    let path = format!("/phone/{}", charge.transaction_id);
    let payee = sandbox.payee(&charge.asked.key.merchant_code);
    let content = match outcome(words, &charge.state) {
        Some((tone, result)) => notice(tone, result, &facts(words, charge, payee), &onward),
        None => html! {
            h1 { (words.confirm_payment) }
            section class="card" {
                (facts(words, charge, payee))
                @if let Some(deadline) = charge.expires_at() {
                    p class="left" { (time_left(words, deadline.duration_since(now))) }
                }
                form class="decide" method="post" action=(language.path(&format!("{path}/pay"))) {
                    button class="primary" type="submit" { (words.pay) }
                    button class="secondary" type="submit"
                        formaction=(language.path(&format!("{path}/reject"))) { (words.reject) }
                }
            }
            a class="plain" href=(language.path("/phone")) { (words.back_to_wallet) }
        },
    };
    page(words, language, &path).respond(StatusCode::OK, &content)
}

/// A charge in the list.
fn item(language: Language, charge: &Charge, payee: &str, now: Timestamp) -> Markup {
    let words = language.words();
    let deadline = charge.expires_at().unwrap_or(now);
    html! {
        a href=(language.path(&format!("/phone/{}", charge.transaction_id))) {
            span class="amount" { (money(words, &charge.asked.amount, &charge.asked.currency)) }
            " "
            span class="left" { (time_left(words, deadline.duration_since(now))) }
            " "
            span class="who" { (payee) }
            " "
            span class="number" { (words.operation) " " (number(&charge.asked.key.number)) }
        }
    }
}

/// The payee, the amount and the operation.
pub(super) fn facts(words: &Words, charge: &Charge, payee: &str) -> Markup {
    html! {
        p class="amount big" { (money(words, &charge.asked.amount, &charge.asked.currency)) }
        dl {
            div { dt { (words.pay_to) } dd { (payee) } }
            div { dt { (words.operation) } dd class="number" { (number(&charge.asked.key.number)) } }
        }
    }
}

fn is_qr(charge: &Charge) -> bool {
    charge.asked.method == PaymentMethodName::Qr
}

fn page<'a>(words: &'a Words, language: Language, path: &'a str) -> Page<'a> {
    Page {
        language,
        speaker: words.wallet_app,
        title: words.wallet,
        path,
        shop: None,
    }
}
