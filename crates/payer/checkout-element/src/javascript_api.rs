//! The functions and classes that the element's script calls.

use crate::host::Host;
use crate::options::props;
use browser_kit::panic_report;
use payment_checkout::{Checkout, CheckoutHandle, PaymentMethodName};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use yew::AppHandle;

/// A checkout in the page.
#[wasm_bindgen]
pub struct Mounted {
    app: AppHandle<Checkout>,
    host: Host,
    handle: CheckoutHandle,
}

/// Draws a checkout into `root`, an empty element in the shadow root of `host`.
#[wasm_bindgen]
pub fn mount(root: web_sys::Element, host: Host, options: &JsValue) -> Mounted {
    panic_report::throw_places();
    let handle = CheckoutHandle::default();
    let props = props(options, &host, &handle);
    let app = yew::Renderer::<Checkout>::with_root_and_props(root, props).render();
    Mounted { app, host, handle }
}

#[wasm_bindgen]
impl Mounted {
    /// Takes the options after a change of attributes or properties.
    pub fn update(&mut self, options: &JsValue) {
        self.app.update(props(options, &self.host, &self.handle));
    }

    /// Asks the payer to confirm the cancellation.
    pub fn cancel(&self) {
        self.handle.cancel();
    }

    /// Tries again, or asks for a new code.
    pub fn retry(&self) {
        self.handle.retry();
    }

    /// Starts a payment by this method.
    pub fn start(&self, method: &str) {
        self.handle.start(PaymentMethodName::from(method));
    }

    /// Takes the checkout out of the page: requests are aborted, timers and listeners go, and
    /// nothing is cancelled.
    pub fn unmount(self) {
        self.app.destroy();
    }
}
