//! What the page of an order shows, from everything that is stored about the order.

use crate::db::DbError;
use crate::http::app::App;
use checkout_flow::{ContinueUrl, QrImage};
use pay_page::{End, LastAttempt, Message, State, Waiting};
use payment_model::{Offer, Outcome, PaymentMethodName, Timestamp};
use payment_rules::operation::{OperationRecord, Phase, to_show};
use payment_rules::order::OrderFacts;
use payment_rules::payment::Order;
use std::time::Duration;

/// The state of a page on which the payer asked for nothing.
pub(super) fn state(
    order: &Order,
    offer: Offer,
    key: String,
    is_stale: bool,
    now: Timestamp,
) -> State {
    let has_ended = order.closed_at.is_some() || order.facts.has_ended(now);
    let in_phase = |phase| order.operations().any(|operation| operation.phase == phase);
    match to_show(order.operations()) {
        Some(paid) if paid.is_held() => State::Confirming,
        Some(paid) if paid.is_paid() => State::Ended(end(order, paid, now)),
        Some(reversed) if reversed.outcome() == Some(Outcome::Reversed) => {
            if has_ended {
                return State::Ended(end(order, reversed, now));
            }
            choosing(order, offer, key, true)
        }
        Some(live) if live.answer_mismatch.is_some() => State::Message(Message::AmountMismatch),
        Some(live) if live.outcome().is_none() => match live.state() {
            Some(state) if state.is_waiting() => State::Waiting(Waiting {
                is_last: has_ended,
                ..waiting(live, is_stale)
            }),
            _ => State::Confirming,
        },
        Some(_) | None => {
            // A payer whose code is in doubt has none to show, and the rules of an attempt decide whether
            // there may be another one.
            if in_phase(Phase::Sending) || (has_ended && in_phase(Phase::InDoubt)) {
                return State::Confirming;
            }
            if has_ended {
                return State::Closed;
            }
            if !order.has_room(now) && !in_phase(Phase::InDoubt) {
                return State::Message(Message::TooManyAttempts);
            }
            choosing(order, offer, key, false)
        }
    }
}

fn choosing(order: &Order, offer: Offer, key: String, was_reversed: bool) -> State {
    // Nobody saw a code that was refused.
    let seen = order.operations().rev().filter(|one| !one.code_refused);
    let last = seen.into_iter().find_map(|operation| {
        Some(LastAttempt {
            number: operation.key.number.as_str().to_owned(),
            outcome: operation.outcome()?,
        })
    });
    State::Choosing {
        offer,
        key,
        last,
        was_reversed,
        is_in_doubt: order
            .operations()
            .any(|operation| operation.phase == Phase::InDoubt),
    }
}

/// A code or a link. What the payer needs comes from the first answer where later ones leave it out, and
/// what came from outside is checked as the element checks it.
pub(super) fn waiting(record: &OperationRecord, is_stale: bool) -> Waiting {
    // Only the picture of a QR was read before anybody sees it.
    let is_qr = record.method == PaymentMethodName::Qr;
    let qr = record.payers_number("qr_image").filter(|_| is_qr);
    let url = continue_url(record);
    Waiting {
        number: record.key.number.as_str().to_owned(),
        method: record.method.clone(),
        qr_uri: qr
            .and_then(|uri| QrImage::parse(&uri))
            .map(|image| image.as_str().to_owned()),
        payee_name: record.payers_number("payee_name"),
        cash_code: record.payers_number("cip"),
        continue_url: url.map(|url| url.as_str().to_owned()),
        expires_at: record.expires_at(),
        is_stale,
        is_last: false,
    }
}

fn continue_url(record: &OperationRecord) -> Option<ContinueUrl> {
    let answered = record.answer.as_ref().map(|answer| &answer.transaction);
    let known = [record.transaction(), answered];
    let url = known
        .into_iter()
        .flatten()
        .find_map(|transaction| transaction.continue_url.as_deref())?;
    ContinueUrl::parse(url, &[])
}

fn end(order: &Order, record: &OperationRecord, now: Timestamp) -> End {
    let given_back = order.summary(now).given_back;
    let paid = order.operations().filter(|other| other.is_paid()).count();
    let waits = |other: &&OperationRecord| other.state().is_some_and(|state| state.is_waiting());
    End {
        number: record.key.number.as_str().to_owned(),
        method: record.method.clone(),
        at: paid_at(record),
        is_reversed: record.outcome() == Some(Outcome::Reversed),
        paid_twice: paid > 1,
        other_codes: order
            .operations()
            .filter(waits)
            .map(|other| other.key.number.as_str().to_owned())
            .collect(),
        given_back_cents: given_back
            .given_back
            .saturating_add(given_back.reserved)
            .saturating_add(given_back.unknown),
    }
}

/// When the service first said that it is paid.
fn paid_at(record: &OperationRecord) -> Option<Timestamp> {
    let lifecycle = &record.transaction()?.lifecycle;
    let paid = lifecycle.iter().find(|entry| entry.state.is_paid());
    let named = paid.and_then(|entry| entry.date.timestamp());
    named.or(record.announced_at)
}

/// True if the page has to ask the service before it shows this operation: the code that the service has
/// just made is shown at once.
pub(super) fn needs_query(record: &OperationRecord, fresh_for: Duration, now: Timestamp) -> bool {
    record.queried_at.is_some() || now.duration_since(record.changed_at) >= fresh_for
}

/// The order with its payments.
pub(super) async fn whole(app: &App, facts: &OrderFacts) -> Result<Order, DbError> {
    let order = app.db.order_with_payments(&facts.full_id()).await?;
    order.ok_or_else(|| DbError::missing("the order of a page"))
}

/// The operation that can be paid now.
pub(super) async fn live(
    app: &App,
    facts: &OrderFacts,
) -> Result<Option<OperationRecord>, DbError> {
    let order = whole(app, facts).await?;
    let waits = |record: &OperationRecord| record.state().is_some_and(|state| state.is_waiting());
    Ok(to_show(order.operations()).cloned().filter(waits))
}
