//! Tests what a page does with a checkout: it starts it, makes the order at the press, and puts it back.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use what these do not")]
mod support;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Function, Promise};
use payment_checkout::{
    BeforeStart, CheckoutCard, CheckoutHandle, CheckoutProps, Notice, OrderRequest, Outcome,
    PaymentMethodName, StartError,
};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use support::answers::Answer;
use support::network::{requests, server};
use support::{Page, new_tab, unreachable};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlElement;
use yew::Callback;
use yew::platform::time::sleep;

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
        page.notices().contains(&Notice::Choose { method: qr })
    })
    .await;
    page.close();
    handle.start(PaymentMethodName::Qr);
}

#[wasm_bindgen_test]
async fn an_order_that_is_made_at_the_press_belongs_to_the_attempt() {
    new_tab();
    let asked = server(REFUSED);
    let starts = Rc::new(RefCell::new(0));
    let (made, order) = promise();
    let order = Rc::new(RefCell::new(Some(order)));
    let before = |order_id: &str| CheckoutProps {
        on_start: Some({
            let (starts, order) = (starts.clone(), order.clone());
            Callback::from(move |_| {
                *starts.borrow_mut() += 1;
                match order.borrow_mut().take() {
                    Some(order) => BeforeStart::wait(async {
                        order.await.map(drop).map_err(|_| StartError::Failed)
                    }),
                    None => BeforeStart::Begin,
                }
            })
        }),
        ..props(order_id)
    };
    let mut page = Page::open(before(""));
    page.is_in("choosing").await;
    page.press("QR");
    page.sees("Preparando tu pedido").await;
    assert_eq!(asked.length(), 0);
    page.update(before("made-at-the-press"));
    made();
    page.sees("La tienda no pudo aceptar este pago").await;
    assert!(requests(&asked)[0].contains(r#"{"order_id":"made-at-the-press""#));
    assert_eq!(*starts.borrow(), 1);
    page.close();
}

#[wasm_bindgen_test]
async fn what_a_page_awaits_before_an_attempt_may_be_any_future() {
    new_tab();
    let asked = server(REFUSED);
    let page = Page::open(CheckoutProps {
        on_start: Some(Callback::from(|_| {
            BeforeStart::wait(async {
                // It keeps the waker of its first poll.
                sleep(Duration::from_millis(1)).await;
                Ok(())
            })
        })),
        ..props("made-after-a-while")
    });
    page.is_in("choosing").await;
    page.press("QR");
    page.sees("La tienda no pudo aceptar este pago").await;
    assert_eq!(requests(&asked).len(), 1);
    page.close();
}

#[wasm_bindgen_test]
async fn an_order_that_is_made_too_late_is_for_the_next_attempt() {
    new_tab();
    let asked = server(REFUSED);
    let starts = Rc::new(RefCell::new(0));
    let before = |order_id: &str| CheckoutProps {
        on_start: Some({
            let starts = starts.clone();
            Callback::from(move |_| {
                *starts.borrow_mut() += 1;
                match *starts.borrow() {
                    1 => BeforeStart::wait(async { Err(StartError::Failed) }),
                    _ => BeforeStart::Begin,
                }
            })
        }),
        ..props(order_id)
    };
    let mut page = Page::open(before(""));
    page.is_in("choosing").await;
    page.press("QR");
    page.sees("La tienda no pudo empezar el pago").await;
    page.update(before("made-too-late"));
    // The browser draws the new properties.
    TimeoutFuture::new(0).await;
    page.sees("La tienda no pudo empezar el pago").await;
    page.press("Intentar de nuevo");
    page.sees("La tienda no pudo aceptar este pago").await;
    assert!(requests(&asked)[0].contains(r#"{"order_id":"made-too-late""#));
    page.close();
}

#[wasm_bindgen_test]
async fn the_payer_reads_why_the_page_refuses() {
    new_tab();
    let asked = server(REFUSED);
    let page = Page::open(CheckoutProps {
        on_start: Some(Callback::from(|_| {
            let reason = "Ya no quedan <b>mochilas</b>".to_owned();
            BeforeStart::wait(async { Err(StartError::Refused(reason)) })
        })),
        ..props("refused")
    });
    page.is_in("choosing").await;
    page.press("QR");
    page.sees("Ya no quedan <b>mochilas</b>").await;
    let alert = || {
        page.find("[role=alert]")
            .and_then(|alert| alert.text_content())
    };
    page.until("the alert", || {
        alert().is_some_and(|said| said.contains("mochilas"))
    })
    .await;
    assert_eq!(asked.length(), 0);
    page.close();
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
    let document = web_sys::window().unwrap().document().unwrap();
    let place = document.create_element("div").unwrap();
    place.set_inner_html(&drawn);
    document.body().unwrap().append_child(&place).unwrap();
    let renderer = yew::Renderer::<CheckoutCard>::with_root_and_props(place.clone(), hydrated());
    let app = renderer.hydrate();
    for words in ["efectivo", "Consultar ahora"] {
        let button = || {
            let card = place.query_selector(".till").unwrap()?.shadow_root()?;
            let found = card.query_selector_all("button").unwrap();
            let mut each = (0..found.length()).filter_map(|at| found.get(at));
            each.find(|button| {
                button
                    .text_content()
                    .is_some_and(|text| text.contains(words))
            })
        };
        for _ in 0..1_000 {
            if button().is_some() {
                break;
            }
            TimeoutFuture::new(10).await;
        }
        let button = button().unwrap().unchecked_into::<HtmlElement>();
        button.click();
    }
    for _ in 0..1_000 {
        if !outcomes.borrow().is_empty() {
            break;
        }
        TimeoutFuture::new(10).await;
    }
    assert_eq!(*outcomes.borrow(), [Outcome::Paid]);
    assert!(requests(&asked)[0].contains(r#"{"order_id":"drawn-on-a-server""#));
    app.destroy();
    place.remove();
}

/// A promise, and what keeps it.
fn promise() -> (impl FnOnce(), JsFuture) {
    let mut keep = None;
    let promise = Promise::new(&mut |resolve, _| keep = Some(resolve));
    let keep = keep.unwrap();
    (
        move || drop(keep.call0(&JsValue::UNDEFINED)),
        JsFuture::from(promise),
    )
}
