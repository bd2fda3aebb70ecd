//! The screens, drawn from the flow's view. No view holds any logic of the flow.
//!
//! A screen is a function from the [`ViewContext`] to a [`Page`]; plain functions, because a
//! component each would cost the payer's download. Two things need to remember something
//! and are components: the [`Frame`] (focus, and what a screen reader hears) and the copy button.

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
mod icon;
mod last_check;
mod operation_number;
mod overdue;
mod page;
mod qr;
mod save_and_share;
mod skeleton;
mod unconfirmed;
mod view_context;
mod waiting;
mod ways_out;

use crate::texts::{Mark, Text, Texts};
use checkout_flow::{Event, Screen, View};
use frame::Frame;
use page::{Page, Tone};
use std::time::Duration;
use view_context::ViewContext;
use yew::{AttrValue, Callback, Html, MouseEvent, html};

/// The data that the screens need besides the flow's view.
pub struct Surroundings<'a> {
    /// Texts, money and dates in the payer's language.
    pub texts: &'a Texts,
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
    /// True when the page around the element answers *share*.
    pub shares: bool,
    /// True once the payer asked to save the code.
    pub saved: bool,
    /// Receives the press by which the payer saves the code.
    pub on_save: &'a Callback<MouseEvent>,
}

/// The whole checkout.
pub fn checkout(view: &View<'_>, around: &Surroundings<'_>, send: &Callback<Event>) -> Html {
    let context = ViewContext { view, around, send };
    let page = page(&context);
    let mark = if page.counts {
        Mark::of(around.remaining)
    } else {
        Mark::None
    };
    let said = if view.cancel_failed {
        context.text(Text::CancelFailed)
    } else {
        page.said.clone()
    };
    html! {
        <Frame
            lang={around.texts.locale().tag()}
            name={page.name}
            asking={view.asks_to_cancel}
            result={matches!(view.screen, Screen::Ended(_))}
            alarm={page.tone == Tone::Alarm}
            {said}
            {mark}
            mark_said={mark.text().map(|text| context.text(text)).unwrap_or_default()}
            notice={connection_notice::text(view).map(|text| context.text(text))}
            back={context.text(Text::NoticeBack)}
            checked={(view.screen != Screen::Cancelling).then(|| context.checked()).flatten()}
            saved={around.saved.then(|| context.text(Text::QrSaved))}
        >
            { amount_and_order::amount_and_order(&context) }
            { connection_notice::notice(&context) }
            <div class={page.tone.class()} part="heading">
                { icon::icon(page.tone) }
                // One node for every screen: focus that rests here stays. When the focus moves
                // here, a screen reader also says the sentence below and the amount above.
                <h2 id="heading" tabindex="-1" aria-describedby="lead sum">{ page.heading }</h2>
            </div>
            // Another screen is another node: a second tap on "pay" must not land on "cancel".
            <div key={page.name} class="body" part="body">{ page.body }</div>
        </Frame>
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
