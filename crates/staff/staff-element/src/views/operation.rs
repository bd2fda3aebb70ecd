use super::failure::show_failure;
use super::list_rows::part_of_state;
use super::pieces::section;
use super::view_context::ViewContext;
use super::{actions, audit, exceptions, order, refunds, transaction};
use crate::staff_state::{Event, OperationPage, Page};
use crate::texts::Text;
use browser_kit::texts::{grouped, sanitized};
use browser_kit::written_number::exact;
use payment_model::Outcome;
use staff_model::{ExceptionKind, OperationDetails};
use std::rc::Rc;
use yew::{Html, html};

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
                { context.paragraph("muted", Text::Loading) }
            }
        </div>
    }
}

/// The way to where the person came from.
fn back(context: &ViewContext<'_>) -> Html {
    let text = match context.state.before.last() {
        Some(Page::Exceptions) => Text::BackToExceptions,
        Some(Page::Operation(_) | Page::Links) => Text::GoBack,
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
    let alone = transactions.clone().count() == 1;
    html! {
        <div class="columns">
            <div class="column">
                { summary(context, details) }
                { warnings(context, details) }
                { actions::section(context, page, details) }
                if !details.exceptions.is_empty() {
                    { section(context, None, Text::ExceptionsHeading, html! {
                        <ul class="exceptions">{ for found.map(|one| exceptions::entry(context, &one, false)) }</ul>
                    }) }
                }
                { refunds::sections(context, details) }
            </div>
            <div class="column">
                { order::sections(context, details) }
                { for transactions.map(|one| transaction::section(context, one, alone)) }
                { audit::section(context, &details.audit) }
            </div>
        </div>
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
                <strong translate="no">{ context.texts.sum(&row.money()) }</strong>
                { " " }
                <span class={["state ", part_of_state(row)].concat()} title={(!wire.is_empty()).then_some(wire)}>{ state }</span>
            </p>
            <dl class="facts">
                { context.fact(Text::NumberLabel, context.copy_number(&row.merchant_operation_number, &context.text(Text::NumberLabel))) }
                if let Some(id) = row.transaction_id.as_deref() {
                    { context.copied(Text::TransactionLabel, id) }
                }
                { context.fact(Text::MethodLabel, html! { { context.texts.method(&row.method_name) } }) }
                if codes > 1 {
                    { context.fact(Text::CodeLabel, exact(sanitized(&row.merchant_code))) }
                }
                { context.fact(Text::ColumnCreated, context.time(row.created_at)) }
                { context.fact(Text::ChangedLabel, context.time(row.changed_at)) }
                { context.fact(Text::QueriedLabel, asked) }
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
        .map(sanitized)
        .filter(|t| !t.is_empty());
    html! {
        <>
            if details.exceptions.iter().any(|one| one.kind == ExceptionKind::PaidTwice) {
                { context.paragraph("note", Text::PaidTwiceNote) }
            }
            if let Some(failure) = failure {
                <div class="note">
                    { context.paragraph("", Text::FailureNote) }
                    <p class="muted" lang="en">{ failure }</p>
                </div>
            }
        </>
    }
}
