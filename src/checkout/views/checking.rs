use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use yew::html;

pub(super) fn page(scene: &Scene<'_>) -> Page {
    let (heading, lead) = (
        scene.text(Text::CheckingHeading),
        scene.text(Text::CheckingLead),
    );
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            <div class="bone row" />
            { ways_out(scene, scene.check("plain")) }
        </>
    };
    Page::plain("checking", Tone::Busy, &heading, &lead, body)
}
