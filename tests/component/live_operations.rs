//! Tests what a new tab sends and shows when the payer began in another one.

#![cfg(target_family = "wasm")]

#[expect(dead_code, reason = "other tests use what these do not")]
mod support;

use payment_checkout::{CheckoutProps, Notice, OrderRequest};
use support::answers::Answer;
use support::network::{requests, server};
use support::{Page, new_tab, unreachable};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn page() -> Page {
    page_of("1001")
}

fn page_of(order: &str) -> Page {
    new_tab();
    Page::open(CheckoutProps {
        base_url: "/api".into(),
        live_url: Some("/api/charges/live".into()),
        request: OrderRequest::order(order),
        ..unreachable()
    })
}

fn cash() -> String {
    Answer::new("CASHCODE", "PENDIENTE")
        .with("processor_response", r#"{"cip":"482193017"}"#)
        .body()
}

const LIVE: &str = r#"[409, {"type": "urn:payment-checkout:problem:operation-live", "merchant_code": "shop",
    "merchant_operation_number": "4821", "transaction_id": "T-1", "method_name": "CASHCODE"}]"#;

#[wasm_bindgen_test]
async fn a_new_tab_asks_with_the_fields_of_the_page_and_shows_the_code() {
    let asked = server(&format!("[[200, {}]]", cash()));
    let page = page();
    page.sees("482193017").await;
    let first = &requests(&asked)[0];
    assert_eq!(first, r#"POST /api/charges/live {"order_id":"1001"}"#);
    page.close();
}

#[wasm_bindgen_test]
async fn no_operation_and_no_sense_leave_the_choice() {
    for answer in [
        "[204, null]",
        "[200, {}]",
        "[200, null]",
        "[404, {}]",
        "[503, {}]",
    ] {
        let asked = server(&format!("[{answer}]"));
        let page = page();
        page.until(answer, || asked.length() == 1).await;
        gloo_timers::future::TimeoutFuture::new(50).await;
        assert!(page.text().contains("¿Cómo quieres pagar?"), "{answer}");
        assert_eq!(page.notices().len(), 1, "{answer}");
        page.close();
    }
}

#[wasm_bindgen_test]
async fn the_payer_is_asked_and_gives_the_code_up_or_sees_it() {
    let asked = server(&format!("[[204, null], {LIVE}]"));
    let page = page();
    page.until("the question", || asked.length() == 1).await;
    page.press("Con QR");
    page.sees("Ya tienes un código de este pedido").await;
    page.sees("Todavía puedes pagar en efectivo.").await;
    page.is_in("choosing").await;
    assert_eq!(
        page.button_words()[1..],
        ["Ver mi código", "Anular el anterior y pagar con QR"]
    );
    page.press("Anular el anterior y pagar con QR");
    let named = |request: &String| request.starts_with(r#"POST /api/charges keyed "4821" {"#);
    page.until("the header", || requests(&asked).iter().any(named))
        .await;
    page.sees("Ya tienes un código").await;

    let asked = server(&format!("[[200, {}]]", cash()));
    page.press("Ver mi código");
    page.sees("482193017").await;
    assert_eq!(requests(&asked)[0], "GET /api/charges/shop/4821/T-1");
    page.close();
}

#[wasm_bindgen_test]
async fn there_is_no_question_before_the_page_has_made_the_order() {
    new_tab();
    let asked = server("[[204, null]]");
    let props = || CheckoutProps {
        base_url: "/api".into(),
        live_url: Some("/api/charges/live".into()),
        ..unreachable()
    };
    let mut page = Page::open(props());
    page.sees("¿Cómo quieres pagar?").await;
    page.update(CheckoutProps {
        request: OrderRequest::order("made-later"),
        ..props()
    });
    page.until("the question", || asked.length() > 0).await;
    // An earlier question would be the first one.
    let first = &requests(&asked)[0];
    assert_eq!(first, r#"POST /api/charges/live {"order_id":"made-later"}"#);
    page.close();
}

#[wasm_bindgen_test]
async fn an_order_that_another_page_paid_shows_the_payment_and_not_a_refusal() {
    let paid = Answer::new("QR", "AUTORIZADO").body();
    let refusal = r#"[409, {"type": "urn:payment-checkout:problem:order-paid", "merchant_code": "shop",
        "merchant_operation_number": "4821", "transaction_id": "T-1"}]"#;
    let asked = server(&format!("[[204, null], {refusal}, [200, {paid}]]"));
    // This document remembers the payment of the order, so that no other test has this one.
    let page = page_of("paid-elsewhere");
    page.until("the question", || asked.length() == 1).await;
    page.press("Con QR");
    page.sees("¡Pago confirmado!").await;
    assert_eq!(requests(&asked)[2], "GET /api/charges/shop/4821/T-1");
    let results = page
        .notices()
        .into_iter()
        .filter_map(|notice| match notice {
            Notice::Result(result) => Some(result.resumed),
            _ => None,
        });
    assert_eq!(results.collect::<Vec<_>>(), [true]);
    page.close();
}

#[wasm_bindgen_test]
async fn a_code_that_ended_elsewhere_says_why() {
    for (header, reason) in [
        (
            r#", "Operation-End", "replaced""#,
            "se eligió otra forma de pago",
        ),
        (
            r#", "Operation-End", "staff""#,
            "La tienda anuló este pago.",
        ),
        (
            r#", "Operation-End", "payer""#,
            "desde otra página de este pedido",
        ),
        ("", "otra pestaña, otro dispositivo o la tienda"),
    ] {
        let ended = Answer::new("QR", "CANCELADO").body();
        let _asked = server(&format!("[[200, {ended}{header}]]"));
        let page = page();
        page.sees("Pago anulado").await;
        page.sees(reason).await;
        page.close();
    }
}
