use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use yew::html;

/// The screen for an unknown state: neither success nor failure.
pub(super) fn page(scene: &Scene<'_>) -> Page {
    let (heading, lead) = (
        scene.text(Text::ConfirmingHeading),
        scene.text(Text::ConfirmingLead),
    );
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            { number(scene) }
            { ways_out(scene, scene.check("primary")) }
        </>
    };
    Page::plain("confirming", Tone::Busy, &heading, &lead, body)
}
