use super::check_button::check;
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use browser_kit::texts::Clock;
use checkout_flow::Event;
use payment_model::Timestamp;
use yew::html;

/// A new code was asked for, and the one before it may be paid: neither an error nor an end.
pub(super) fn page(context: &ViewContext<'_>, again_at: Option<Timestamp>) -> Page {
    let (heading, again) = if context.is_qr() {
        (Text::UnconfirmedQrHeading, Text::ActionNewQr)
    } else {
        (Text::UnconfirmedHeading, Text::ActionRetry)
    };
    // An operation without a transaction is one of another method, whose code may come by another way.
    let lead = match context.view.method {
        Some(_) => Text::UnconfirmedLead,
        None => Text::UnconfirmedElsewhereLead,
    };
    let (heading, lead) = (context.text(heading), context.text(lead));
    let again_when = match again_at {
        None => Some(context.text(Text::UnconfirmedNow)),
        Some(at) => context
            .inputs
            .texts
            .instant(at, Clock::Seconds)
            .map(|time| context.fill(Text::UnconfirmedAgain, &[("time", &time)])),
    };
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            if let Some(again_when) = again_when {
                { paragraph(Kind::Reason, &again_when) }
            }
            { operation_number(context) }
            { ways_out(context, html! {
                <>
                    if again_at.is_none() {
                        { context.button("primary", again, || Event::RetryPressed) }
                    }
                    { check(context, "plain") }
                </>
            }) }
        </>
    };
    Page::plain("unconfirmed", Tone::Busy, &heading, &lead, body)
}
