use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::skeleton::skeleton;
use crate::texts::Text;

pub(super) fn page(scene: &Scene<'_>) -> Page {
    let qr = scene.is_qr();
    let heading = scene.text(if qr {
        Text::AuthorizingQrHeading
    } else {
        Text::AuthorizingHeading
    });
    let lead = scene.text(Text::AuthorizingLead);
    let (tone, body) = if qr {
        (Tone::Plain, skeleton(scene, &lead))
    } else {
        (Tone::Busy, paragraph("lead", &lead))
    };
    Page::plain("authorizing", tone, &heading, &lead, body)
}
