//! Tests what a page does with a checkout: it starts it, puts it back, and draws it elsewhere first.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use what these do not")]
mod support;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Function};
use payment_checkout::{
    CheckoutCard, CheckoutHandle, CheckoutProps, Notice, OrderRequest, Outcome, PaymentMethodName,
};
use std::cell::RefCell;
use std::rc::Rc;
use support::answers::Answer;
use support::network::{requests, server};
use support::{Page, new_tab, place, press_in_card, unreachable, until};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::Callback;

wasm_bindgen_test_configure!(run_in_browser);

/// A checkout of this order at a server on the page's own origin.
fn props(order: &str) -> CheckoutProps {
    CheckoutProps {
        base_url: "/api".into(),
        request: OrderRequest::order(order),
        ..unreachable()
    }
}

const REFUSED: &str = "[[422, {}]]";

#[wasm_bindgen_test]
async fn an_end_is_shown_again_where_the_checkout_is_put_back() {
    new_tab();
    let code = || Answer::new("CASHCODE", "PENDIENTE").with("processor_response", r#"{"cip":"1"}"#);
    let (waits, paid) = (
        code().authorized(),
        Answer::new("CASHCODE", "AUTORIZADO").body(),
    );
    let _asked = server(&format!("[[200, {waits}], [200, {paid}]]"));
    let page = Page::open(CheckoutProps {
        methods: vec![PaymentMethodName::CashCode],
        ..props("put-back")
    });
    page.is_in("choosing").await;
    page.press("efectivo");
    page.sees("Consultar ahora").await;
    page.press("Consultar ahora");
    page.sees("¡Pago confirmado!").await;
    page.close();
    let mut page = Page::open(props("put-back"));
    page.sees("¡Pago confirmado!").await;
    // An end is not shown for another order, in a new checkout or in this one.
    page.update(props("another"));
    page.sees("¿Cómo quieres pagar?").await;
    page.close();
    let page = Page::open(props("another"));
    page.sees("¿Cómo quieres pagar?").await;
    page.close();
}

#[wasm_bindgen_test]
async fn another_address_to_start_at_is_another_checkout_and_the_first_one_is_resumed() {
    new_tab();
    let code = Answer::new("CASHCODE", "PENDIENTE").with("processor_response", r#"{"cip":"1"}"#);
    let (authorized, waits) = (code.authorized(), code.body());
    let _asked = server(&format!("[[200, {authorized}], [200, {waits}]]"));
    let starts = |cart: &str| CheckoutProps {
        methods: vec![PaymentMethodName::CashCode],
        authorize_url: Some(format!("/api/charges?cart={cart}").into()),
        ..props("addresses")
    };
    let mut page = Page::open(starts("1"));
    page.is_in("choosing").await;
    page.press("efectivo");
    page.is_in("pending").await;
    page.update(starts("2"));
    page.is_in("choosing").await;
    page.update(starts("1"));
    page.is_in("pending").await;
    page.close();
    new_tab();
}

#[wasm_bindgen_test]
async fn a_page_with_a_choice_of_its_own_starts_the_payment() {
    new_tab();
    let asked = server(REFUSED);
    let handle = CheckoutHandle::default();
    // Before the checkout is on the page nothing happens.
    handle.start(PaymentMethodName::Qr);
    let page = Page::open(CheckoutProps {
        hide_choice: true,
        handle: handle.clone(),
        ..props("own-choice")
    });
    page.is_in("choosing").await;
    assert!(page.find("section[hidden]").is_some());
    handle.start(PaymentMethodName::Qr);
    page.sees("La tienda no pudo aceptar este pago").await;
    assert!(requests(&asked)[0].starts_with("POST /api/charges keyed"));
    page.press("Pagar de otra forma");
    page.until("the notice", || {
        let qr = Some(PaymentMethodName::Qr);
        page.notices().contains(&Notice::Choose {
            method: qr,
            reason: None,
        })
    })
    .await;
    page.close();
    handle.start(PaymentMethodName::Qr);
}

#[wasm_bindgen_test]
async fn where_drawing_takes_long_the_browser_has_its_turn_between_request_and_screen() {
    new_tab();
    let _asked = server(REFUSED);
    let page = Page::open(props("slow"));
    page.is_in("choosing").await;
    let section = page.find("section").unwrap();
    let before = page.find("#heading").unwrap().text_content().unwrap();
    // Everything takes longer than a frame.
    let slow = Function::new_with_args(
        "section, headings",
        "const send = globalThis.fetch, now = Date.now; \
         let time = now(); \
         Date.now = () => (time += 20); \
         globalThis.fetch = (...request) => { \
           setTimeout(() => { Date.now = now; headings.push(section.getRootNode().querySelector('#heading').textContent); }); \
           return send(...request); }",
    );
    let headings = Array::new();
    slow.call2(&JsValue::UNDEFINED, &section, &headings)
        .unwrap();
    page.press("QR");
    page.sees("La tienda no pudo aceptar este pago").await;
    assert_eq!(headings.get(0).as_string(), Some(before));
    page.close();
}

#[wasm_bindgen_test]
async fn a_card_on_a_page_that_nobody_sees_yet_begins_when_the_page_is_shown() {
    new_tab();
    let asked = server("[[204, null]]");
    let prerenders = Function::new_with_args(
        "now",
        "Object.defineProperty(document, 'prerendering', { configurable: true, value: now }); \
         if (!now) document.dispatchEvent(new Event('prerenderingchange'));",
    );
    let prerenders = |now: bool| drop(prerenders.call1(&JsValue::UNDEFINED, &now.into()));
    prerenders(true);
    let document = web_sys::window().unwrap().document().unwrap();
    let place = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&place).unwrap();
    let notices = Rc::new(RefCell::new(Vec::new()));
    let heard = notices.clone();
    let props = CheckoutProps {
        live_url: Some("/api/charges/live".into()),
        on_notice: Callback::from(move |notice| heard.borrow_mut().push(notice)),
        ..props("in-advance")
    };
    let app = yew::Renderer::<CheckoutCard>::with_root_and_props(place.clone(), props).render();
    let later = || TimeoutFuture::new(10);
    later().await;
    assert!(notices.borrow().is_empty());
    assert_eq!(asked.length(), 0);
    prerenders(false);
    for _ in 0..1_000 {
        if asked.length() > 0 {
            break;
        }
        later().await;
    }
    assert!(requests(&asked)[0].starts_with("POST /api/charges/live"));
    assert!(matches!(notices.borrow()[0], Notice::Ready));
    app.destroy();
    place.remove();
}

#[wasm_bindgen_test]
async fn a_page_that_a_server_has_drawn_takes_the_payment_once_it_is_hydrated() {
    new_tab();
    let code = Answer::new("CASHCODE", "PENDIENTE").with("processor_response", r#"{"cip":"1"}"#);
    let (waits, paid) = (
        code.authorized(),
        Answer::new("CASHCODE", "AUTORIZADO").body(),
    );
    let asked = server(&format!("[[200, {waits}], [200, {paid}]]"));
    let outcomes = Rc::new(RefCell::new(Vec::new()));
    let hydrated = || CheckoutProps {
        class: "till".into(),
        methods: vec![PaymentMethodName::CashCode],
        on_notice: {
            let outcomes = outcomes.clone();
            Callback::from(move |notice| {
                if let Notice::Result(result) = notice {
                    outcomes.borrow_mut().push(result.outcome);
                }
            })
        },
        ..props("drawn-on-a-server")
    };
    let drawn = yew::LocalServerRenderer::<CheckoutCard>::with_props(hydrated());
    let drawn = drawn.render().await;
    assert!(drawn.contains(r#"<div class="till"></div>"#), "{drawn}");
    let place = place();
    place.set_inner_html(&drawn);
    let renderer = yew::Renderer::<CheckoutCard>::with_root_and_props(place.clone(), hydrated());
    let app = renderer.hydrate();
    press_in_card(&place, "efectivo").await;
    press_in_card(&place, "Consultar ahora").await;
    until("the end", || !outcomes.borrow().is_empty()).await;
    assert_eq!(*outcomes.borrow(), [Outcome::Paid]);
    assert!(requests(&asked)[0].contains(r#"{"order_id":"drawn-on-a-server""#));
    app.destroy();
    place.remove();
}
