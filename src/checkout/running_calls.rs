use crate::browser::{Exchange, api_client};
use browser_kit::clock;
use browser_kit::http::HttpRequest;
use browser_kit::running_requests::RunningRequests;
use browser_kit::task;
use checkout_flow::{Answered, CallId, Event, Failure};
use payment_model::AuthorizeResponse;
use serde::de::DeserializeOwned;
use std::time::Duration;
use yew::Callback;

/// The requests of the flow that are on their way. Dropping them aborts them.
#[derive(Default)]
pub(crate) struct Calls {
    running: RunningRequests<CallId>,
}

impl Calls {
    /// Sends a request and reports its result once; nothing after [`Calls::end`].
    pub(crate) fn start<T: DeserializeOwned + 'static>(
        &mut self,
        call: CallId,
        request: HttpRequest,
        timeout: Duration,
        answered: fn(CallId, Answered<T>) -> Event,
        report: &Callback<Event>,
        on_exchange: &Callback<Exchange>,
    ) {
        let mut exchange = Exchange {
            method: request.method().to_owned(),
            url: request.url().to_owned(),
            response: None,
            body: None,
            problem: None,
            unreadable: None,
            took: timeout,
            usable: false,
        };
        let late = {
            let (exchange, on_exchange, report) =
                (exchange.clone(), on_exchange.clone(), report.clone());
            move || {
                on_exchange.emit(exchange);
                report.emit(answered(call, Err(Failure::Timeout)));
            }
        };
        let Some(abort) = self.running.start(call, timeout, late) else {
            report.emit(answered(call, Err(Failure::Network)));
            return;
        };
        let (on_exchange, report) = (on_exchange.clone(), report.clone());
        task::begin(async move {
            let sent = clock::monotonic();
            let answer = api_client::send(request, abort.clone(), &mut exchange).await;
            // The flow does not wait for a request that it gave up, and the request's name may be
            // in use again.
            if !abort.signal().aborted() {
                exchange.took = clock::monotonic().saturating_sub(sent);
                exchange.usable = answer.is_ok();
                on_exchange.emit(exchange);
                report.emit(answered(call, answer));
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
pub(super) fn authorized(call: CallId, answer: Answered<AuthorizeResponse>) -> Event {
    Event::AuthorizeAnswered { call, answer }
}
