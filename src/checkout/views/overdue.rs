use super::check_button::check;
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use checkout_flow::Event;
use yew::html;

/// The time is over, but a payment may still arrive.
pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let (heading, again) = if context.is_qr() {
        (Text::OverdueQrHeading, Text::ActionNewQr)
    } else {
        (Text::OverdueHeading, Text::ActionRetry)
    };
    let (heading, lead) = (context.text(heading), context.text(Text::OverdueLead));
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            { operation_number(context) }
            // The primary button asks for the state: a payer who paid at the last moment must not begin a second payment.
            { ways_out(context, html! {
                <>
                    { check(context, "primary") }
                    { context.button("plain", again, || Event::RetryPressed) }
                </>
            }) }
        </>
    };
    Page::plain("overdue", Tone::Bad, &heading, &lead, body)
}
