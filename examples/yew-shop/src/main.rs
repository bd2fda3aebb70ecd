//! A shop of three pages, to be copied: the shelf, the page of an order with its checkout, and the thanks. The server
//! behind `/api` makes the orders and decides what is paid.

use gloo_net::{Error, http};
use payment_checkout::{
    CheckoutCard, CheckoutState, CheckoutText, Money, Notice, OrderRequest, Outcome, Overrides,
    PaymentMethodName, use_checkout_handle,
};
use serde::Deserialize;
use std::panic::PanicHookInfo;
use yew::platform::spawn_local;
use yew::prelude::*;
use yew_router::prelude::*;

/// The page of an order with its checkout.
#[component]
fn Pay(OrderProps { id }: &OrderProps) -> Html {
    let navigator = use_navigator();
    let handle = use_checkout_handle();
    let state = use_state_eq(|| CheckoutState::Choosing);
    let order = match use_order(id) {
        Ok(order) => order,
        Err(sentence) => return html! { <p role="status">{ sentence }</p> },
    };
    let thanks = Route::Thanks { id: id.clone() };
    let paid_url = thanks.to_path();
    let on_notice = Callback::from(move |notice| {
        // A payment that had ended before, as after Back, leads nowhere: the payer reads the receipt.
        if let (Notice::Result(result), Some(navigator)) = (notice, &navigator)
            && result.outcome == Outcome::Paid
            && !result.resumed
        {
            navigator.push(&thanks);
        }
    });
    let on_state = {
        let state = state.clone();
        Callback::from(move |now| state.set(now))
    };
    let cancel = {
        let handle = handle.clone();
        move |_: MouseEvent| handle.cancel()
    };
    html! {
        <main>
            <h1>{ format!("Order {}", order.label) }</h1>
            <CheckoutCard
                base_url="/api" live_url="/api/charges/live" {paid_url}
                // Other methods lead away and back, to an address that your server has to know.
                methods={vec![PaymentMethodName::Qr]}
                request={OrderRequest::order(&order.order_id)} price={order.price}
                merchant_name={order.merchant_name} order_label={order.label}
                messages={Overrides::default().with(CheckoutText::ChooseOneHeading, "Pay for your backpack")}
                {handle} {on_notice} {on_state}
            >
                <p slot="paid">{ "Your invoice is on its way." }</p>
            </CheckoutCard>
            if *state == CheckoutState::Pending {
                <button type="button" onclick={cancel}>{ "I do not want it any more" }</button>
            }
        </main>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct OrderProps {
    id: AttrValue,
}

/// An order, as your server answers it.
#[derive(Clone, PartialEq, Deserialize)]
struct Order {
    order_id: String,
    label: String,
    #[serde(flatten)]
    price: Money,
    merchant_name: String,
    /// Not in the answer that makes the order.
    #[serde(default)]
    state: String,
}

async fn make_order() -> Result<Order, Error> {
    let post = http::Request::post("/api/orders").header("Content-Type", "application/json");
    post.body(CART)?.send().await?.json().await
}

async fn find_order(id: &str) -> Result<Order, Error> {
    let get = http::Request::get(&format!("/api/orders/{id}"));
    get.send().await?.json().await
}

/// The order at your server, or a sentence in its place.
#[hook]
fn use_order(id: &AttrValue) -> Result<Order, &'static str> {
    let order = use_state(|| Err("One moment…"));
    let set = order.setter();
    use_effect_with(id.clone(), move |id| {
        let id = id.clone();
        let failed = |_| "Your order cannot be shown now. Reload the page.";
        spawn_local(async move { set.set(find_order(&id).await.map_err(failed)) });
    });
    (*order).clone()
}

/// The order is in the address, so that a reload and the Back button find it again.
#[derive(Clone, PartialEq, Routable)]
enum Route {
    #[at("/")]
    Shelf,
    #[at("/order/:id")]
    Pay { id: AttrValue },
    #[at("/order/:id/thanks")]
    Thanks { id: AttrValue },
}

/// What is in the cart, in the words of your server.
const CART: &str = r#"{"items": [{"sku": "mochila-telar", "quantity": 1}],
    "customer": {"first_name": "Ana", "last_name": "Quispe", "email": "ana@example.com"}}"#;

#[component]
fn Shelf() -> Html {
    let navigator = use_navigator();
    let failed = use_state(|| false);
    let buy = {
        let failed = failed.clone();
        move |_: MouseEvent| {
            let (navigator, failed) = (navigator.clone(), failed.clone());
            spawn_local(async move {
                let order = make_order().await;
                failed.set(order.is_err());
                if let (Ok(order), Some(navigator)) = (order, navigator) {
                    let id = order.order_id.into();
                    navigator.push(&Route::Pay { id });
                }
            });
        }
    };
    html! {
        <main>
            <h1>{ "A woven backpack" }</h1>
            <button type="button" onclick={buy}>{ "Buy it" }</button>
            if *failed {
                <p role="alert">{ "Your order could not be made, and nothing was paid. Try again." }</p>
            }
        </main>
    }
}

/// Believes your server, and nothing that a browser says.
#[component]
fn Thanks(OrderProps { id }: &OrderProps) -> Html {
    let text = match use_order(id) {
        Ok(order) if order.state == "paid" => format!("Order {} is paid.", order.label),
        Ok(_) => "The payment is not confirmed yet. Reload the page.".to_owned(),
        Err(sentence) => sentence.to_owned(),
    };
    html! { <main><h1>{ "Thank you" }</h1><p>{ text }</p></main> }
}

#[component]
fn Shop() -> Html {
    let page = |route| match route {
        Route::Shelf => html! { <Shelf /> },
        Route::Pay { id } => html! { <Pay key={id.as_str()} id={&id} /> },
        Route::Thanks { id } => html! { <Thanks {id} /> },
    };
    html! { <BrowserRouter><Switch<Route> render={page} /></BrowserRouter> }
}

/// After a panic nothing answers any more, and a code on the screen would seem to wait.
fn on_panic(panic: &PanicHookInfo<'_>) {
    web_sys::console::error_1(&panic.to_string().into());
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(body) = document.and_then(|document| document.body()) {
        body.set_text_content(Some(
            "This page has stopped. If you have paid, do not pay again: reload the page.",
        ));
    }
}

fn main() {
    yew::set_custom_panic_hook(Box::new(on_panic));
    yew::Renderer::<Shop>::new().render();
}
