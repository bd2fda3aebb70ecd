use super::clock::clock;
use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, paragraph};
use super::ways_out::ways_out;
use crate::texts::Text;
use payment_model::PaymentMethodName;
use yew::html;

/// An operation of any other method waits.
pub(super) fn page(scene: &Scene<'_>) -> Page {
    let (heading, lead) = match scene.view.method {
        Some(PaymentMethodName::BankTransfer) => (Text::TransferHeading, Text::TransferLead),
        _ => (Text::WaitingHeading, Text::WaitingLead),
    };
    let (heading, lead) = (scene.text(heading), scene.text(lead));
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            <div class="status">{ clock(scene) }</div>
            { number(scene) }
            { ways_out(scene, scene.check("primary")) }
        </>
    };
    Page {
        counts: true,
        ..Page::plain("waiting", Tone::Busy, &heading, &lead, body)
    }
}
