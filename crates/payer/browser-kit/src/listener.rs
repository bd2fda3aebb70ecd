//! Listeners that are removed when they are dropped.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::EventTarget;

/// A listener for an event. Where a script of the page has replaced `addEventListener` by a function that throws, the callback
/// is never called, and nothing panics.
#[derive(Debug)]
pub struct Listener {
    target: EventTarget,
    name: &'static str,
    heard: Closure<dyn FnMut()>,
}

impl Listener {
    /// Calls `heard` at each such event.
    #[must_use = "a listener that is dropped hears nothing"]
    pub fn new(target: EventTarget, name: &'static str, heard: impl FnMut() + 'static) -> Self {
        let heard = Closure::new(heard);
        let _ = target.add_event_listener_with_callback(name, heard.as_ref().unchecked_ref());
        Self {
            target,
            name,
            heard,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let heard = self.heard.as_ref().unchecked_ref();
        let _ = self
            .target
            .remove_event_listener_with_callback(self.name, heard);
    }
}
