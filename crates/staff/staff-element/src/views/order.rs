//! Who pays, what is bought, and the other operations of the order.

use super::pieces::section;
use super::view_context::ViewContext;
use crate::staff_state::{Event, Page, Reference};
use crate::texts::Text;
use browser_kit::texts::sanitized;
use browser_kit::written_number;
use staff_model::{OperationDetails, OperationRow, OrderState, OrderSummary, Payer};
use yew::{AttrValue, Html, html};

pub(super) fn sections(context: &ViewContext<'_>, details: &OperationDetails) -> Html {
    html! {
        <>
            { section(context, Some("payer"), Text::PayerHeading, details.order.payer.as_ref().map_or_else(
                || context.paragraph("muted", Text::PayerUnknown),
                |payer| payer_facts(context, payer),
            )) }
            { order(context, details) }
        </>
    }
}

fn payer_facts(context: &ViewContext<'_>, payer: &Payer) -> Html {
    html! {
        <>
            <p class="payer">{ sanitized(&payer.name) }</p>
            <dl class="facts">
                if let Some(email) = payer.email.as_deref() {
                    { context.copied(Text::EmailLabel, email) }
                }
                if let Some(phone) = payer.phone.as_deref() {
                    { context.copied(Text::PhoneLabel, phone) }
                }
            </dl>
        </>
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
    let state = match &order.state {
        OrderState::Paid => context.text(Text::OrderPaid),
        OrderState::Open => context.text(Text::OrderOpen),
        OrderState::Unknown(word) => AttrValue::from(sanitized(word)),
    };
    let body = html! {
        <>
            if let Some(label) = &order.label {
                <p><strong>{ sanitized(label) }</strong></p>
            }
            <p class="pair">{ context.copy(&order.order_id, &context.text(Text::OrderLabel)) }{ " " }<span class="muted">{ state }</span></p>
            { lines(context, order, &details.row) }
            if !others.is_empty() {
                <ul class="others">{ for others.into_iter().map(|row| other(context, row)) }</ul>
            }
        </>
    };
    section(context, None, Text::OrderLabel, body)
}

/// The products, with what they cost together.
fn lines(context: &ViewContext<'_>, order: &OrderSummary, row: &OperationRow) -> Html {
    html! {
        <ul class="products">
            { for order.lines.iter().map(|line| {
                let cents = line.unit_price.get().saturating_mul(line.quantity.into());
                let sum = context.texts.sum(&row.part(payment_model::Cents::new(cents)));
                html! {
                    <li>
                        <span>{ line.quantity }{ " × " }{ sanitized(&line.name) }</span>
                        <span class="number">{ sum }</span>
                    </li>
                }
            }) }
        </ul>
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
            { " · " }{ written_number::exact(context.texts.sum(&row.money())) }
            { " · " }{ state }{ " " }<span class="wire">{ wire }</span>
            { " · " }{ context.texts.method(&row.method_name) }
        </li>
    }
}
