//! Tests what the payer sees where the merchant's server takes the order only by some methods.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use what these do not")]
mod support;

use gloo_timers::future::TimeoutFuture;
use js_sys::Function;
use payment_checkout::{
    CheckoutHandle, CheckoutProps, ErrorCode, Notice, OrderRequest, PaymentMethodName,
};
use support::network::{OwnFetch, requests, server};
use support::{Page, new_tab, storage, unreachable};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlElement;

wasm_bindgen_test_configure!(run_in_browser);

fn props(order: &str) -> CheckoutProps {
    CheckoutProps {
        base_url: "/api".into(),
        request: OrderRequest::order(order),
        ..unreachable()
    }
}

/// The same for a server that can be asked before a press.
fn asking(order: &str) -> CheckoutProps {
    CheckoutProps {
        live_url: Some("/api/charges/live".into()),
        ..props(order)
    }
}

/// The refusal of a QR code with these further members.
fn refusal(members: &str) -> String {
    format!(
        r#"[422, {{"type": "urn:payment-checkout:problem:method-not-offered", "money": "nothing_charged"{members}}}]"#
    )
}

/// The server's answer before a press: it takes the order by these methods.
fn offer(methods: &str, not_offered: &str) -> String {
    format!(
        r#"[200, {{"currency": "PEN", "methods": [{methods}], "not_offered": [{not_offered}]}}]"#
    )
}

const ABOVE: &str = r#"{"method": "QR", "reason": "above-most", "least": "600", "most": "50000"}"#;
const BELOW: &str =
    r#"{"method": "INSTALLMENT", "reason": "below-least", "least": "90000", "most": null}"#;
const ABOVE_SAID: &str = "Con QR puedes pagar hasta 500.00 soles";

#[wasm_bindgen_test]
async fn a_refused_method_leads_back_to_the_choice_with_the_reason() {
    let _kept = OwnFetch::kept();
    new_tab();
    let refused = refusal(
        r#", "field": "payment_method.method_name", "method": "QR", "reason": "above-most",
        "least": "600", "most": "50000", "currency": "604", "methods": ["INSTALLMENT"]"#,
    );
    let asked = server(&format!("[{refused}, [422, {{}}]]"));
    let page = Page::open(props("refused"));
    page.is_in("choosing").await;
    page.press("QR");
    page.sees(ABOVE_SAID).await;
    page.is_in("choosing").await;
    page.sees("Paga tu pedido").await;
    assert_eq!(page.button_words().len(), 1, "{:?}", page.button_words());
    assert_eq!(page.notices().len(), 2, "{:?}", page.notices());
    assert_eq!(storage(), "", "the attempt is kept");
    // A screen reader reads the reason with the heading.
    let note = page.find("#note").unwrap();
    assert!(note.text_content().unwrap().contains(ABOVE_SAID));
    page.press("cuotas");
    page.until("another attempt", || asked.length() == 2).await;
    page.close();
    new_tab();
}

#[wasm_bindgen_test]
async fn an_offer_before_a_press_has_a_sentence_where_the_button_was() {
    let _kept = OwnFetch::kept();
    new_tab();
    let _asked = server(&format!("[{}]", offer(r#""INSTALLMENT""#, ABOVE)));
    let slow = Function::new_no_args(
        "const send = globalThis.fetch; \
         globalThis.fetch = async (...request) => { \
           await new Promise((done) => setTimeout(done, 200)); \
           return send(...request); }",
    );
    slow.call0(&JsValue::UNDEFINED).unwrap();
    let page = Page::open(asking("offer"));
    page.is_in("choosing").await;
    assert_eq!(page.button_words().len(), 2);
    let button = page
        .find(".choice")
        .unwrap()
        .unchecked_into::<HtmlElement>();
    button.focus().unwrap();
    page.sees(ABOVE_SAID).await;
    let first = page
        .find(".choices")
        .unwrap()
        .first_element_child()
        .unwrap();
    assert_eq!(first.tag_name(), "P");
    // The button had the focus, which is not lost with it.
    page.until("the focus", || page.find("#heading:focus").is_some())
        .await;
    assert_eq!(page.notices(), [Notice::Ready]);
    page.close();
}

#[wasm_bindgen_test]
async fn an_offer_is_heard_by_a_payer_who_has_the_focus_elsewhere() {
    let _kept = OwnFetch::kept();
    new_tab();
    let _asked = server(&format!("[{}]", offer(r#""INSTALLMENT""#, ABOVE)));
    let page = Page::open(asking("heard"));
    let said = || {
        page.find("[role=status]")
            .and_then(|said| said.text_content())
    };
    page.until("the reason", || {
        said().unwrap_or_default().contains(ABOVE_SAID)
    })
    .await;
    page.close();
}

#[wasm_bindgen_test]
async fn where_no_method_is_left_the_payer_reads_why_and_the_page_is_told() {
    let _kept = OwnFetch::kept();
    new_tab();
    let _asked = server(&format!("[{}]", offer("", &[ABOVE, BELOW].join(","))));
    let page = Page::open(asking("none"));
    page.is_in("failed").await;
    page.sees("No puedes pagar este pedido aquí").await;
    page.sees(ABOVE_SAID).await;
    page.sees("En cuotas puedes pagar desde 900.00 soles").await;
    assert!(page.button_words().is_empty(), "{:?}", page.button_words());
    assert!(page.find("slot[name=failed]").is_some());
    let told = page.notices().into_iter().find_map(|notice| match notice {
        Notice::Error(error) => Some(error),
        _ => None,
    });
    let told = told.unwrap();
    assert_eq!(told.code, ErrorCode::NoMethod);
    assert_eq!(
        told.message,
        "no-method: no method is offered for this order"
    );
    page.close();
    let page = Page::open(CheckoutProps {
        methods: vec![],
        ..props("none-of-the-page")
    });
    page.is_in("failed").await;
    page.close();
}

#[wasm_bindgen_test]
async fn a_page_with_a_choice_of_its_own_is_told_and_the_checkout_says_why() {
    let _kept = OwnFetch::kept();
    new_tab();
    let refused = refusal(
        r#", "method": "QR", "reason": "currency", "currency": "840", "methods": ["INSTALLMENT"]"#,
    );
    let offered = offer(r#""INSTALLMENT""#, ABOVE);
    let asked = server(&format!("[{offered}, {refused}]"));
    let handle = CheckoutHandle::default();
    let page = Page::open(CheckoutProps {
        hide_choice: true,
        handle: handle.clone(),
        ..asking("own-choice")
    });
    page.until("the question", || asked.length() == 1).await;
    TimeoutFuture::new(50).await;
    assert!(page.find("section[hidden]").is_some());
    assert_eq!(page.notices(), [Notice::Ready]);
    handle.start(PaymentMethodName::Qr);
    let sentence = "Con QR no puedes pagar en USD.";
    page.sees(sentence).await;
    assert!(page.find("section[hidden]").is_none());
    let told = Notice::Choose {
        method: Some(PaymentMethodName::Qr),
        reason: Some(sentence.into()),
    };
    assert!(page.notices().contains(&told), "{:?}", page.notices());
    page.close();
}

#[wasm_bindgen_test]
async fn a_changed_order_begins_without_an_offer_also_under_the_same_id() {
    let _kept = OwnFetch::kept();
    new_tab();
    let asked = server(&format!("[{}]", offer(r#""INSTALLMENT""#, ABOVE)));
    let signed = |signature: &str| CheckoutProps {
        request: OrderRequest::signed(&format!("e30.eyJvcmRlcl9pZCI6IjEwMDEifQ.{signature}")),
        ..asking("signed")
    };
    let mut page = Page::open(signed("YQ"));
    page.sees(ABOVE_SAID).await;
    page.update(signed("Yg"));
    page.until("both methods", || page.button_words().len() == 2)
        .await;
    assert_eq!(requests(&asked).len(), 1);
    page.close();
}

#[wasm_bindgen_test]
async fn a_refusal_without_methods_is_an_ordinary_one() {
    let _kept = OwnFetch::kept();
    for members in [
        "",
        r#", "method": "QR", "reason": "setting""#,
        r#", "methods": null"#,
        r#", "methods": ["INSTALLMENT"]"#,
    ] {
        new_tab();
        let _asked = server(&format!("[{}]", refusal(members)));
        let page = Page::open(props("older"));
        page.is_in("choosing").await;
        page.press("QR");
        page.sees("La tienda no pudo aceptar este pago").await;
        page.close();
    }
}

#[wasm_bindgen_test]
async fn odd_reasons_say_as_much_as_they_have() {
    let _kept = OwnFetch::kept();
    let generic = "Con QR no puedes pagar este pedido.";
    for (members, said) in [
        (
            r#""reason": "above-most", "most": null, "currency": "PEN""#,
            generic,
        ),
        (r#""reason": "above-most", "currency": "PEN""#, generic),
        (r#""reason": "hours", "currency": "PEN""#, generic),
        (r#""reason": "order", "currency": "PEN""#, generic),
        (
            r#""reason": "above-most", "most": 50000, "currency": "PEN""#,
            generic,
        ),
        (
            r#""reason": 7, "most": {}, "currency": "PEN", "not_offered": {}"#,
            generic,
        ),
        (
            r#""not_offered": [null, 7, {"method": "QR", "reason": "hours"}], "currency": "PEN""#,
            generic,
        ),
        (
            r#""reason": "above-most", "most": "50000", "currency": "puntos""#,
            "Con QR puedes pagar hasta 50000 puntos.",
        ),
        (
            r#""reason": "below-least", "least": "600", "most": "1", "currency": "604""#,
            "Con QR puedes pagar desde 6.00 soles",
        ),
        (
            r#""reason": "currency", "currency": "puntos""#,
            "Con QR no puedes pagar en puntos.",
        ),
    ] {
        new_tab();
        let members =
            format!(r#", "method": "QR", "methods": ["INSTALLMENT", "NUEVO", 7], {members}"#);
        let _asked = server(&format!("[{}]", refusal(&members)));
        let page = Page::open(props("odd"));
        page.is_in("choosing").await;
        page.press("QR");
        page.sees(said).await;
        assert_eq!(page.button_words().len(), 1, "{members}");
        page.close();
    }
}

#[wasm_bindgen_test]
async fn an_offer_that_cannot_be_read_is_none() {
    let _kept = OwnFetch::kept();
    for answer in [
        r#"[200, {"currency": "PEN", "not_offered": []}]"#,
        r#"[200, {"currency": "PEN", "methods": "INSTALLMENT"}]"#,
        r#"[200, {"currency": "PEN", "methods": {}}]"#,
        r#"[200, {"currency": "PEN", "methods": null}]"#,
        r#"[200, {"methods": ["INSTALLMENT"]}]"#,
        r#"[200, {"currency": 604, "methods": ["INSTALLMENT"]}]"#,
        r#"[200, ["methods"]]"#,
        r#"[200, "methods"]"#,
    ] {
        new_tab();
        let asked = server(&format!("[{answer}]"));
        let page = Page::open(asking("unreadable"));
        page.until(answer, || asked.length() == 1).await;
        TimeoutFuture::new(50).await;
        assert_eq!(page.button_words().len(), 2, "{answer}");
        page.close();
    }
}
