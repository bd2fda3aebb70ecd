use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use crate::texts::Text;
use yew::html;

pub(super) fn page(scene: &Scene<'_>) -> Page {
    let (heading, lead) = (
        scene.text(Text::CancellingHeading),
        scene.text(Text::CancellingLead),
    );
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            { number(scene) }
        </>
    };
    Page::plain("cancelling", Tone::Busy, &heading, &lead, body)
}
