//! Tests an order that a page makes when the payer presses a method.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use what these do not")]
mod support;

use gloo_timers::future::TimeoutFuture;
use js_sys::Promise;
use payment_checkout::{BeforeStart, CheckoutCard, CheckoutProps, OrderRequest, StartError};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use support::network::{requests, server};
use support::{Page, new_tab, place, press_in_card, unreachable, until};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::platform::time::sleep;
use yew::{
    Callback, ContextProvider, Html, Properties, component, html, use_context, use_effect_with,
    use_state,
};

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

/// Longer than Yew draws before the browser has its turn.
const SLOW_DRAWING_MS: f64 = 20.0;

/// Where a page keeps the order that it makes at the press.
#[derive(Clone, Copy, PartialEq)]
enum Keeps {
    /// In the state of the component that has the card.
    State,
    /// In the state of a component above it, as a context.
    Context,
    /// As an id, of which an effect makes the request once the id is drawn.
    Effect,
}

#[derive(Clone, PartialEq, Properties)]
struct ShopProps {
    keeps: Keeps,
}

#[derive(Clone, PartialEq)]
struct Made {
    keeps: Keeps,
    request: OrderRequest,
    make: Callback<&'static str>,
}

/// A page that makes an order at the press, and draws slowly.
#[component]
fn Shop(props: &ShopProps) -> Html {
    let request = use_state(OrderRequest::default);
    let made = Made {
        keeps: props.keeps,
        request: (*request).clone(),
        make: Callback::from(move |id| request.set(OrderRequest::order(id))),
    };
    let started = js_sys::Date::now();
    while js_sys::Date::now() - started < SLOW_DRAWING_MS {}
    html! { <ContextProvider<Made> context={made}><Till /></ContextProvider<Made>> }
}

#[component]
fn Till() -> Html {
    let shop = use_context::<Made>().unwrap();
    let own = use_state(OrderRequest::default);
    let id = use_state(|| None::<&str>);
    use_effect_with(*id, {
        let own = own.clone();
        move |id| {
            if let Some(id) = *id {
                own.set(OrderRequest::order(id));
            }
        }
    });
    let request = match shop.keeps {
        Keeps::Context => shop.request.clone(),
        Keeps::State | Keeps::Effect => (*own).clone(),
    };
    let on_start = Callback::from(move |_| {
        let (shop, own, id) = (shop.clone(), own.clone(), id.clone());
        BeforeStart::wait(async move {
            TimeoutFuture::new(1).await;
            match shop.keeps {
                Keeps::State => own.set(OrderRequest::order("made-here")),
                Keeps::Context => shop.make.emit("made-here"),
                Keeps::Effect => id.set(Some("made-here")),
            }
            Ok(())
        })
    });
    let started = js_sys::Date::now();
    while js_sys::Date::now() - started < SLOW_DRAWING_MS {}
    html! { <CheckoutCard base_url="/api" {request} {on_start} class="till" /> }
}

async fn pays_the_order_that_a_slow_page_keeps(keeps: Keeps) {
    new_tab();
    let asked = server(REFUSED);
    let place = place();
    let shop = yew::Renderer::<Shop>::with_root_and_props(place.clone(), ShopProps { keeps });
    let shop = shop.render();
    press_in_card(&place, "QR").await;
    until("a request", || asked.length() > 0).await;
    assert!(
        requests(&asked)[0].contains(r#"{"order_id":"made-here""#),
        "{:?}",
        requests(&asked)
    );
    shop.destroy();
    place.remove();
}

#[wasm_bindgen_test]
async fn a_page_that_draws_slowly_pays_the_order_of_its_state() {
    pays_the_order_that_a_slow_page_keeps(Keeps::State).await;
}

#[wasm_bindgen_test]
async fn a_page_that_draws_slowly_pays_the_order_of_its_context() {
    pays_the_order_that_a_slow_page_keeps(Keeps::Context).await;
}

#[wasm_bindgen_test]
async fn a_page_that_draws_slowly_pays_the_order_of_its_effect() {
    pays_the_order_that_a_slow_page_keeps(Keeps::Effect).await;
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
