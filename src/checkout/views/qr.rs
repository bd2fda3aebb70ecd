use super::clock::{until, waiting};
use super::keep::keep;
use super::number::number;
use super::page::{Page, Tone};
use super::scene::Scene;
use super::ways_out::ways_out;
use crate::texts::Text;
use checkout_flow::{Event, QrImage};
use yew::{AttrValue, Callback, Html, html};

/// A code waits. The same phone that shows it may have to scan it, so there are two ways to
/// pay, and the style sheet shows the one that fits the device.
pub(super) fn page(scene: &Scene<'_>, image: &QrImage) -> Page {
    let amount = scene.amount();
    let amount = [("amount", amount.as_str())];
    let heading = html! {
        <>
            <span class="desk">{ scene.fill(Text::QrHeading, &amount) }</span>
            <span class="phone">{ scene.text(Text::QrPhoneHeading) }</span>
        </>
    };
    let send = scene.send.clone();
    let onerror = Callback::from(move |_| send.emit(Event::QrUndecodable));
    let source = image.as_str().to_owned();
    let body = html! {
        <>
            <div class="pay">
                <div class="tile" part="qr">
                    <img src={source} alt={alt(scene)} width="320" height="320" {onerror} />
                </div>
                <div class="side">
                    { steps(scene) }
                    { keep(scene, image) }
                </div>
            </div>
            { waiting(scene) }
            { number(scene) }
            { ways_out(scene, Html::default()) }
        </>
    };
    Page {
        name: "qr",
        tone: Tone::Plain,
        heading,
        // A payer with a screen reader learns the time limit at once, not at the first reminder.
        said: match until(scene) {
            Some(until) => [&*scene.fill(Text::QrReady, &amount), " ", &*until]
                .concat()
                .into(),
            None => scene.fill(Text::QrReady, &amount),
        },
        body,
        counts: true,
    }
}

/// The steps for paying with the code. They take up their space already while the amount is
/// unknown.
pub(super) fn steps(scene: &Scene<'_>) -> Html {
    let verify = with_payee(scene, Text::QrVerifyPayeeStep, Text::QrVerifyStep);
    let list = |class: &'static str, steps: &[Option<Text>]| {
        let step = |step: &Option<Text>| {
            let words = step.map_or_else(|| verify.clone(), |step| scene.text(step));
            html! { <li>{ words }</li> }
        };
        html! { <ol {class} part="steps">{ for steps.iter().map(step) }</ol> }
    };
    let class = if scene.amount().is_empty() {
        "unsaid"
    } else {
        ""
    };
    html! {
        <div {class}>
            { list("steps desk", &[Some(Text::QrOpenStep), Some(Text::QrScanStep), None]) }
            { list("steps phone", &[
                Some(Text::QrSaveStep),
                Some(Text::QrUploadStep),
                None,
                Some(Text::QrReturnStep),
            ]) }
        </div>
    }
}

fn alt(scene: &Scene<'_>) -> AttrValue {
    with_payee(scene, Text::QrAltPayee, Text::QrAlt)
}

fn with_payee(scene: &Scene<'_>, named: Text, nameless: Text) -> AttrValue {
    let amount = scene.amount();
    match scene.payee() {
        Some(payee) => scene.fill(named, &[("amount", &amount), ("payee", payee)]),
        None => scene.fill(nameless, &[("amount", &amount)]),
    }
}
