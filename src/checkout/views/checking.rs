use super::check_button::check;
use super::page::{Page, Tone};
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use yew::html;

pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let (heading, lead) = (
        context.text(Text::CheckingHeading),
        context.text(Text::CheckingLead),
    );
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            <div class="bone row" />
            { ways_out(context, check(context, "plain")) }
        </>
    };
    Page::plain("checking", Tone::Busy, &heading, &lead, body)
}
