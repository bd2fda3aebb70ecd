//! The border to the custom element's JavaScript: everything that crosses it is here.

use crate::checkout::{Checkout, CheckoutProps, Message, Request};
use crate::i18n::{Locale, Overrides};
use checkout_flow::{Event, Money, OperationRef};
use payment_model::{Amount, Currency, MerchantCode, MerchantOperationNumber, TransactionId};
use serde::Deserialize;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use yew::{AppHandle, AttrValue, Callback};

mod notices;

/// What the element's attributes and properties say.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    base_url: String,
    authorize_url: Option<String>,
    status_url: Option<String>,
    cancel_url: Option<String>,
    methods: Option<String>,
    locale: String,
    merchant_name: Option<String>,
    payee_name: Option<String>,
    redirect_url: Option<String>,
    redirect_hosts: Option<String>,
    merchant_code: Option<String>,
    merchant_operation_number: Option<String>,
    transaction_id: Option<String>,
    amount: Option<String>,
    currency: Option<String>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    request: JsValue,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    messages: JsValue,
}

impl Options {
    fn into_props(self, host: &Host) -> CheckoutProps {
        let words = |text: &str| {
            text.split_ascii_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let methods = words(self.methods.as_deref().unwrap_or("QR INSTALLMENT"));
        let resume = match (self.merchant_code, self.merchant_operation_number) {
            (Some(code), Some(number)) => Some(OperationRef {
                merchant_code: MerchantCode::new(code),
                merchant_operation_number: MerchantOperationNumber::new(number),
                transaction_id: self.transaction_id.map(TransactionId::new),
            }),
            _ => None,
        };
        let price = self.amount.zip(self.currency);
        let (notices, redirects, states) = (host.clone(), host.clone(), host.clone());
        CheckoutProps {
            base_url: self.base_url.into(),
            authorize_url: self.authorize_url.map(AttrValue::from),
            status_url: self.status_url.map(AttrValue::from),
            cancel_url: self.cancel_url.map(AttrValue::from),
            request: Request::new(&self.request),
            methods: methods.iter().map(|word| word.as_str().into()).collect(),
            locale: Locale::of_tag(&self.locale),
            messages: read_messages(&self.messages),
            merchant_name: self.merchant_name.map(AttrValue::from),
            payee_name: self.payee_name.map(AttrValue::from),
            redirect_url: self.redirect_url.map(AttrValue::from),
            redirect_hosts: words(self.redirect_hosts.as_deref().unwrap_or_default()),
            resume,
            price: price.map(|(amount, currency)| Money {
                amount: Amount::new(amount),
                currency: Currency::new(currency),
            }),
            on_notice: Callback::from(move |notice| notices::tell(&notices, &notice)),
            on_redirect: Callback::from(move |url| notices::ask_to_leave(&redirects, &url)),
            on_state: Callback::from(move |state| states.show_state(state)),
        }
    }
}

/// The texts that the page overrides; anything but texts in an object is passed over.
fn read_messages(messages: &JsValue) -> Overrides {
    // Through JSON: what an object of the page does when it is read must not end in the wasm.
    let plain = js_sys::JSON::stringify(messages)
        .ok()
        .and_then(|text| text.as_string());
    let plain = plain.and_then(|text| js_sys::JSON::parse(&text).ok());
    let Some(object) = plain.as_ref().and_then(JsValue::dyn_ref::<js_sys::Object>) else {
        return Overrides::default();
    };
    let text = |entry: JsValue| {
        let entry = js_sys::Array::from(&entry);
        Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
    };
    let entries = js_sys::Object::entries(object);
    Overrides(entries.iter().filter_map(text).collect())
}

#[wasm_bindgen]
extern "C" {
    /// The element, as far as the wasm knows it.
    #[derive(Clone)]
    pub type Host;

    /// Dispatches an event of the element; whether nobody prevented what it announces.
    #[wasm_bindgen(method)]
    fn tell(this: &Host, name: &str, detail: &JsValue) -> bool;

    /// Takes the name of the screen.
    #[wasm_bindgen(method, js_name = showState)]
    fn show_state(this: &Host, state: &str);
}

/// A checkout in the page.
#[wasm_bindgen]
pub struct Mounted {
    app: AppHandle<Checkout>,
    host: Host,
}

/// Draws a checkout into `root`, an empty element in the shadow root of `host`.
///
/// # Errors
/// `options` is not what the element's JavaScript makes of its attributes.
#[wasm_bindgen]
pub fn mount(root: web_sys::Element, host: Host, options: JsValue) -> Result<Mounted, JsValue> {
    let options: Options = serde_wasm_bindgen::from_value(options)?;
    let props = options.into_props(&host);
    let app = yew::Renderer::<Checkout>::with_root_and_props(root, props).render();
    Ok(Mounted { app, host })
}

thread_local! {
    static REPORT: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Has `report` called when the wasm panics, after which nothing in it works any more. It is
/// told the place in the source, never what was being worked on.
#[wasm_bindgen(js_name = onPanic)]
pub fn on_panic(report: js_sys::Function) {
    REPORT.replace(Some(report));
    yew::set_custom_panic_hook(Box::new(|panic| {
        let place = panic.location().map_or("", |location| location.file());
        if let Some(report) = REPORT.take() {
            // Whatever it throws, the panic goes on.
            let _ = report.call1(&JsValue::NULL, &place.into());
        }
    }));
}

#[wasm_bindgen]
impl Mounted {
    /// Takes the options after a change of attributes or properties.
    ///
    /// # Errors
    /// As for [`mount`].
    pub fn update(&mut self, options: JsValue) -> Result<(), JsValue> {
        let options: Options = serde_wasm_bindgen::from_value(options)?;
        self.app.update(options.into_props(&self.host));
        Ok(())
    }

    /// Asks the payer whether to cancel.
    pub fn cancel(&self) {
        self.app.send_message(Message::Event(Event::CancelPressed));
    }

    /// Tries again, or asks for a new code.
    pub fn retry(&self) {
        self.app.send_message(Message::Event(Event::RetryPressed));
    }

    /// Takes the checkout out of the page: requests are aborted, timers and listeners go, and
    /// nothing is cancelled.
    pub fn unmount(self) {
        self.app.destroy();
    }
}
