use super::clock::waiting;
use super::copy::{Copy, CopyProps};
use super::number::number;
use super::page::{Page, Tone};
use super::scene::{Scene, paragraph, part};
use crate::i18n::{Text, grouped};
use checkout_flow::ContinueUrl;
use payment_model::{CashCodeResponse, ProcessorResponse, Transaction};
use yew::{AttrValue, Html, html};

/// A code to pay in cash: it outlives the page, so the page says until when, and where.
pub(super) fn page(scene: &Scene<'_>, transaction: &Transaction) -> Page {
    let response = match &transaction.processor_response {
        Some(ProcessorResponse::CashCode(response)) => Some(response),
        _ => None,
    };
    let until = scene
        .view
        .deadline
        .and_then(|deadline| scene.around.catalog.instant(deadline, false));
    let heading = scene.text(Text::CashHeading);
    let lead = match &until {
        Some(until) => scene.fill(Text::CashLeadDate, &[("date", until)]),
        None => scene.text(Text::CashLead),
    };
    let body = html! {
        <>
            { paragraph("lead", &lead) }
            if let Some(cip) = response.and_then(|response| response.cip.as_deref()) {
                { code(scene, cip) }
            }
            if let Some(url) = response.and_then(help) {
                <a class="button" part={part("")} href={url} target="_blank" rel="noopener noreferrer">
                    { scene.text(Text::CashHelp) }
                </a>
            }
            { waiting(scene) }
            { number(scene) }
            { scene.ways_out(Html::default()) }
        </>
    };
    Page {
        counts: true,
        ..Page::plain("cash-code", Tone::Plain, &heading, &lead, body)
    }
}

fn code(scene: &Scene<'_>, cip: &str) -> Html {
    let copy = CopyProps::new(
        scene.around.catalog,
        cip,
        grouped(cip),
        Text::CashCopy,
        Text::CashCopy,
    );
    html! { <div class="facts code" part="code"><Copy ..copy /></div> }
}

/// The page with instructions, if its address is one to lead a payer to.
fn help(response: &CashCodeResponse) -> Option<AttrValue> {
    let url = ContinueUrl::parse(response.cip_url.as_deref()?, &[])?;
    Some(AttrValue::from(url.as_str().to_owned()))
}
