use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use checkout_flow::Event;
use yew::html;

/// The time is over, but a payment may still arrive.
pub(super) fn page(scene: &Scene<'_>) -> Page {
    let (heading, again) = if scene.is_qr() {
        (Text::OverdueQrHeading, Text::ActionNewQr)
    } else {
        (Text::OverdueHeading, Text::ActionRetry)
    };
    let (heading, lead) = (scene.text(heading), scene.text(Text::OverdueLead));
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            { number(scene) }
            { ways_out(scene, html! {
                <>
                    { scene.button("primary", again, || Event::RetryPressed) }
                    { scene.check("plain") }
                </>
            }) }
        </>
    };
    Page::plain("overdue", Tone::Bad, &heading, &lead, body)
}
