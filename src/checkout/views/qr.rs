use super::clock::waiting;
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::save_and_share::save_and_share;
use super::view_context::ViewContext;
use super::ways_out::ways_out;
use crate::texts::{Text, Words};
use checkout_flow::{Event, QrImage};
use yew::{Callback, Html, html};

/// A code waits. The phone that shows the code may also have to scan it, so there are two ways to
/// pay, and the style sheet shows the one that fits the device.
pub(super) fn page(context: &ViewContext<'_>, image: &QrImage) -> Page {
    let heading = html! {
        <>
            <span class="desk">{ context.fill(Text::QrHeading, &[]) }</span>
            // To the eye the amount is right above.
            <span class="phone">
                { context.text(Text::QrPhoneHeading) }
                <span class="unseen">{ ": " }{ context.amount.heard() }</span>
            </span>
        </>
    };
    let send = context.send.clone();
    let onerror = Callback::from(move |_| send.emit(Event::QrUndecodable));
    let alt = with_payee(context, Text::QrAltPayee, Text::QrAlt);
    let source = image.as_str().to_owned();
    let body = html! {
        <>
            <div class="pay">
                <div class="tile" part="qr">
                    <img
                        src={source}
                        alt={alt.heard()}
                        lang={alt.lang()}
                        width="320"
                        height="320"
                        {onerror}
                    />
                </div>
                <div class="side">
                    { steps(context) }
                    { save_and_share(context, image) }
                </div>
            </div>
            { waiting(context) }
            { operation_number(context) }
            { ways_out(context, Html::default()) }
        </>
    };
    let page = Page {
        name: "qr",
        tone: Tone::Plain,
        heading,
        said: vec![context.fill(Text::QrReady, &[])],
        body,
        counts: true,
    };
    page.until_deadline(context)
}

/// The steps for paying with the code. They take up their space already while the amount is
/// unknown.
pub(super) fn steps(context: &ViewContext<'_>) -> Html {
    let verify = with_payee(context, Text::QrVerifyPayeeStep, Text::QrVerifyStep);
    let list = |class: &'static str, steps: &[Option<Text>]| {
        let step = |step: &Option<Text>| {
            let words = step.map_or_else(|| verify.clone(), |step| context.text(step));
            html! { <li>{ words }</li> }
        };
        html! { <ol {class} part="steps">{ for steps.iter().map(step) }</ol> }
    };
    let class = if context.amount.is_empty() {
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

fn with_payee(context: &ViewContext<'_>, named: Text, nameless: Text) -> Words {
    match context.payee() {
        Some(payee) => context.fill(named, &[("payee", payee)]),
        None => context.fill(nameless, &[]),
    }
}
