//! The pages at `continue_url`: the lender for installments, the bank for transfers.

use super::formats::{money, time_left};
use super::language::Language;
use super::layout::{Page, see_other};
use super::notice::{notice, outcome, taken};
use super::phone::facts;
use super::speaker::Speaker;
use super::words::Words;
use crate::Sandbox;
use crate::charge::{Charge, Step};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use payment_model::{Amount, PaymentMethodName, Timestamp, TransactionState};

/// The offered numbers of installments.
const PLANS: [u64; 4] = [3, 6, 12, 18];

/// `GET /lender/{operation}`.
pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    language: Language,
    Path(name): Path<String>,
) -> Response {
    let words = language.words();
    let now = sandbox.now();
    let mut world = sandbox.world();
    let limits = world.settings.limits.clone();
    let key = world.find(&name, None).ok();
    let charge = key
        .and_then(|key| world.charge(&key, now))
        .filter(|charge| is_here(charge));
    let Some(charge) = charge else {
        let content = notice("quiet", &words.unknown, &html! {}, &html! {});
        let path = format!("/lender/{name}");
        return page(language, &path, None).respond(StatusCode::NOT_FOUND, &content);
    };
    let path = format!("/lender/{}", charge.transaction_id);
    let payee = sandbox.payee(&charge.asked.key.merchant_code);
    let facts = html! { (facts(words, charge, payee)) (taken(words, charge, &limits)) };
    let overdue = charge.overdue_since(now);
    let overdue = overdue.map(|_| ("quiet", &words.expired));
    let content = match overdue.or_else(|| outcome(words, charge, &limits)) {
        Some((tone, result)) => {
            let onward = html! {
                @if let Some(shop) = charge.redirect_url() {
                    a class="button primary" href=(shop) { (words.back_to_shop) }
                }
            };
            notice(tone, result, &facts, &onward)
        }
        None => offer(language, charge, payee, &path, now),
    };
    page(language, &path, Some(charge)).respond(StatusCode::OK, &content)
}

/// `POST /lender/{operation}/approve`.
pub(super) async fn approve(
    state: State<Sandbox>,
    language: Language,
    name: Path<String>,
) -> Response {
    decide(&state.0, language, &name.0, Step::Pay)
}

/// `POST /lender/{operation}/reject`.
pub(super) async fn reject(
    state: State<Sandbox>,
    language: Language,
    name: Path<String>,
) -> Response {
    decide(&state.0, language, &name.0, Step::Decline)
}

/// Redirects to the shop if the operation has this decision, also from an earlier click. Otherwise redirects
/// to the page, which shows the state. The address of the shop does not contain the decision, since the shop
/// must query it.
fn decide(sandbox: &Sandbox, language: Language, name: &str, step: Step) -> Response {
    let (word, wanted) = match step {
        Step::Pay => ("approve", TransactionState::Authorized),
        _ => ("reject", TransactionState::Declined),
    };
    let now = sandbox.now();
    let key = {
        let mut world = sandbox.world();
        let key = world.find(name, None).ok();
        let open = |charge: &Charge| is_here(charge) && charge.overdue_since(now).is_none();
        key.filter(|key| world.charge(key, now).is_some_and(open))
    };
    let own = language.path(&format!("/lender/{name}"));
    let Some(key) = key else {
        return see_other(&own);
    };
    // If the step is not allowed, the following page shows the state.
    let _ = sandbox.move_on(&key, step, &format!("/lender/{name}/{word}"), |_| ());
    let mut world = sandbox.world();
    let shop = world
        .charge(&key, now)
        .filter(|charge| charge.state == wanted)
        .and_then(Charge::redirect_url);
    see_other(shop.unwrap_or(&own))
}

/// The offer that the payer can approve or reject.
fn offer(language: Language, charge: &Charge, payee: &str, path: &str, now: Timestamp) -> Markup {
    let words = language.words();
    let credit = charge.asked.method == PaymentMethodName::Installment;
    let (heading, approve, reject) = if credit {
        (words.choose, words.approve_credit, words.reject_credit)
    } else {
        (
            words.confirm_transfer,
            words.approve_transfer,
            words.reject_transfer,
        )
    };
    html! {
        h1 { (heading) }
        section class="card" {
            (facts(words, charge, payee))
            @if let Some(deadline) = charge.expires_at() {
                p class="left" { (time_left(words, deadline.duration_since(now))) }
            }
            form class="decide" method="post" action=(language.path(&format!("{path}/approve"))) {
                @if credit { (plans(words, charge)) }
                button class="primary" type="submit" { (approve) }
                button class="secondary" type="submit"
                    formaction=(language.path(&format!("{path}/reject"))) { (reject) }
            }
        }
        @if let Some(shop) = charge.redirect_url() {
            a class="plain" href=(shop) { (words.leave) }
        }
    }
}

fn plans(words: &Words, charge: &Charge) -> Markup {
    let total = charge.asked.amount.cents().unwrap_or_default();
    let written = |cents| money(words, &Amount::from_cents(cents), &charge.asked.currency);
    html! {
        fieldset {
            legend { (words.installments) }
            @for count in PLANS {
                @let (each, rest) = (total / count, total % count);
                label class="plan" {
                    input type="radio" name="installments" value=(count) checked[count == PLANS[0]];
                    span { (count) " × " (written(each)) }
                    // The first installment has the remainder, so that the sum is exact.
                    @if rest > 0 {
                        small { (words.the_first) " " (written(each + rest)) }
                    }
                }
            }
        }
    }
}

/// True when the method of this charge uses these pages.
fn is_here(charge: &Charge) -> bool {
    matches!(
        charge.asked.method,
        PaymentMethodName::Installment | PaymentMethodName::BankTransfer
    )
}

fn page<'a>(language: Language, path: &'a str, charge: Option<&'a Charge>) -> Page<'a> {
    let bank = charge.is_some_and(|c| c.asked.method == PaymentMethodName::BankTransfer);
    Page {
        language,
        speaker: if bank { Speaker::Bank } else { Speaker::Lender },
        path,
        shop: charge.and_then(Charge::redirect_url),
    }
}
