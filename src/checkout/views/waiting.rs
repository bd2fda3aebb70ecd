use super::check_button::check;
use super::clock::clock;
use super::operation_number::{folded_number, operation_number};
use super::page::{Page, Tone};
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use payment_model::PaymentMethodName;
use yew::html;

/// An operation of any other method waits.
pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let (heading, lead) = match context.view.method {
        // Without the code there is nothing to pay with.
        Some(PaymentMethodName::CashCode) => (Text::CashComingHeading, Text::CashComingLead),
        Some(PaymentMethodName::BankTransfer) => (Text::TransferHeading, Text::TransferLead),
        _ => (Text::WaitingHeading, Text::WaitingLead),
    };
    let (heading, lead) = (context.text(heading), context.text(lead));
    let number = match context.view.method {
        Some(PaymentMethodName::CashCode) => folded_number(context),
        _ => operation_number(context),
    };
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            <slot name="waiting" />
            <div class="status">{ clock(context) }</div>
            { number }
            { ways_out(context, check(context, "primary")) }
        </>
    };
    Page::plain("waiting", Tone::Busy, &heading, &lead, body).until_deadline(context)
}
