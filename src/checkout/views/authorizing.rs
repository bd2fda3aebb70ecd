use super::PartEvent;
use super::page::{Name, Page, Tone};
use super::qr::steps;
use super::view_context::{Kind, Look, ViewContext, paragraph};
use super::ways_out::back;
use crate::texts::{SpokenText, Text};
use browser_kit::timer;
use checkout_flow::Event;
use gloo_timers::callback::Timeout;
use std::time::Duration;
use yew::{Callback, Component, Context, Html, Properties, html};

/// After this time without a code the payer is offered a way out.
const SLOW: Duration = Duration::from_secs(4);

/// The operation is being prepared. The screen of a QR code is outlined already.
pub(super) fn page(context: &ViewContext<'_>) -> Page {
    let qr = context.is_qr();
    let heading = context.text(if qr {
        Text::AuthorizingQrHeading
    } else {
        Text::AuthorizingHeading
    });
    let lead = context.text(Text::AuthorizingLead);
    let (tone, body) = if qr {
        (Tone::Plain, skeleton(context, &lead))
    } else {
        let body = html! {
            <>
                { paragraph(Kind::Lead, &lead) }
                { slow(context, html! {
                    <div class="actions" part="actions">{ back(context, Look::Plain) }</div>
                }) }
            </>
        };
        (Tone::Busy, body)
    };
    let mut page = Page::plain(Name::Authorizing, tone, &heading, &lead, body);
    if qr {
        page.outline = Name::Qr;
    }
    page
}

/// The page prepares the attempt. It may take long, so the payer may leave at once.
pub(super) fn preparing(context: &ViewContext<'_>) -> Page {
    let heading = context.text(Text::PreparingHeading);
    let lead = context.text(Text::PreparingLead);
    let body = html! {
        <>
            { paragraph(Kind::Lead, &lead) }
            <div class="actions" part="actions">{ back(context, Look::Plain) }</div>
        </>
    };
    Page::plain(Name::Preparing, Tone::Busy, &heading, &lead, body)
}

/// The outline of the QR screen with its steps. It has the same size, so that nothing moves when the code
/// comes. The lead is in the place of the code.
fn skeleton(context: &ViewContext<'_>, lead: &SpokenText) -> Html {
    html! {
        <>
            <div class="pay">
                <div key="bone" class="code-tile">
                    <div class="tile bone">
                        <div>{ paragraph(Kind::Lead, lead) }{ slow(context, Html::default()) }</div>
                    </div>
                </div>
                <slot name="wallets" />
                <div class="side">
                    <div class="keep"><span class="save bone" /></div>
                    { steps(context) }
                </div>
            </div>
            <div class="bone row" />
            <div class="bone row" />
            // The buttons of the QR screen, as wide as they will be in this language, but invisible and not
            // focusable; only the way out appears when it takes long. The key makes them other nodes than the
            // later buttons.
            <div key="later" class="actions">
                { when_slow(context, back(context, Look::PlainUnsaid), back(context, Look::Plain), Callback::noop()) }
                if context.view.has_another_way {
                    { context.button(Look::QuietUnsaid, Text::ActionCancel, || Event::CancelPressed) }
                }
            </div>
            { paragraph(Kind::Promise, &context.text(Text::Trust)) }
        </>
    }
}

/// Says that it takes long, once it does, and offers a way out.
fn slow(context: &ViewContext<'_>, way_out: Html) -> Html {
    let late = html! {
        <>
            { paragraph(Kind::Muted, &context.text(Text::AuthorizingSlow)) }
            { way_out }
        </>
    };
    when_slow(
        context,
        Html::default(),
        late,
        context.inputs.on_part.clone(),
    )
}

/// Draws `early`, and `late` in its place once it takes long to prepare a code; then calls `on_slow`.
fn when_slow(
    context: &ViewContext<'_>,
    early: Html,
    late: Html,
    on_slow: Callback<PartEvent>,
) -> Html {
    let (slow, waits) = (context.inputs.slow, context.inputs.at.is_some());
    html! { <WhenSlow {early} {late} {slow} {waits} {on_slow} /> }
}

#[derive(PartialEq, Properties)]
struct WhenSlowProps {
    early: Html,
    late: Html,
    slow: bool,
    waits: bool,
    on_slow: Callback<PartEvent>,
}

struct WhenSlow {
    slow: bool,
    _patience: Option<Timeout>,
}

impl Component for WhenSlow {
    type Message = ();
    type Properties = WhenSlowProps;

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link().clone();
        let patience = || timer::after(SLOW, move || link.send_message(()));
        Self {
            slow: false,
            _patience: ctx.props().waits.then(patience),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, (): ()) -> bool {
        self.slow = true;
        ctx.props().on_slow.emit(PartEvent::Slow);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        if self.slow || props.slow {
            props.late.clone()
        } else {
            props.early.clone()
        }
    }
}
