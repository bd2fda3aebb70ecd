use checkout_flow::{Answered, CallId, Event, Failure};
use gloo_timers::callback::Timeout;
use serde::de::DeserializeOwned;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;
use yew::Callback;

use crate::browser::http::Call;

/// The requests that are on their way. Dropping them aborts them.
#[derive(Default)]
pub(crate) struct Calls {
    running: Vec<Running>,
}

struct Running {
    call: CallId,
    abort: AbortController,
    /// Ends the request; stops when it is dropped.
    _timeout: Timeout,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.abort.abort();
    }
}

impl Calls {
    /// Sends a request and reports once what became of it; nothing after [`Calls::end`].
    pub(crate) fn start<T: DeserializeOwned + 'static>(
        &mut self,
        call: CallId,
        request: Call,
        timeout: i64,
        answered: fn(CallId, Answered<T>) -> Event,
        report: &Callback<Event>,
    ) {
        let Ok(abort) = AbortController::new() else {
            report.emit(answered(call, Err(Failure::Network)));
            return;
        };
        let late = report.clone();
        let millis = u32::try_from(timeout).unwrap_or(u32::MAX);
        let timer = Timeout::new(millis, move || {
            late.emit(answered(call, Err(Failure::Timeout)));
        });
        self.running.push(Running {
            call,
            abort: abort.clone(),
            _timeout: timer,
        });
        let report = report.clone();
        spawn_local(async move {
            let answer = request.send(abort.clone()).await;
            // The flow does not wait for a request that it gave up, and the request's name may be
            // in use again.
            if !abort.signal().aborted() {
                report.emit(answered(call, answer));
            }
        });
    }

    /// Ends a request, if it is still running.
    pub(crate) fn end(&mut self, call: CallId) {
        self.running.retain(|running| running.call != call);
    }
}
