use super::failure::show_failure;
use super::view_context::{ViewContext, fact, paragraph};
use super::{audit, exceptions, refunds, transaction};
use crate::staff_state::permitted_actions::{self, NoCancel, NoRefund};
use crate::staff_state::{Ask, Event, Intent, OperationPage, Page, Reference};
use crate::texts::Text;
use browser_kit::texts::{grouped, outside};
use browser_kit::written_number;
use payment_model::Outcome;
use staff_model::{ExceptionKind, OperationDetails, OperationRow, OrderState, Permission};
use std::rc::Rc;
use yew::{AttrValue, Html, html};

pub(super) fn page(context: &ViewContext<'_>) -> Html {
    let Some(page) = &context.state.operation else {
        return Html::default();
    };
    let number = grouped(&page.reference.number);
    html! {
        <div class="operation" aria-busy={page.running.to_string()}>
            <p>{ back(context) }</p>
            <h2 tabindex="-1">
                { context.fill(Text::OperationHeading, &[("number", &number)]) }
            </h2>
            if let Some(failure) = page.failure.as_ref() {
                { show_failure(context, failure, Some(Event::ReloadPressed)) }
            }
            if let Some(details) = page.details.as_deref() {
                { known(context, page, details) }
            } else if page.running {
                { paragraph("muted", &context.text(Text::Loading)) }
            }
        </div>
    }
}

/// The way to where the person came from.
fn back(context: &ViewContext<'_>) -> Html {
    let text = match context.state.before.last() {
        Some(Page::Exceptions) => Text::BackToExceptions,
        Some(Page::Operation(_)) => Text::GoBack,
        _ => Text::BackToList,
    };
    context.button("link back", text, Event::BackPressed)
}

fn known(context: &ViewContext<'_>, page: &OperationPage, details: &OperationDetails) -> Html {
    let transactions = details
        .operation
        .iter()
        .flat_map(|operation| &operation.transactions);
    let found = details.exceptions.iter().cloned().map(Rc::new);
    html! {
        <>
            { summary(context, details) }
            { warnings(context, details) }
            { actions(context, page, details) }
            if !details.exceptions.is_empty() {
                <section>
                    <h3>{ context.text(Text::ExceptionsHeading) }</h3>
                    <ul class="exceptions">{ for found.map(|one| exceptions::entry(context, &one, false)) }</ul>
                </section>
            }
            { refunds::sections(context, details) }
            { for transactions.map(|one| transaction::section(context, one)) }
            { order(context, details) }
            { audit::section(context, &details.audit) }
        </>
    }
}

fn summary(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    let row = &details.row;
    let (state, wire) = context.texts.standing(row);
    let reversed = row.outcome == Some(Outcome::Reversed) || is_reversed(details);
    let state = if reversed {
        context.text(Text::StateReversedAfterPayment)
    } else {
        state
    };
    let asked = details.queried_at.map_or_else(
        || html! { { context.text(Text::NeverQueried) } },
        |at| context.time(at),
    );
    let codes = context
        .state
        .sign_in
        .session
        .as_ref()
        .map_or(0, |s| s.merchant_codes.len());
    html! {
        <section class="summary" part="summary">
            <p class="total">
                <strong>{ context.texts.sum(&row.money()) }</strong>
                { " " }
                <span class={["state ", super::view_context::part_of_state(row)].concat()}>{ state }</span>
                { " " }<span class="wire">{ wire }</span>
            </p>
            <dl class="facts">
                { fact(&context.text(Text::NumberLabel), context.copy_number(&row.merchant_operation_number, &context.text(Text::NumberLabel))) }
                { fact(&context.text(Text::OrderLabel), context.copy(&row.order_id, &context.text(Text::OrderLabel))) }
                if let Some(id) = row.transaction_id.as_deref() {
                    { fact(&context.text(Text::TransactionLabel), context.copy(id, &context.text(Text::TransactionLabel))) }
                }
                { fact(&context.text(Text::MethodLabel), html! { { context.texts.method(&row.method_name) } }) }
                if codes > 1 {
                    { fact(&context.text(Text::CodeLabel), html! { { outside(&row.merchant_code) } }) }
                }
                { fact(&context.text(Text::ColumnCreated), context.time(row.created_at)) }
                { fact(&context.text(Text::ChangedLabel), context.time(row.changed_at)) }
                { fact(&context.text(Text::QueriedLabel), asked) }
            </dl>
        </section>
    }
}

/// True when a payment of the operation was given back.
fn is_reversed(details: &OperationDetails) -> bool {
    let mut transactions = details.operation.iter().flat_map(|o| &o.transactions);
    transactions.any(|transaction| transaction.outcome() == Some(Outcome::Reversed))
}

fn warnings(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    let failure = details
        .trouble
        .as_deref()
        .map(outside)
        .filter(|t| !t.is_empty());
    html! {
        <>
            if details.exceptions.iter().any(|one| one.kind == ExceptionKind::PaidTwice) {
                { paragraph("note", &context.text(Text::PaidTwiceNote)) }
            }
            if let Some(failure) = failure {
                <div class="note">
                    <p>{ context.text(Text::FailureNote) }</p>
                    <p class="muted" lang="en">{ failure }</p>
                </div>
            }
        </>
    }
}

fn actions(context: &ViewContext<'_>, page: &OperationPage, details: &OperationDetails) -> Html {
    let row = &details.row;
    let early = page.querying || page.query_free_at(context.at).is_some();
    html! {
        <section class="doing" aria-label={context.text(Text::ActionsName)}>
            <div class="actions">
                { context.button_unless("plain", Text::QueryAgain, Event::QueryPressed,
                    early.then(|| context.text(if page.querying { Text::Querying } else { Text::QueriedJustNow }))) }
                { refund_button(context, details) }
                { cancel_button(context, row) }
                if permitted_actions::is_returned_by_hand(row) {
                    { context.button_unless("plain", Text::RecordReturn, Event::Asked(Ask::Return),
                        (!context.state.may(Permission::Refund)).then(|| context.text(Text::NotPermittedRefund))) }
                }
            </div>
            { told(context, page) }
        </section>
    }
}

/// Shows the service's answer to a query from this page.
fn told(context: &ViewContext<'_>, page: &OperationPage) -> Html {
    match &page.fresh {
        None => Html::default(),
        Some(Err(failure)) => show_failure(context, failure, None),
        Some(Ok(fresh)) => {
            let text = fresh.state.as_ref().map_or_else(
                || context.text(Text::FreshNothing),
                |state| {
                    let (words, wire) = (
                        context.texts.ended(state, fresh.outcome),
                        outside(state.as_str()),
                    );
                    context.fill(Text::FreshState, &[("state", &words), ("wire", &wire)])
                },
            );
            let message = context.texts.message(&fresh.meta);
            html! {
                <div class="note plain-note">
                    <p>{ text }</p>
                    if let Some(message) = message {
                        <p>{ context.fill(Text::ServiceSays, &[("message", &message)]) }</p>
                    }
                </div>
            }
        }
    }
}

fn cancel_button(context: &ViewContext<'_>, row: &OperationRow) -> Html {
    let permitted = context.state.may(Permission::Cancel);
    let (text, off) = match permitted_actions::cancel(row, permitted) {
        Ok(Intent::Cancel) => (Text::Cancel, None),
        Ok(Intent::Reverse) => (Text::Reverse, None),
        Err(why) => {
            let text = match permitted_actions::cancel(row, true) {
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
            (text, Some(context.text(why)))
        }
    };
    context.button_unless("danger", text, Event::Asked(Ask::Cancel), off)
}

fn refund_button(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    let permitted = context.state.may(Permission::Refund);
    let able = permitted_actions::refund(&details.row, Some(details.refundable), permitted);
    let off = able.err().map(|why| no_refund(context, &why));
    context.button_unless("primary", Text::Refund, Event::Asked(Ask::Refund), off)
}

/// Why there is no refund, in a sentence.
pub(super) fn no_refund(context: &ViewContext<'_>, why: &NoRefund) -> AttrValue {
    match why {
        NoRefund::NotPermitted => context.text(Text::NotPermittedRefund),
        NoRefund::NotSettled(state) => {
            let state = state.as_ref().map_or_else(
                || context.text(Text::StateNone).to_string(),
                |state| {
                    [
                        context.texts.state(state).as_str(),
                        " (",
                        &outside(state.as_str()),
                        ")",
                    ]
                    .concat()
                },
            );
            context.fill(Text::NoRefundNotSettled, &[("state", &state)])
        }
        NoRefund::Method(method) => {
            let method = context.texts.method(method);
            context.fill(Text::NoRefundMethod, &[("method", &method)])
        }
        NoRefund::NothingLeft => context.text(Text::NoRefundNothingLeft),
    }
}

fn order(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    let order = &details.order;
    let here = Reference::of(&details.row);
    let others: Vec<&OperationRow> = order
        .operations
        .iter()
        .filter(|row| Reference::of(row) != here)
        .collect();
    let id = outside(&order.order_id);
    let state = match &order.state {
        OrderState::Paid => context.text(Text::OrderPaid),
        OrderState::Open => context.text(Text::OrderOpen),
        OrderState::Unknown(word) => AttrValue::from(outside(word)),
    };
    html! {
        <section>
            <h3>{ context.fill(Text::OrderHeading, &[("order", &id)]) }</h3>
            <p>{ state }</p>
            if others.is_empty() {
                { paragraph("muted", &context.text(Text::OrderAlone)) }
            } else {
                <ul class="others">{ for others.into_iter().map(|row| other(context, row)) }</ul>
            }
        </section>
    }
}

/// Another operation of the same order.
fn other(context: &ViewContext<'_>, row: &OperationRow) -> Html {
    let reference = Reference::of(row);
    let (state, wire) = context.texts.standing(row);
    html! {
        <li key={row.merchant_operation_number.clone()}>
            <button type="button" class="link" onclick={context.press(Event::Opened(Page::Operation(reference)))}>
                { written_number::number(&row.merchant_operation_number) }
            </button>
            { " · " }{ context.texts.sum(&row.money()) }
            { " · " }{ state }{ " " }<span class="wire">{ wire }</span>
            { " · " }{ context.texts.method(&row.method_name) }
        </li>
    }
}
