use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::skeleton::skeleton;
use crate::i18n::Text;
use yew::html;

pub(super) fn page(scene: &Scene<'_>) -> Page {
    let qr = scene.is_qr();
    let heading = scene.text(if qr {
        Text::AuthorizingQrHeading
    } else {
        Text::AuthorizingHeading
    });
    let lead = scene.text(Text::AuthorizingLead);
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            if qr {
                { skeleton() }
            }
        </>
    };
    Page::plain("authorizing", Tone::Busy, &heading, &lead, body)
}
