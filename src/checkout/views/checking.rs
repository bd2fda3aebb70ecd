use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::skeleton::skeleton;
use crate::i18n::Text;
use checkout_flow::Event;
use yew::html;

pub(super) fn page(scene: &Scene<'_>) -> Page {
    let (heading, lead) = (
        scene.text(Text::CheckingHeading),
        scene.text(Text::CheckingLead),
    );
    // Whatever comes next is most often a QR, and a screen that shrinks disturbs less than one
    // that grows under the finger.
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            { skeleton() }
            { scene.ways_out(scene.button("plain", Text::ActionCheck, Event::CheckPressed)) }
        </>
    };
    Page::plain("checking", Tone::Busy, &heading, &lead, body)
}
