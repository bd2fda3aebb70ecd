use super::clock::{until, waiting};
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::save_and_share::save_and_share;
use super::view_context::ViewContext;
use super::ways_out::ways_out;
use crate::texts::Text;
use checkout_flow::{Event, QrImage};
use yew::{AttrValue, Callback, Html, html};

/// A code waits. The phone that shows the code may also have to scan it, so there are two ways to
/// pay, and the style sheet shows the one that fits the device.
pub(super) fn page(context: &ViewContext<'_>, image: &QrImage) -> Page {
    let amount = context.amount();
    let amount = [("amount", amount.as_str())];
    let heading = html! {
        <>
            <span class="desk">{ context.fill(Text::QrHeading, &amount) }</span>
            <span class="phone">{ context.text(Text::QrPhoneHeading) }</span>
        </>
    };
    let send = context.send.clone();
    let onerror = Callback::from(move |_| send.emit(Event::QrUndecodable));
    let source = image.as_str().to_owned();
    let body = html! {
        <>
            <div class="pay">
                <div class="tile" part="qr">
                    <img src={source} alt={alt(context)} width="320" height="320" {onerror} />
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
    Page {
        name: "qr",
        tone: Tone::Plain,
        heading,
        // A payer with a screen reader learns the time limit at once, not at the first reminder.
        said: match until(context) {
            Some(until) => [&*context.fill(Text::QrReady, &amount), " ", &*until]
                .concat()
                .into(),
            None => context.fill(Text::QrReady, &amount),
        },
        body,
        counts: true,
    }
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
    let class = if context.amount().is_empty() {
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

fn alt(context: &ViewContext<'_>) -> AttrValue {
    with_payee(context, Text::QrAltPayee, Text::QrAlt)
}

fn with_payee(context: &ViewContext<'_>, named: Text, nameless: Text) -> AttrValue {
    let amount = context.amount();
    match context.payee() {
        Some(payee) => context.fill(named, &[("amount", &amount), ("payee", payee)]),
        None => context.fill(nameless, &[("amount", &amount)]),
    }
}
