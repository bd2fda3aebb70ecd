//! Work that waits for the browser.

use std::future::Future;
use std::task::{Context, Waker};
use wasm_bindgen_futures::spawn_local;

/// Does what comes before the first wait at once, and the rest as the browser has time: a request leaves
/// before the screen about it is drawn.
pub fn begin(task: impl Future<Output = ()> + 'static) {
    let mut task = Box::pin(task);
    // The rest is asked again right away, so nobody need be woken.
    let mut context = Context::from_waker(Waker::noop());
    if task.as_mut().poll(&mut context).is_pending() {
        spawn_local(task);
    }
}
