use super::check_button::check;
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use yew::html;

/// The screen for an unknown state: neither success nor failure.
pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let (heading, lead) = (
        context.text(Text::ConfirmingHeading),
        context.text(Text::ConfirmingLead),
    );
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            { operation_number(context) }
            { ways_out(context, check(context, "primary")) }
        </>
    };
    Page::plain("confirming", Tone::Busy, &heading, &lead, body)
}
