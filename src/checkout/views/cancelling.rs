use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::view_context::{Kind, ViewContext, paragraph};
use crate::texts::Text;
use yew::html;

pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let (heading, lead) = (
        context.text(Text::CancellingHeading),
        context.text(Text::CancellingLead),
    );
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            { operation_number(context) }
        </>
    };
    Page::plain("cancelling", Tone::Busy, &heading, &lead, body)
}
