use super::clock::{left, status};
use super::copy_button::copy_button;
use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, paragraph, part};
use super::ways_out::ways_out;
use crate::texts::Text;
use browser_kit::texts::{Clock, grouped};
use checkout_flow::ContinueUrl;
use payment_model::{CashCodeResponse, ProcessorResponse, Transaction};
use yew::{AttrValue, Html, html};

/// The code of an operation to pay in cash, once there is one.
pub(super) fn offer(transaction: &Transaction) -> Option<(&CashCodeResponse, &str)> {
    match &transaction.processor_response {
        Some(ProcessorResponse::CashCode(response)) => {
            let cip = response.cip.as_deref().map(str::trim);
            Some((response, cip.filter(|cip| !cip.is_empty())?))
        }
        _ => None,
    }
}

/// A code to pay in cash: it outlives the page, so the page says until when, and where, and
/// can be printed.
pub(super) fn page(scene: &Scene<'_>, response: &CashCodeResponse, cip: &str) -> Page {
    let until = scene
        .view
        .deadline
        .and_then(|deadline| scene.around.texts.instant(deadline, Clock::Dated));
    let heading = scene.text(Text::CashHeading);
    let lead = match &until {
        Some(until) => scene.fill(Text::CashLeadDate, &[("date", until)]),
        None => scene.text(Text::CashLead),
    };
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            { code(scene, cip) }
            <div class="actions">
                if let Some(url) = help(response) {
                    <a class="button" part={part("")} href={url} target="_blank" rel="noopener noreferrer">
                        { scene.text(Text::CashHelp) }
                    </a>
                }
                <button type="button" class="plain" part="button print-button" onclick={|_| print()}>
                    { scene.text(Text::CashPrint) }
                </button>
            </div>
            { status(scene, left(scene)) }
            { number(scene) }
            { ways_out(scene, Html::default()) }
        </>
    };
    Page {
        counts: true,
        ..Page::plain("cash-code", Tone::Plain, &heading, &lead, body)
    }
}

fn code(scene: &Scene<'_>, cip: &str) -> Html {
    let copy = copy_button(
        scene.around.texts,
        cip,
        grouped(cip),
        Text::CashCopy,
        Text::CashCopy,
    );
    html! {
        <div class="facts code" part="code">
            <span class="muted">{ scene.text(Text::CashLabel) }</span>
            { copy }
        </div>
    }
}

/// Browsers inside apps may have no printer, and say nothing of it.
fn print() {
    if let Some(window) = web_sys::window() {
        let _ = window.print();
    }
}

/// The page with instructions, if its address is one to lead a payer to.
fn help(response: &CashCodeResponse) -> Option<AttrValue> {
    let url = ContinueUrl::parse(response.cip_url.as_deref()?, &[])?;
    Some(AttrValue::from(url.as_str().to_owned()))
}
