//! The screens, drawn from the flow's view. No view holds any logic of the flow.
//!
//! A screen is a function from the [`ViewContext`] to a [`Page`]; plain functions, because a
//! component each would cost the payer's download. The [`Frame`] (focus, and what a screen reader hears)
//! and the copying remember something, and are parts of the checkout's component.
//! Every text is [`Words`](crate::texts::Words): as it is seen, and as it is heard where that differs.

mod amount_and_order;
mod authorizing;
mod cancelling;
mod cash_code;
mod checking;
mod choosing;
mod clock;
mod confirming;
mod connection_notice;
mod continuing;
mod copy_button;
mod ended;
mod failed;
mod frame;
mod heading_tag;
mod icon;
mod last_check;
mod operation_number;
mod overdue;
mod page;
mod qr;
mod qr_steps;
mod question;
mod save_and_share;
mod skeleton;
mod unconfirmed;
mod view_context;
mod waiting;
mod ways_out;

use crate::texts::{Mark, Text, Texts, said};
use checkout_flow::{Event, Screen, View};
use frame::Facts;
pub use frame::{Due, Frame};
use heading_tag::heading;
use page::{Page, Tone};
use std::cell::RefCell;
use std::time::Duration;
use view_context::ViewContext;
use yew::{AttrValue, Callback, Html, MouseEvent, NodeRef, html};

/// The data that the screens need besides the flow's view.
pub struct Surroundings<'a> {
    /// Texts, money and dates in the payer's language.
    pub texts: &'a Texts,
    /// The level of the screen's heading, from 1 to 6; any other is 2.
    pub heading_level: u8,
    /// The name of the merchant.
    pub merchant_name: Option<&'a AttrValue>,
    /// The name that the payer's wallet will show, when it differs.
    pub payee_name: Option<&'a AttrValue>,
    /// The time left to pay; none when it is over, `None` without a deadline.
    pub remaining: Option<Duration>,
    /// The merchant's name for the order.
    pub order_label: Option<&'a AttrValue>,
    /// True when "check now" would send a request.
    pub may_check: bool,
    /// How often the payer pressed it.
    pub presses: u32,
    /// True when the last press came too soon after the one before.
    pub too_soon: bool,
    /// True once it takes long to prepare a code.
    pub slow: bool,
    /// The frame of the screen. There is none for a screen on show, where nothing happens.
    pub frame: Option<&'a RefCell<Frame>>,
    /// True when the page around the element answers *share*.
    pub shares: bool,
    /// True once the payer asked to save the code.
    pub saved: bool,
    /// Receives the press by which the payer saves the code.
    pub on_save: Callback<MouseEvent>,
}

/// The whole checkout.
pub fn checkout(view: &View<'_>, around: &Surroundings<'_>, send: &Callback<Event>) -> Html {
    let context = ViewContext::new(view, around, send);
    let page = page(&context);
    let facts = facts(&context, &page);
    let (node, region) = match around.frame {
        Some(frame) => {
            let mut frame = frame.borrow_mut();
            frame.hear(facts);
            (frame.node(), frame.region())
        }
        None => {
            let said = page::aloud(&facts.said);
            let region = frame::region(&said, facts.alarm);
            (NodeRef::default(), region)
        }
    };
    html! {
        <section
            class="checkout"
            part="checkout"
            lang={around.texts.locale().tag()}
            aria-labelledby="heading"
            ref={node}
        >
            { amount_and_order::amount_and_order(&context) }
            { connection_notice::notice(&context) }
            <div class="top" data-tone={page.tone.name()} part="heading">
                { icon::icon(page.tone) }
                // Another screen is another node, so that a screen reader says it by the focus alone.
                <@{heading(around.heading_level)} key={page.name} id="heading" class="title" tabindex="-1">
                    { page.heading }
                </@>
            </div>
            // Another outline is another node: a second tap on "pay" must not land on "cancel".
            <div key={page.outline} class="body" part="body">{ page.body }</div>
            { region }
        </section>
    }
}

/// The facts that a screen reader hears when they change.
fn facts(context: &ViewContext<'_>, page: &Page) -> Facts {
    let ViewContext { view, around, .. } = context;
    let mark = if page.counts {
        Mark::of(around.remaining)
    } else {
        Mark::None
    };
    let left = said(mark, around.remaining.unwrap_or_default());
    let left = around.texts.spoken_time(left);
    let asked = view.screen != Screen::Cancelling;
    Facts {
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
        checked_said: context.checked().filter(|_| asked),
        presses: around.presses,
        too_soon: around.too_soon.then(|| context.text(Text::CheckTooSoon)),
        saved: around.saved.then(|| context.text(Text::QrSaved)),
        slow: around.slow.then(|| context.text(Text::AuthorizingSlow)),
    }
}

fn page(context: &ViewContext<'_>) -> Page {
    match &context.view.screen {
        Screen::Choosing(methods) => choosing::page(context, methods),
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
