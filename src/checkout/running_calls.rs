use crate::browser::{Exchange, api_client};
use browser_kit::clock;
use browser_kit::http::HttpRequest;
use browser_kit::running_requests::RunningRequests;
use browser_kit::task;
use checkout_flow::{Answered, CallId, Event, Failure};
use std::time::Duration;
use wasm_bindgen::JsValue;
use yew::Callback;

/// The requests of the flow that are on their way. Dropping them aborts them.
#[derive(Default)]
pub(crate) struct Calls {
    running: RunningRequests<CallId>,
}

impl Calls {
    /// Sends a request and reports its result once; nothing after [`Calls::end`].
    pub(crate) fn start(
        &mut self,
        call: CallId,
        request: HttpRequest,
        timeout: Duration,
        answered: fn(CallId, Answered<JsValue>) -> Event,
        report: &Callback<Event>,
        heard: &Callback<Exchange>,
    ) {
        let exchange = Exchange {
            method: request.method().to_owned(),
            url: request.url().to_owned(),
            response: None,
            body: None,
            problem: None,
            took: timeout,
            usable: false,
        };
        let (silent, hears, late) = (exchange.clone(), heard.clone(), report.clone());
        let late = move || {
            hears.emit(silent);
            late.emit(answered(call, Err(Failure::Timeout)));
        };
        let Some(abort) = self.running.start(call, timeout, late) else {
            report.emit(answered(call, Err(Failure::Network)));
            return;
        };
        let (heard, report) = (heard.clone(), report.clone());
        task::begin(async move {
            let sent = clock::monotonic();
            let (answer, came) = api_client::send(request, abort.clone()).await;
            // The flow does not wait for a request that it gave up, and the request's name may be
            // in use again.
            if !abort.signal().aborted() {
                let event = answered(call, answer);
                heard.emit(Exchange {
                    response: came.response,
                    body: came.body,
                    problem: came.problem,
                    took: clock::monotonic().saturating_sub(sent),
                    usable: has_answer(&event),
                    ..exchange
                });
                report.emit(event);
            }
        });
    }

    /// Forgets a request whose answer is there.
    pub(crate) fn answered(&mut self, call: CallId) {
        self.running.answered(&call);
    }

    /// Ends a request, if it is still running.
    pub(crate) fn end(&mut self, call: CallId) {
        self.running.end(&call);
    }
}

/// The answer to the authorization.
pub(super) fn authorized(call: CallId, answer: Answered<JsValue>) -> Event {
    Event::AuthorizeAnswered {
        call,
        answer: api_client::content(answer),
    }
}

/// True when the flow can go on with what came.
fn has_answer(event: &Event) -> bool {
    matches!(
        event,
        Event::AuthorizeAnswered { answer: Ok(_), .. }
            | Event::StatusAnswered { answer: Ok(_), .. }
            | Event::CancelAnswered { answer: Ok(_), .. }
    )
}
