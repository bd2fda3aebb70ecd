use super::clock::waiting;
use super::code_tile::CodeTile;
use super::operation_number::operation_number;
use super::page::{Page, Tone};
use super::qr_steps::{steps, with_payee};
use super::save_and_share::save_and_share;
use super::view_context::{Kind, ViewContext, paragraph};
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
            <span class="desk">{ context.text(Text::QrHeading) }</span>
            <span class="phone">{ context.text(Text::QrPhoneHeading) }</span>
            // To the eye the amount is right above.
            <span class="unseen">{ ": " }{ context.amount.heard_node() }</span>
        </>
    };
    let send = context.send.clone();
    let on_broken = Callback::from(move |_| send.emit(Event::QrUndecodable));
    let alt = with_payee(context, Text::QrAltPayee, Text::QrAlt);
    let source = image.as_str().to_owned();
    let body = html! {
        <>
            <div class="pay">
                <CodeTile {source} {alt} enlarge={context.text(Text::QrEnlarge)} {on_broken} />
                <slot name="wallets" />
                <div class="side">
                    { save_and_share(context, image) }
                    { steps(context) }
                </div>
            </div>
            <slot name="waiting" />
            { waiting(context) }
            { operation_number(context) }
            { ways_out(context, Html::default()) }
            { paragraph(Kind::Promise, &context.text(Text::Trust)) }
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
        waits: true,
    };
    page.until_deadline(context)
}
