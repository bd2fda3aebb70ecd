//! A page of the tests in `tests/consumers`: a Yew program with the crate's component, or with the custom element of the
//! package where its address ends in `?element`, which is then a second Yew program on the page. A page to copy is
//! `examples/yew-shop`.

#![expect(clippy::expect_used, reason = "a page of a test may fail loudly")]

use gloo_events::EventListener;
use gloo_net::http::Request as Post;
use payment_checkout::{Amount, Currency, Outcome};
use payment_checkout::{
    CheckoutCard, CheckoutText, Locale, Money, Notice, OrderRequest, Overrides,
};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, Element};
use yew::platform::spawn_local;
use yew::{
    Callback, Html, MouseEvent, Renderer, component, html, use_effect_with, use_node_ref, use_state,
};

const ORDER: &str = r#"{"items": [{"sku": "mochila-telar", "quantity": 1}],
    "customer": {"first_name": "Ana", "last_name": "Quispe", "email": "ana@example.com"}}"#;

/// An order, as the merchant's server made it.
#[derive(Clone, PartialEq)]
struct Order {
    id: String,
    price: Money,
}

impl Order {
    async fn make() -> Self {
        let post = Post::post("/api/orders").header("Content-Type", "application/json");
        let answer = post.body(ORDER).expect("a body").send().await;
        let body = answer.expect("an answer").text().await.expect("a text");
        let order = js_sys::JSON::parse(&body).expect("JSON");
        Self {
            id: text(&order, "order_id"),
            price: Money {
                amount: Amount::new(text(&order, "amount")),
                currency: Currency::new(text(&order, "currency")),
            },
        }
    }

    fn request(&self) -> JsValue {
        let request = js_sys::Object::new();
        js_sys::Reflect::set(&request, &"order_id".into(), &self.id.as_str().into())
            .expect("an own object");
        request.into()
    }
}

fn text(object: &JsValue, name: &str) -> String {
    let value = js_sys::Reflect::get(object, &name.into()).unwrap_or_default();
    value.as_string().unwrap_or_default()
}

/// The page. Its own button counts how often it was pressed, and must count no press elsewhere.
#[component]
fn App() -> Html {
    let order = use_state(|| None::<Order>);
    let result = use_state(String::new);
    let presses = use_state(|| 0);
    use_effect_with((), {
        let order = order.clone();
        move |()| spawn_local(async move { order.set(Some(Order::make().await)) })
    });
    let press = {
        let presses = presses.clone();
        move |_: MouseEvent| presses.set(*presses + 1)
    };
    let on_result = {
        let result = result.clone();
        Callback::from(move |text| result.set(text))
    };
    let by_element = web_sys::window()
        .and_then(|window| window.location().search().ok())
        .is_some_and(|search| search == "?element");
    html! {
        <main>
            <h1>{ "Pay" }</h1>
            <button type="button" onclick={press.clone()}>{ "Help" }</button>
            <button type="button" onclick={press}>{ "More help" }</button>
            <p id="presses">{ *presses }</p>
            if let Some(order) = (*order).clone() {
                if by_element {
                    <ByElement {order} {on_result} />
                } else {
                    <ByComponent {order} {on_result} />
                }
            }
            <output>{ (*result).clone() }</output>
        </main>
    }
}

#[derive(Clone, PartialEq, yew::Properties)]
struct PayProps {
    order: Order,
    on_result: Callback<String>,
}

#[component]
fn ByComponent(props: &PayProps) -> Html {
    let on_result = props.on_result.clone();
    let on_notice = Callback::from(move |notice| {
        if let Notice::Result(result) = notice {
            let number = result.status.operation.merchant_operation_number;
            let outcome = if result.outcome == Outcome::Paid {
                "paid"
            } else {
                "not paid"
            };
            on_result.emit(format!("{outcome}: {}", number.as_str()));
        }
    });
    let messages = Overrides::default().with(CheckoutText::ChooseHeading, "How do you pay?");
    html! {
        <CheckoutCard base_url="/api" locale={Locale::En} merchant_name="Retama y Cumbre"
            request={OrderRequest::order(&props.order.id)} price={props.order.price.clone()}
            {messages} {on_notice} />
    }
}

#[component]
fn ByElement(props: &PayProps) -> Html {
    let node = use_node_ref();
    use_effect_with((), {
        let (node, props) = (node.clone(), props.clone());
        move |()| {
            let element = node.cast::<Element>().expect("the element is drawn");
            let set = |name: &str, value: &JsValue| {
                js_sys::Reflect::set(&element, &name.into(), value).expect("a property");
            };
            set("request", &props.order.request());
            let messages = js_sys::JSON::parse(r#"{"choose.heading": "How do you pay?"}"#);
            set("messages", &messages.expect("JSON"));
            let listener = EventListener::new(&element, "checkout-result", move |event| {
                let detail = event.unchecked_ref::<CustomEvent>().detail();
                let number = text(&detail, "merchantOperationNumber");
                props
                    .on_result
                    .emit(format!("{}: {number}", text(&detail, "outcome")));
            });
            move || drop(listener)
        }
    });
    html! {
        <@{"payment-checkout"} ref={node} base-url="/api" merchant-name="Retama y Cumbre">
            { "The checkout is being loaded." }
        </@>
    }
}

fn main() {
    Renderer::<App>::new().render();
}
