use super::clock::countdown;
use super::operation_number::{copy_button, folded_number};
use super::page::{Name, Page, Tone};
use super::save_and_share::print_button;
use super::status_line::status;
use super::view_context::{Kind, Look, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use browser_kit::texts::Clock;
use checkout_flow::ContinueUrl;
use payment_model::{CashCodeResponse, ProcessorResponse, Transaction};
use yew::{AttrValue, Html, html};

/// The response with its code, if the operation is paid in cash and has a code.
pub(super) fn offer(transaction: &Transaction) -> Option<(&CashCodeResponse, &str)> {
    match &transaction.processor_response {
        Some(ProcessorResponse::CashCode(response)) => {
            let cip = response.cip.as_deref().map(str::trim);
            Some((response, cip.filter(|cip| !cip.is_empty())?))
        }
        _ => None,
    }
}

/// A code to pay in cash. The payer uses it elsewhere and later, so the screen says where and until when, and
/// can be printed.
pub(super) fn page(context: &ViewContext<'_>, response: &CashCodeResponse, cip: &str) -> Page {
    let until = context
        .view
        .deadline
        .and_then(|deadline| context.inputs.texts.instant(deadline, Clock::Dated));
    let heading = context.text(Text::CashHeading);
    let lead = match &until {
        Some(until) => context.fill(Text::CashLeadDate, &[("date", until)]),
        None => context.text(Text::CashLead),
    };
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            { code(context, cip) }
            <div class="actions">
                if let Some(url) = help(response) {
                    <a class="button" part={Look::Plain.part()} href={url} target="_blank" rel="noopener noreferrer">
                        { context.text(Text::CashHelp) }
                    </a>
                }
                { print_button(context, Text::CashPrint) }
            </div>
            <slot name="waiting" />
            { status(context, countdown(context)) }
            { folded_number(context) }
            { ways_out(context, Html::default()) }
        </>
    };
    Page {
        counts: true,
        waits: true,
        ..Page::plain(Name::CashCode, Tone::Plain, &heading, &lead, body)
    }
}

fn code(context: &ViewContext<'_>, cip: &str) -> Html {
    let copy = copy_button(context, cip, Text::CashCopy, Text::CashCopy);
    html! {
        <div class="facts code" part="code">
            <span class="muted">{ context.text(Text::CashLabel) }</span>
            { copy }
        </div>
    }
}

/// The address of the instructions, if it is safe to link to.
fn help(response: &CashCodeResponse) -> Option<AttrValue> {
    let url = ContinueUrl::parse(response.cip_url.as_deref()?, &[])?;
    Some(AttrValue::from(url.as_str().to_owned()))
}
