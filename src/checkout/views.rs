//! The screens, drawn from what the flow says. No view holds any logic of the flow.
//!
//! A screen is a function from the [`Scene`] to a [`Page`]; plain functions, because a
//! component each would cost the payer's download. Two things need to remember something
//! and are components: the [`Stage`] (focus, and what a screen reader hears) and the copy button.

mod authorizing;
mod bill;
mod cancelling;
mod cash_code;
mod checking;
mod choosing;
mod clock;
mod confirming;
mod continuing;
mod copy_button;
mod ended;
mod failed;
mod icon;
mod keep;
mod last_check;
mod notice;
mod number;
mod overdue;
mod page;
mod qr;
mod scene;
mod skeleton;
mod stage;
mod unconfirmed;
mod waiting;
mod ways_out;

use crate::texts::{Mark, Text, Texts};
use checkout_flow::{Event, Screen, View};
use page::{Page, Tone};
use scene::Scene;
use stage::Stage;
use yew::{AttrValue, Callback, Html, MouseEvent, html};

/// The data that the screens need besides the flow's view.
pub struct Around<'a> {
    /// Texts, money and dates in the payer's language.
    pub texts: &'a Texts,
    /// The name of the merchant.
    pub merchant_name: Option<&'a AttrValue>,
    /// The name that the payer's wallet will show, when it differs.
    pub payee_name: Option<&'a AttrValue>,
    /// Milliseconds left to pay; negative when the time is over, `None` without a deadline.
    pub remaining: Option<i64>,
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
pub fn checkout(view: &View<'_>, around: &Around<'_>, send: &Callback<Event>) -> Html {
    let scene = Scene { view, around, send };
    let page = page(&scene);
    let mark = if page.counts {
        Mark::of(around.remaining)
    } else {
        Mark::None
    };
    let said = if view.cancel_failed {
        scene.text(Text::CancelFailed)
    } else {
        page.said.clone()
    };
    html! {
        <Stage
            lang={around.texts.locale().tag()}
            name={page.name}
            asking={view.asks_to_cancel}
            result={matches!(view.screen, Screen::Ended(_))}
            alarm={page.tone == Tone::Alarm}
            {said}
            {mark}
            mark_said={mark.text().map(|text| scene.text(text)).unwrap_or_default()}
            notice={notice::text(view).map(|text| scene.text(text))}
            back={scene.text(Text::NoticeBack)}
            checked={(view.screen != Screen::Cancelling).then(|| scene.checked()).flatten()}
            saved={around.saved.then(|| scene.text(Text::QrSaved))}
        >
            { bill::bill(&scene) }
            { notice::notice(&scene) }
            <div class={page.tone.class()} part="heading">
                { icon::icon(page.tone) }
                // One node for every screen: focus that rests here stays. When the focus moves
                // here, a screen reader also says the sentence below and the amount above.
                <h2 id="heading" tabindex="-1" aria-describedby="lead sum">{ page.heading }</h2>
            </div>
            // Another screen is another node: a second tap on "pay" must not land on "cancel".
            <div key={page.name} class="body" part="body">{ page.body }</div>
        </Stage>
    }
}

fn page(scene: &Scene<'_>) -> Page {
    match &scene.view.screen {
        Screen::Choosing(methods) => choosing::page(scene, methods),
        Screen::Authorizing => authorizing::page(scene),
        Screen::Checking => checking::page(scene),
        Screen::Qr(image) => qr::page(scene, image),
        Screen::Continue { url, leaving } => continuing::page(scene, url, *leaving),
        Screen::Waiting(transaction) => match cash_code::offer(transaction) {
            Some((response, cip)) => cash_code::page(scene, response, cip),
            None => waiting::page(scene),
        },
        Screen::Confirming(_) => confirming::page(scene),
        Screen::LastCheck => last_check::page(scene),
        Screen::Overdue => overdue::page(scene),
        Screen::Unconfirmed { again_at } => unconfirmed::page(scene, *again_at),
        Screen::Cancelling => cancelling::page(scene),
        Screen::Ended(end) => ended::page(scene, end),
        Screen::Failed(code) => failed::page(scene, *code),
    }
}
