use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use browser_kit::texts::Clock;
use checkout_flow::Event;
use yew::html;

/// A new code was asked for, and the one before it may be paid: neither an error nor an end.
pub(super) fn page(scene: &Scene<'_>, again_at: Option<i64>) -> Page {
    let (heading, again) = if scene.is_qr() {
        (Text::UnconfirmedQrHeading, Text::ActionNewQr)
    } else {
        (Text::UnconfirmedHeading, Text::ActionRetry)
    };
    let (heading, lead) = (scene.text(heading), scene.text(Text::UnconfirmedLead));
    let time = again_at.and_then(|at| scene.around.texts.instant(at, Clock::Seconds));
    let later = time.map(|time| scene.fill(Text::UnconfirmedAgain, &[("time", &time)]));
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            if let Some(later) = later {
                { paragraph("reason", &later) }
            }
            { number(scene) }
            { ways_out(scene, html! {
                <>
                    if again_at.is_none() {
                        { scene.button("primary", again, || Event::RetryPressed) }
                    }
                    { scene.check("plain") }
                </>
            }) }
        </>
    };
    Page::plain("unconfirmed", Tone::Busy, &heading, &lead, body)
}
