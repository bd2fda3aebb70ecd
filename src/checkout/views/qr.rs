use super::operation_number::operation_number;
use super::page::{Name, Page, Tone};
use super::save_and_share::save_and_share;
use super::status_line::waiting;
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::ways_out;
use crate::texts::{SpokenText, Text};
use checkout_flow::{Event, QrImage};
use yew::{AttrValue, Callback, Component, Context, Event as DomEvent, Html, Properties, html};

/// The steps when another device scans the code. `None` is the step that checks the amount.
const DESK: [Option<Text>; 3] = [Some(Text::QrOpenStep), Some(Text::QrScanStep), None];
/// The steps when this device pays, after the first one, which is the button that saves the code.
const PHONE: [Option<Text>; 3] = [Some(Text::QrUploadStep), None, Some(Text::QrReturnStep)];

/// A QR code waits to be scanned. The phone that shows the code may also be the one that pays, so the
/// instructions exist for both cases, and the style sheet shows those that fit the device.
pub(super) fn page(context: &ViewContext<'_>, image: &QrImage) -> Page {
    let heading = html! {
        <>
            <span class="desk">{ context.text(Text::QrHeading) }</span>
            <span class="phone">{ context.text(Text::QrPhoneHeading) }</span>
            // The eye sees the amount right above.
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
        name: Name::Qr,
        tone: Tone::Plain,
        heading,
        said: vec![context.fill(Text::QrReady, &[])],
        body,
        outline: Name::Qr,
        counts: true,
        waits: true,
    };
    page.until_deadline(context)
}

/// The steps of a payment by QR. While the amount is unknown they are invisible and take up their space.
pub(super) fn steps(context: &ViewContext<'_>) -> Html {
    let verify = match context.payee() {
        Some(payee) => context.compared(Text::QrVerifyPayeeStep, &[("payee", payee)]),
        None => context.compared(Text::QrVerifyStep, &[]),
    };
    let step = |step: &Option<Text>| {
        let words = match step {
            None => verify.clone(),
            Some(Text::QrOpenStep) => context
                .with_wallets(Text::QrOpenWalletsStep, Text::QrOpenStep)
                .into(),
            Some(Text::QrUploadStep) => context
                .with_wallets(Text::QrUploadWalletsStep, Text::QrUploadStep)
                .into(),
            Some(step) => context.text(*step).into(),
        };
        html! { <li><span class="step" part="step-number" />{ words }</li> }
    };
    html! {
        <div data-look={context.amount.is_empty().then_some("unsaid")}>
            <ol class="steps desk" part="steps">{ for DESK.iter().map(step) }</ol>
            <ol class="steps phone" part="steps">{ for PHONE.iter().map(step) }</ol>
        </div>
    }
}

/// The text `named` with the payee, or `nameless` if the page names no payee.
fn with_payee(context: &ViewContext<'_>, named: Text, nameless: Text) -> SpokenText {
    match context.payee() {
        Some(payee) => context.fill(named, &[("payee", payee)]),
        None => context.fill(nameless, &[]),
    }
}

#[derive(PartialEq, Properties)]
struct CodeTileProps {
    source: AttrValue,
    alt: SpokenText,
    enlarge: SpokenText,
    on_broken: Callback<DomEvent>,
}

/// The picture of the code. A phone that shows it rarely scans it, so there it is small at first, and a button
/// enlarges it for another phone.
#[derive(Default)]
struct CodeTile {
    large: bool,
}

impl Component for CodeTile {
    type Message = ();
    type Properties = CodeTileProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    fn update(&mut self, _: &Context<Self>, (): ()) -> bool {
        self.large = !self.large;
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        html! {
            <div class="code-tile" data-large={self.large.then_some("")}>
                <div class="tile" part="qr">
                    <img
                        src={&props.source}
                        alt={props.alt.heard()}
                        lang={props.alt.lang()}
                        width="320"
                        height="320"
                        onerror={&props.on_broken}
                    />
                </div>
                <button
                    type="button"
                    class="phone enlarge"
                    part="button enlarge-button"
                    aria-pressed={self.large.to_string()}
                    aria-label={props.enlarge.seen()}
                    lang={props.enlarge.lang()}
                    onclick={ctx.link().callback(|_| ())}
                >
                    <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
                        <path d="M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7" />
                    </svg>
                </button>
            </div>
        }
    }
}
