use super::check_button::check;
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use yew::html;

/// The time is over, and the last word is the server's.
pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let (heading, lead) = (
        context.text(Text::LastCheckHeading),
        context.text(Text::LastCheckLead),
    );
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            { operation_number(context) }
            { ways_out(context, check(context, "primary")) }
        </>
    };
    Page::plain("last-check", Tone::Busy, &heading, &lead, body)
}
