//! Tests a payer's page that a program translates: what a payer compares stays as it is, and what changes goes on.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use what these do not")]
mod support;

use js_sys::Function;
use payment_checkout::CheckoutProps;
use support::answers::{Answer, operation};
use support::{Page, new_tab, unreachable};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Element;

wasm_bindgen_test_configure!(run_in_browser);

/// A page of a merchant, whose server answers with this.
fn open(answer: &Answer) -> Page {
    new_tab();
    answer.is_given();
    Page::open(CheckoutProps {
        merchant_name: Some("Rosa y Cumbre".into()),
        payee_name: Some("Cumbre SAC".into()),
        order_label: Some("1001".into()),
        resume: Some(operation()),
        ..unreachable()
    })
}

fn code(response: &str) -> Answer {
    let seconds = (js_sys::Date::now() / 1_000.0) + 600.0;
    let deadline = format!(r#"{{"unix_time":{seconds}}}"#);
    Answer::new("CASHCODE", "PENDIENTE")
        .with("processor_response", response)
        .with("expiration_date", &deadline)
}

/// Puts an element with the same text in the place of each text.
fn translate(page: &Page) {
    let translator = Function::new_with_args(
        "node",
        "const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
         const texts = [];
         while (walker.nextNode()) texts.push(walker.currentNode);
         for (const text of texts) {
           const font = document.createElement('font');
           font.textContent = text.data;
           text.replaceWith(font);
         }",
    );
    let card = page.find("section").unwrap();
    translator.call1(&JsValue::UNDEFINED, &card).unwrap();
}

/// The texts that no translator may change, as they are seen.
fn kept(page: &Page) -> Vec<String> {
    let marked = page.find("section").unwrap();
    let marked = marked.query_selector_all("[translate=no]").unwrap();
    let text = |at| marked.get(at).unwrap().text_content().unwrap();
    (0..marked.length())
        .map(|at| text(at).replace('\u{a0}', " "))
        .collect()
}

#[wasm_bindgen_test]
async fn a_countdown_goes_on_where_a_translator_replaced_its_text() {
    let page = open(&code(r#"{"cip":"482193017"}"#));
    page.sees("Tu código de pago").await;
    let timer = || page.find("[role=timer]").unwrap();
    page.until("a countdown", || page.find("[role=timer]").is_some())
        .await;
    translate(&page);
    let seen = |timer: Element| timer.text_content().unwrap();
    let before = seen(timer());
    page.until("another second", || seen(timer()) != before)
        .await;
    translate(&page);
    let before = seen(timer());
    page.until("one more second", || seen(timer()) != before)
        .await;
    page.close();
}

#[wasm_bindgen_test]
async fn what_a_payer_compares_is_not_translated() {
    let qr = include_str!("../../crates/demo/gallery/src/qr.uri").trim();
    let response = format!(r#"{{"qr_image":"{qr}"}}"#);
    let page = open(&Answer::new("QR", "PENDIENTE").with("processor_response", &response));
    page.sees("Guardar QR").await;
    for text in ["S/ 129.90", "Rosa y Cumbre", "Cumbre SAC", "4821"] {
        assert!(
            kept(&page).iter().any(|kept| kept == text),
            "{text}: {:?}",
            kept(&page)
        );
    }
    assert!(kept(&page).iter().any(|kept| kept.contains("1001")));
    // The sentence around the amount is.
    assert!(kept(&page).iter().all(|kept| !kept.contains("Confirma")));
    page.close();

    let page = open(&code(r#"{"cip":"482193017"}"#));
    page.sees("Tu código de pago").await;
    assert!(kept(&page).iter().any(|kept| kept == "482193017"));
    page.close();

    let paid = r#"{"operationNumber":"77-31"}"#;
    let page = open(&Answer::new("CASHCODE", "AUTORIZADO").with("processor_response", paid));
    page.sees("¡Pago confirmado!").await;
    for text in ["Rosa y Cumbre", "77-31", "4821"] {
        assert!(
            kept(&page).iter().any(|kept| kept == text),
            "{text}: {:?}",
            kept(&page)
        );
    }
    assert!(kept(&page).iter().any(|kept| kept.starts_with("S/ 129.90")));
    assert!(kept(&page).iter().any(|kept| kept.contains("1001")));
    let copy = page.button_words();
    assert!(
        !kept(&page).iter().any(|kept| copy.contains(kept)),
        "{copy:?}"
    );
    page.close();
}
