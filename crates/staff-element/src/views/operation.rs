use super::scene::{Scene, fact, paragraph};
use super::trouble::show_trouble;
use super::{audit, exceptions, refunds, transaction};
use crate::desk::ability::{self, NoCancel, NoRefund};
use crate::desk::{Ask, Event, Intent, OperationPage, Page, Reference};
use crate::texts::Text;
use browser_kit::texts::{grouped, outside};
use payment_model::Outcome;
use staff_model::{ExceptionKind, OperationDetails, OperationRow, Permission};
use std::rc::Rc;
use yew::{AttrValue, Html, html};

pub(super) fn page(scene: &Scene<'_>) -> Html {
    let Some(page) = &scene.desk.operation else {
        return Html::default();
    };
    let number = grouped(&page.reference.number);
    html! {
        <div class="operation" aria-busy={page.running.to_string()}>
            <h2 tabindex="-1">
                { scene.fill(Text::OperationHeading, &[("number", &number)]) }
            </h2>
            if let Some(trouble) = page.trouble.as_ref() {
                { show_trouble(scene, trouble, Some(Event::ReloadPressed)) }
            }
            if let Some(details) = page.details.as_deref() {
                { known(scene, page, details) }
            } else if page.running {
                { paragraph("muted", &scene.text(Text::Loading)) }
            }
        </div>
    }
}

fn known(scene: &Scene<'_>, page: &OperationPage, details: &OperationDetails) -> Html {
    let transactions = details
        .operation
        .iter()
        .flat_map(|operation| &operation.transactions);
    let found = details.exceptions.iter().cloned().map(Rc::new);
    html! {
        <>
            { summary(scene, details) }
            { warnings(scene, details) }
            { actions(scene, page, details) }
            if !details.exceptions.is_empty() {
                <section>
                    <h3>{ scene.text(Text::ExceptionsHeading) }</h3>
                    <ul class="exceptions">{ for found.map(|one| exceptions::entry(scene, &one, false)) }</ul>
                </section>
            }
            { refunds::sections(scene, details) }
            { for transactions.map(|one| transaction::section(scene, one)) }
            { order(scene, details) }
            { audit::section(scene, &details.audit) }
        </>
    }
}

fn summary(scene: &Scene<'_>, details: &OperationDetails) -> Html {
    let row = &details.row;
    let (state, wire) = scene.texts.standing(row);
    let reversed = row.outcome == Some(Outcome::Reversed) || is_reversed(details);
    let state = if reversed {
        scene.text(Text::StateReversedAfterPayment)
    } else {
        state
    };
    let asked = details.queried_at.map_or_else(
        || html! { { scene.text(Text::NeverQueried) } },
        |at| scene.time(at),
    );
    let codes = scene
        .desk
        .door
        .session
        .as_ref()
        .map_or(0, |s| s.merchant_codes.len());
    html! {
        <section class="summary" part="summary">
            <p class="total">
                <strong>{ scene.texts.sum(&row.money()) }</strong>
                { " " }
                <span class={["state ", super::scene::part_of_state(row)].concat()}>{ state }</span>
                { " " }<span class="wire">{ wire }</span>
            </p>
            <dl class="facts">
                { fact(&scene.text(Text::NumberLabel), scene.copy(&row.merchant_operation_number, &scene.text(Text::NumberLabel))) }
                { fact(&scene.text(Text::OrderLabel), scene.copy(&row.order_id, &scene.text(Text::OrderLabel))) }
                if let Some(id) = row.transaction_id.as_deref() {
                    { fact(&scene.text(Text::TransactionLabel), scene.copy(id, &scene.text(Text::TransactionLabel))) }
                }
                { fact(&scene.text(Text::MethodLabel), html! { { scene.texts.method(&row.method_name) } }) }
                if codes > 1 {
                    { fact(&scene.text(Text::CodeLabel), html! { { outside(&row.merchant_code) } }) }
                }
                { fact(&scene.text(Text::ColumnCreated), scene.time(row.created_at)) }
                { fact(&scene.text(Text::ChangedLabel), scene.time(row.changed_at)) }
                { fact(&scene.text(Text::QueriedLabel), asked) }
            </dl>
        </section>
    }
}

/// True when a payment of the operation was given back.
fn is_reversed(details: &OperationDetails) -> bool {
    let mut transactions = details.operation.iter().flat_map(|o| &o.transactions);
    transactions.any(|transaction| transaction.outcome() == Some(Outcome::Reversed))
}

fn warnings(scene: &Scene<'_>, details: &OperationDetails) -> Html {
    let trouble = details
        .trouble
        .as_deref()
        .map(outside)
        .filter(|t| !t.is_empty());
    html! {
        <>
            if details.exceptions.iter().any(|one| one.kind == ExceptionKind::PaidTwice) {
                { paragraph("note", &scene.text(Text::PaidTwiceNote)) }
            }
            if let Some(trouble) = trouble {
                <div class="note">
                    <p>{ scene.text(Text::TroubleNote) }</p>
                    <p class="muted" lang="en">{ trouble }</p>
                </div>
            }
        </>
    }
}

fn actions(scene: &Scene<'_>, page: &OperationPage, details: &OperationDetails) -> Html {
    let row = &details.row;
    let early = page.querying || page.query_free_at(scene.at).is_some();
    html! {
        <section class="doing" aria-label={scene.text(Text::ActionsName)}>
            <div class="actions">
                { scene.button_unless("plain", Text::QueryAgain, Event::QueryPressed,
                    early.then(|| scene.text(if page.querying { Text::Querying } else { Text::QueriedJustNow }))) }
                { refund_button(scene, details) }
                { cancel_button(scene, row) }
                if ability::is_returned_by_hand(row) {
                    { scene.button_unless("plain", Text::RecordReturn, Event::Asked(Ask::Return),
                        (!scene.desk.may(Permission::Refund)).then(|| scene.text(Text::NotPermittedRefund))) }
                }
            </div>
            { told(scene, page) }
        </section>
    }
}

/// Shows the service's answer to a query from this page.
fn told(scene: &Scene<'_>, page: &OperationPage) -> Html {
    match &page.fresh {
        None => Html::default(),
        Some(Err(trouble)) => show_trouble(scene, trouble, None),
        Some(Ok(fresh)) => {
            let text = fresh.state.as_ref().map_or_else(
                || scene.text(Text::FreshNothing),
                |state| {
                    let (words, wire) = (
                        scene.texts.ended(state, fresh.outcome),
                        outside(state.as_str()),
                    );
                    scene.fill(Text::FreshState, &[("state", &words), ("wire", &wire)])
                },
            );
            let message = scene.texts.message(&fresh.meta);
            html! {
                <div class="note plain-note">
                    <p>{ text }</p>
                    if let Some(message) = message {
                        <p>{ scene.fill(Text::ServiceSays, &[("message", &message)]) }</p>
                    }
                </div>
            }
        }
    }
}

fn cancel_button(scene: &Scene<'_>, row: &OperationRow) -> Html {
    let permitted = scene.desk.may(Permission::Cancel);
    let (text, off) = match ability::cancel(row, permitted) {
        Ok(Intent::Cancel) => (Text::Cancel, None),
        Ok(Intent::Reverse) => (Text::Reverse, None),
        Err(why) => {
            let text = match ability::cancel(row, true) {
                Ok(Intent::Reverse) | Err(NoCancel::Settled) => Text::Reverse,
                _ => Text::Cancel,
            };
            let why = match why {
                NoCancel::NotPermitted => Text::NotPermittedCancel,
                NoCancel::Settled if row.method_name.is_refundable() => Text::NoCancelSettled,
                NoCancel::Settled => Text::NoCancelSettledByHand,
                NoCancel::Over => Text::NoCancelOver,
                NoCancel::Unknown => Text::NoCancelUnknown,
            };
            (text, Some(scene.text(why)))
        }
    };
    scene.button_unless("danger", text, Event::Asked(Ask::Cancel), off)
}

fn refund_button(scene: &Scene<'_>, details: &OperationDetails) -> Html {
    let permitted = scene.desk.may(Permission::Refund);
    let able = ability::refund(&details.row, Some(details.refundable), permitted);
    let off = able.err().map(|why| no_refund(scene, &why));
    scene.button_unless("primary", Text::Refund, Event::Asked(Ask::Refund), off)
}

/// Why there is no refund, in a sentence.
pub(super) fn no_refund(scene: &Scene<'_>, why: &NoRefund) -> AttrValue {
    match why {
        NoRefund::NotPermitted => scene.text(Text::NotPermittedRefund),
        NoRefund::NotSettled(state) => {
            let state = state.as_ref().map_or_else(
                || scene.text(Text::StateNone).to_string(),
                |state| {
                    [
                        scene.texts.state(state).as_str(),
                        " (",
                        &outside(state.as_str()),
                        ")",
                    ]
                    .concat()
                },
            );
            scene.fill(Text::NoRefundNotSettled, &[("state", &state)])
        }
        NoRefund::Method(method) => {
            let method = scene.texts.method(method);
            scene.fill(Text::NoRefundMethod, &[("method", &method)])
        }
        NoRefund::NothingLeft => scene.text(Text::NoRefundNothingLeft),
    }
}

fn order(scene: &Scene<'_>, details: &OperationDetails) -> Html {
    let order = &details.order;
    let here = Reference::of(&details.row);
    let others: Vec<&OperationRow> = order
        .operations
        .iter()
        .filter(|row| Reference::of(row) != here)
        .collect();
    let id = outside(&order.order_id);
    let state = match order.state.as_str() {
        "paid" => scene.text(Text::OrderPaid),
        "open" => scene.text(Text::OrderOpen),
        other => AttrValue::from(outside(other)),
    };
    html! {
        <section>
            <h3>{ scene.fill(Text::OrderHeading, &[("order", &id)]) }</h3>
            <p>{ state }</p>
            if others.is_empty() {
                { paragraph("muted", &scene.text(Text::OrderAlone)) }
            } else {
                <ul class="others">{ for others.into_iter().map(|row| other(scene, row)) }</ul>
            }
        </section>
    }
}

/// Another operation of the same order.
fn other(scene: &Scene<'_>, row: &OperationRow) -> Html {
    let reference = Reference::of(row);
    let (state, wire) = scene.texts.standing(row);
    html! {
        <li>
            <button type="button" class="link" onclick={scene.press(Event::Opened(Page::Operation(reference)))}>
                { outside(&row.merchant_operation_number) }
            </button>
            { " · " }{ scene.texts.sum(&row.money()) }
            { " · " }{ state }{ " " }<span class="wire">{ wire }</span>
            { " · " }{ scene.texts.method(&row.method_name) }
        </li>
    }
}
