//! Draws the screens from the flow's view. No view contains logic of the flow.
//!
//! A screen is a function from a [`ViewContext`] to a [`Page`]. A part of a screen that has its own state, such
//! as a countdown, is a component; it reports what the rest of the screen has to know as a [`PartEvent`]. The
//! [`Announcer`], which moves the focus and announces changes to screen readers, is a field of the checkout's
//! component. Every text is a [`SpokenText`](crate::texts::SpokenText): what the eye sees and what a screen
//! reader says.

mod announcer;
mod authorizing;
mod cash_code;
mod choosing;
mod clock;
mod continuing;
mod ended;
mod failed;
mod focus;
mod help;
mod live_region;
mod operation_number;
mod page;
mod qr;
mod receipt;
mod save_and_share;
mod sight;
mod status_line;
mod view_context;
mod waiting_screens;
mod ways_out;

use super::CheckoutProps;
use crate::texts::{Mark, Text, Texts, said};
pub(crate) use announcer::{Announced, Announcer};
use checkout_flow::{Event, Moment, Screen, View};
#[cfg(feature = "custom-element")]
pub use help::SAFE_SCHEMES;
pub use live_region::Timer;
use page::{Page, Tone, heading, icon};
use payment_model::Outcome;
use status_line::{checked, connection_notice, connection_trouble};
use std::time::Duration;
use view_context::ViewContext;
use waiting_screens::Wait;
use yew::{AttrValue, Callback, Html, NodeRef, html};

/// What the screens are drawn from, besides the flow's view.
pub struct ScreenInputs<'a> {
    /// Texts, money and dates in the payer's language.
    pub texts: &'a Texts,
    /// The page's settings, with the names to show.
    pub props: &'a CheckoutProps,
    /// The time left to pay: zero when it is over, `None` without a deadline.
    pub remaining: Option<Duration>,
    /// The time until "check now" would send a request.
    pub check_opens_after: Duration,
    /// The moment at which these times are left; `None` in the gallery, where no time passes.
    pub at: Option<Moment>,
    /// True in the gallery for a screen on which it takes long to prepare a code.
    pub slow: bool,
    /// True in the gallery for a screen on which the payer saved the code.
    pub saved: bool,
    /// Receives the events of parts of the screen.
    pub on_part: Callback<PartEvent>,
}

/// An event in a part of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartEvent {
    /// The payer asked to save the code.
    CodeSaved,
    /// The payer asked to save the receipt.
    ReceiptSaved,
    /// It takes long to prepare a code.
    Slow,
    /// So little time is left that more than the countdown changes.
    MarkPassed,
}

/// The text to announce at such an event.
pub(super) fn announcement(event: PartEvent) -> Option<Text> {
    match event {
        PartEvent::CodeSaved => Some(Text::QrSaved),
        PartEvent::ReceiptSaved => Some(Text::ReceiptSaved),
        PartEvent::Slow => Some(Text::AuthorizingSlow),
        PartEvent::MarkPassed => None,
    }
}

/// The text to announce right after a press on "check now", which may have come too soon. The server's answer
/// is announced when it comes.
pub(super) fn check_answer(view: &View<'_>, too_soon: bool) -> Option<Text> {
    connection_trouble(view).or(too_soon.then_some(Text::CheckTooSoon))
}

/// Why the first method of the choice that is not offered is not, for the page.
pub(super) fn reason(view: &View<'_>, inputs: &ScreenInputs<'_>) -> Option<AttrValue> {
    let send = Callback::noop();
    let context = ViewContext::new(view, inputs, &send);
    choosing::reasons(&context)
        .next()
        .map(|reason| reason.seen())
}

/// Draws the whole checkout. `node` is around it, and `region` is its live region.
pub(super) fn checkout(
    view: &View<'_>,
    inputs: &ScreenInputs<'_>,
    send: &Callback<Event>,
    (node, region): (NodeRef, Html),
) -> Html {
    let context = ViewContext::new(view, inputs, send);
    let page = page(&context);
    html! {
        <section
            class="checkout"
            part="checkout"
            lang={inputs.texts.tag().to_owned()}
            dir={inputs.texts.direction()}
            aria-labelledby="heading"
            // The page shows the choice, and nothing has begun.
            hidden={matches!(view.screen, Screen::ChoosingOnPage) && view.choices.is_empty()}
            ref={node}
        >
            { bill(&context) }
            { connection_notice(&context, page.waits) }
            <div class="top" data-tone={page.tone.name()} part="heading">
                { icon(page.tone) }
                // A new node for each screen, so that a screen reader reads it when it gets the focus, and only then.
                <@{heading(inputs.props.heading_level)} key={page.name.as_str()} id="heading" class="title" tabindex="-1">
                    { page.heading }
                </@>
            </div>
            // A new node for each outline: a second tap on "pay" must not hit "cancel".
            <div key={page.outline.as_str()} class="body" part="body">{ page.body }</div>
            { help::help(&context) }
            { region }
        </section>
    }
}

/// Draws a checkout in which nothing happens, as in the gallery: its region has what a screen reader says of the screen.
#[cfg(feature = "custom-element")]
pub fn draw(view: &View<'_>, inputs: &ScreenInputs<'_>, send: &Callback<Event>) -> Html {
    let announced = announced(view, inputs);
    let region = live_region::region(&page::aloud(&announced.said), announced.alarm);
    checkout(view, inputs, send, (NodeRef::default(), region))
}

/// The amount, the merchant and the order, at the top of every screen.
fn bill(context: &ViewContext<'_>) -> Html {
    let label = match &context.view.screen {
        // The receipt repeats all of it.
        Screen::Ended(end) if end.outcome == Outcome::Paid => return Html::default(),
        Screen::Ended(_) | Screen::Failed(_) => Text::BillAmount,
        _ => Text::BillTotal,
    };
    let lang = context.inputs.texts.page().cloned();
    html! {
        <div class="bill" part="bill">
            if let Some(merchant) = context.merchant() {
                <span class="who" part="merchant" translate="no" {lang}>{ merchant }</span>
            }
            if let Some(order) = context.order_line() {
                <span class="muted order" part="order" translate="no">{ order }</span>
            }
            if !context.amount.is_empty() {
                <span class="sum">
                    <span class="label">{ context.text(label) }</span>
                    { " " }
                    <strong part="amount" translate="no" aria-hidden="true">{ context.amount.seen() }</strong>
                    <span class="unseen">{ context.amount.heard_node() }</span>
                </span>
            }
        </div>
    }
}

/// The part of a screen whose changes are announced.
pub(super) fn announced(view: &View<'_>, inputs: &ScreenInputs<'_>) -> Announced {
    let send = Callback::noop();
    let context = &ViewContext::new(view, inputs, &send);
    let mut page = page(context);
    let mark = if page.counts {
        Mark::of(inputs.remaining)
    } else {
        Mark::None
    };
    let left = said(mark, inputs.remaining.unwrap_or_default());
    let left = inputs.texts.spoken_time(left);
    let asked = view.screen != Screen::Cancelling;
    Announced {
        name: Some(page.name),
        alarm: page.tone == Tone::Alarm,
        interrupts: matches!(
            view.screen,
            Screen::Choosing
                | Screen::ChoosingOnPage
                | Screen::Confirming(_)
                | Screen::LastCheck
                | Screen::Overdue
                | Screen::Unconfirmed { .. }
                | Screen::Ended(_)
                | Screen::Failed(_)
        ),
        asking: view.asks_to_cancel,
        said: if view.cancel_failed {
            vec![context.text(Text::CancelFailed)]
        } else {
            page.said.extend(choosing::reasons(context));
            page.said
        },
        mark,
        mark_said: context.fill(Text::DeadlineSaid, &[("time", &left)]),
        notice: connection_trouble(view).map(|text| context.text(text)),
        back: context.text(Text::NoticeBack),
        checked: view.checked.filter(|_| asked),
        checked_said: checked(context).filter(|_| asked),
    }
}

fn page(context: &ViewContext<'_>) -> Page {
    match &context.view.screen {
        Screen::Choosing | Screen::ChoosingOnPage => choosing::page(context),
        Screen::AskingToReplace { live, wanted } => {
            choosing::asking_to_replace(context, live, wanted)
        }
        Screen::Preparing => authorizing::preparing(context),
        Screen::Authorizing => authorizing::page(context),
        Screen::Checking => waiting_screens::page(context, Wait::Checking),
        Screen::Qr(image) => qr::page(context, image),
        Screen::Continue { url, leaving } => continuing::page(context, url, *leaving),
        Screen::Waiting(transaction) => match cash_code::offer(transaction) {
            Some((response, cip)) => cash_code::page(context, response, cip),
            None => waiting_screens::page(context, Wait::Method),
        },
        Screen::Confirming(_) => waiting_screens::page(context, Wait::Confirming),
        Screen::LastCheck => waiting_screens::page(context, Wait::LastCheck),
        Screen::Overdue => waiting_screens::page(context, Wait::Overdue),
        Screen::Unconfirmed { again_at } => {
            waiting_screens::page(context, Wait::Unconfirmed(*again_at))
        }
        Screen::Cancelling => waiting_screens::page(context, Wait::Cancelling),
        Screen::Ended(end) => ended::page(context, end),
        Screen::Failed(code) => failed::page(context, *code),
    }
}
