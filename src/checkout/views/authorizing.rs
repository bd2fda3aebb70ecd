use super::page::{Page, Tone};
use super::qr::OUTLINE;
use super::skeleton::{skeleton, slow};
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::back;
use crate::texts::Text;
use yew::html;

pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let qr = context.is_qr();
    let heading = context.text(if qr {
        Text::AuthorizingQrHeading
    } else {
        Text::AuthorizingHeading
    });
    let lead = context.text(Text::AuthorizingLead);
    let (tone, body) = if qr {
        (Tone::Plain, skeleton(context, &lead))
    } else {
        let body = html! {
            <>
                { paragraph(Kind::Lead, &lead) }
                { slow(context, html! {
                    <div class="actions" part="actions">{ back(context, "plain") }</div>
                }) }
            </>
        };
        (Tone::Busy, body)
    };
    let mut page = Page::plain("authorizing", tone, &heading, &lead, body);
    if qr {
        page.outline = OUTLINE;
    }
    page
}
