//! The functions and classes that the element's JavaScript calls.

use crate::host::Host;
use crate::options::props;
use browser_kit::panic_report;
use checkout_flow::Event;
use payment_checkout::Checkout;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use yew::AppHandle;

/// A checkout in the page.
#[wasm_bindgen]
pub struct Mounted {
    app: AppHandle<Checkout>,
    host: Host,
}

/// Draws a checkout into `root`, an empty element in the shadow root of `host`.
#[wasm_bindgen]
pub fn mount(root: web_sys::Element, host: Host, options: &JsValue) -> Mounted {
    panic_report::throw_places();
    let props = props(options, &host);
    let app = yew::Renderer::<Checkout>::with_root_and_props(root, props).render();
    Mounted { app, host }
}

#[wasm_bindgen]
impl Mounted {
    /// Takes the options after a change of attributes or properties.
    pub fn update(&mut self, options: &JsValue) {
        self.app.update(props(options, &self.host));
    }

    /// Asks the payer to confirm the cancellation.
    pub fn cancel(&self) {
        self.app.send_message(Event::CancelPressed);
    }

    /// Tries again, or asks for a new code.
    pub fn retry(&self) {
        self.app.send_message(Event::RetryPressed);
    }

    /// Takes the checkout out of the page: requests are aborted, timers and listeners go, and
    /// nothing is cancelled.
    pub fn unmount(self) {
        self.app.destroy();
    }
}
