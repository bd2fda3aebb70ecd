//! The screens, drawn from the flow's view. No view holds any logic of the flow.
//!
//! A screen is a function from the [`ViewContext`] to a [`Page`]. A part of a screen with a state of its own, such
//! as a countdown, is a component; it reports what concerns more than itself as a [`PartEvent`]. The
//! [`Announcer`], which moves the focus and announces changes to screen readers, is a field of the checkout's component.
//! Every text is [`SpokenText`](crate::texts::SpokenText): as it is seen, and as it is heard where that differs.

mod amount_and_order;
mod announcer;
mod asking_to_replace;
mod authorizing;
mod cancelling;
mod cash_code;
mod check_button;
mod checking;
mod choosing;
mod clock;
mod code_tile;
mod confirming;
mod connection_notice;
mod continuing;
mod copy_button;
mod ended;
mod fact;
mod failed;
mod heading_tag;
mod help;
mod icon;
mod last_check;
mod operation_number;
mod overdue;
mod page;
mod print_button;
mod qr;
mod qr_steps;
mod question;
mod receipt;
mod save_and_share;
mod skeleton;
mod slow;
mod time_left;
mod unconfirmed;
mod view_context;
mod waiting;
mod ways_out;

use super::CheckoutProps;
use crate::texts::{Mark, Text, Texts, said};
use announcer::Announced;
pub use announcer::{Announcer, Timer};
use checkout_flow::{Event, Moment, Screen, View};
use heading_tag::heading;
use page::{Page, Tone};
use std::cell::RefCell;
use std::time::Duration;
use view_context::ViewContext;
use yew::{Callback, Html, NodeRef, html};

/// What the screens are drawn from, besides the flow's view.
pub struct ScreenInputs<'a> {
    /// Texts, money and dates in the payer's language.
    pub texts: &'a Texts,
    /// The page's settings, with the names to show.
    pub props: &'a CheckoutProps,
    /// The time left to pay; none when it is over, `None` without a deadline.
    pub remaining: Option<Duration>,
    /// The time until "check now" would send a request.
    pub check_opens_after: Duration,
    /// The moment of this drawing, when these times are left; `None` on show, where no time passes.
    pub at: Option<Moment>,
    /// True for a screen on show on which it takes long to prepare a code.
    pub slow: bool,
    /// Announces changes; `None` in the gallery, where nothing happens.
    pub announcer: Option<&'a RefCell<Announcer>>,
    /// True for a screen on show on which the payer saved the code.
    pub saved: bool,
    /// Receives what happens in a part of the screen.
    pub on_part: Callback<PartEvent>,
}

/// Something that happened in a part of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartEvent {
    /// The payer asked to save the code.
    CodeSaved,
    /// The payer asked to save the receipt.
    ReceiptSaved,
    /// It takes long to prepare a code.
    Slow,
    /// So little time is left now that more than the countdown changes.
    MarkPassed,
}

/// The text that a screen reader gets at such an event.
pub(super) fn announcement(event: PartEvent) -> Option<Text> {
    match event {
        PartEvent::CodeSaved => Some(Text::QrSaved),
        PartEvent::ReceiptSaved => Some(Text::ReceiptSaved),
        PartEvent::Slow => Some(Text::AuthorizingSlow),
        PartEvent::MarkPassed => None,
    }
}

/// The text that a screen reader gets after a press on "check now", which may have come too soon. Any other
/// answer is announced when it comes.
pub(super) fn check_answer(view: &View<'_>, too_soon: bool) -> Option<Text> {
    connection_notice::text(view).or(too_soon.then_some(Text::CheckTooSoon))
}

/// The whole checkout.
pub fn checkout(view: &View<'_>, inputs: &ScreenInputs<'_>, send: &Callback<Event>) -> Html {
    let context = ViewContext::new(view, inputs, send);
    let page = page(&context);
    let announced = announced(&context, &page);
    let (node, region) = match inputs.announcer {
        Some(announcer) => {
            let mut announcer = announcer.borrow_mut();
            announcer.update(announced);
            (announcer.node(), announcer.region())
        }
        None => {
            let said = page::aloud(&announced.said);
            let region = announcer::region(&said, announced.alarm);
            (NodeRef::default(), region)
        }
    };
    html! {
        <section
            class="checkout"
            part="checkout"
            lang={inputs.texts.locale().tag()}
            aria-labelledby="heading"
            ref={node}
        >
            { amount_and_order::amount_and_order(&context) }
            { connection_notice::notice(&context, page.waits) }
            <div class="top" data-tone={page.tone.name()} part="heading">
                { icon::icon(page.tone) }
                // Another screen is another node, so that a screen reader says it by the focus alone.
                <@{heading(inputs.props.heading_level)} key={page.name} id="heading" class="title" tabindex="-1">
                    { page.heading }
                </@>
            </div>
            // Another outline is another node: a second tap on "pay" must not land on "cancel".
            <div key={page.outline} class="body" part="body">{ page.body }</div>
            { help::help(&context) }
            { region }
        </section>
    }
}

/// The part of a screen whose changes are announced.
fn announced(context: &ViewContext<'_>, page: &Page) -> Announced {
    let ViewContext { view, inputs, .. } = context;
    let mark = if page.counts {
        Mark::of(inputs.remaining)
    } else {
        Mark::None
    };
    let left = said(mark, inputs.remaining.unwrap_or_default());
    let left = inputs.texts.spoken_time(left);
    let asked = view.screen != Screen::Cancelling;
    Announced {
        name: page.name,
        alarm: page.tone == Tone::Alarm,
        asking: view.asks_to_cancel,
        said: if view.cancel_failed {
            vec![context.text(Text::CancelFailed)]
        } else {
            page.said.clone()
        },
        mark,
        mark_said: context.fill(Text::DeadlineSaid, &[("time", &left)]),
        notice: connection_notice::text(view).map(|text| context.text(text)),
        back: context.text(Text::NoticeBack),
        checked: view.checked.filter(|_| asked),
        checked_said: check_button::checked(context).filter(|_| asked),
    }
}

fn page(context: &ViewContext<'_>) -> Page {
    match &context.view.screen {
        Screen::Choosing(methods) => choosing::page(context, methods),
        Screen::AskingToReplace { live, wanted } => asking_to_replace::page(context, live, wanted),
        Screen::Authorizing => authorizing::page(context),
        Screen::Checking => checking::page(context),
        Screen::Qr(image) => qr::page(context, image),
        Screen::Continue { url, leaving } => continuing::page(context, url, *leaving),
        Screen::Waiting(transaction) => match cash_code::offer(transaction) {
            Some((response, cip)) => cash_code::page(context, response, cip),
            None => waiting::page(context),
        },
        Screen::Confirming(_) => confirming::page(context),
        Screen::LastCheck => last_check::page(context),
        Screen::Overdue => overdue::page(context),
        Screen::Unconfirmed { again_at } => unconfirmed::page(context, *again_at),
        Screen::Cancelling => cancelling::page(context),
        Screen::Ended(end) => ended::page(context, end),
        Screen::Failed(code) => failed::page(context, *code),
    }
}
