use super::page::{Page, Tone};
use super::skeleton::skeleton;
use super::view_context::{ViewContext, paragraph};
use crate::texts::Text;

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
        (Tone::Busy, paragraph("lead", &lead))
    };
    Page::plain("authorizing", tone, &heading, &lead, body)
}
