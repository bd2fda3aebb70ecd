use super::clock::waiting;
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::qr_steps::{steps, with_payee};
use super::save_and_share::save_and_share;
use super::view_context::ViewContext;
use super::ways_out::ways_out;
use crate::texts::Text;
use checkout_flow::{Event, QrImage};
use yew::{Callback, Html, html};

/// The outline stands there before the code does.
pub(super) const OUTLINE: &str = "qr";

/// A code waits. The phone that shows the code may also have to scan it, so there are two ways to
/// pay, and the style sheet shows the one that fits the device.
pub(super) fn page(context: &ViewContext<'_>, image: &QrImage) -> Page {
    let heading = html! {
        <>
            <span class="desk">{ context.fill(Text::QrHeading, &[]) }</span>
            // To the eye the amount is right above.
            <span class="phone">
                { context.text(Text::QrPhoneHeading) }
                <span class="unseen">{ ": " }{ context.amount.heard_alone() }</span>
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
        outline: OUTLINE,
        counts: true,
    };
    page.until_deadline(context)
}
