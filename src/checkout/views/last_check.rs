use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use yew::html;

/// The time is over, and the last word is the server's.
pub(super) fn page(scene: &Scene<'_>) -> Page {
    let (heading, lead) = (
        scene.text(Text::LastCheckHeading),
        scene.text(Text::LastCheckLead),
    );
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            { number(scene) }
            { ways_out(scene, scene.check("primary")) }
        </>
    };
    Page::plain("last-check", Tone::Busy, &heading, &lead, body)
}
