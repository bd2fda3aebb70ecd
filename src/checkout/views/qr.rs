use super::clock::waiting;
use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, part};
use crate::i18n::Text;
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
    let source = AttrValue::from(image.as_str().to_owned());
    let file = [scene.number().unwrap_or("qr"), ".png"].concat();
    let body = html! {
        <>
            <div class="pay">
                <div class="tile" part="qr">
                    <img src={&source} alt={alt(scene)} width="320" height="320" {onerror} />
                </div>
                <div class="side">
                    <ol class="steps desk" part="steps">
                        <li>{ scene.text(Text::QrOpenStep) }</li>
                        <li>{ scene.text(Text::QrScanStep) }</li>
                        <li>{ verify(scene) }</li>
                    </ol>
                    <ol class="steps phone" part="steps">
                        <li>{ scene.text(Text::QrSaveStep) }</li>
                        <li>{ scene.text(Text::QrUploadStep) }</li>
                        <li>{ verify(scene) }</li>
                        <li>{ scene.text(Text::QrReturnStep) }</li>
                    </ol>
                    <a class="save" part={part("")} href={source} download={file}>
                        { scene.text(Text::QrSave) }
                    </a>
                </div>
            </div>
            { waiting(scene) }
            { number(scene) }
            { scene.ways_out(Html::default()) }
        </>
    };
    Page {
        name: "qr",
        tone: Tone::Plain,
        heading,
        said: scene.fill(Text::QrReady, &amount),
        body,
        counts: true,
    }
}

fn verify(scene: &Scene<'_>) -> Html {
    Html::from(with_payee(
        scene,
        Text::QrVerifyPayeeStep,
        Text::QrVerifyStep,
    ))
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
