use super::message::Message;
use crate::browser::{Exchange, api_client};
use browser_kit::clock;
use browser_kit::http::HttpRequest;
use browser_kit::running_requests::RunningRequests;
use checkout_flow::{Answered, CallId, Event, Failure, HoldTurns};
use std::cell::RefCell;
use std::task::{Context, Waker};
use std::time::Duration;
use wasm_bindgen::JsValue;
use yew::Callback;
use yew::platform::spawn_local;

/// Turns the answer to one kind of request into an event, and completes the exchange.
type Reader = fn(CallId, Answered<JsValue>, &mut Exchange) -> Event;

thread_local! {
    /// The turns of all checkouts on this page.
    static TURNS: RefCell<HoldTurns> = RefCell::default();
}

/// A place among the requests of this page that a server may hold.
struct Hold;

impl Drop for Hold {
    fn drop(&mut self) {
        TURNS.with_borrow_mut(HoldTurns::give_back);
    }
}

/// The requests of the flow that are on their way. Dropping them aborts them.
#[derive(Default)]
pub(crate) struct Calls {
    running: RunningRequests<CallId>,
    held: Option<(CallId, Hold)>,
    /// For how many questions this checkout lets others go first.
    rest: u8,
}

impl Calls {
    /// True when the server may hold this request, until it is answered or ends.
    pub(crate) fn may_be_held(&mut self, call: CallId) -> bool {
        let taken = TURNS.with_borrow_mut(|turns| turns.take(&mut self.rest));
        self.held = taken.then(|| (call, Hold));
        taken
    }

    /// Sends a request and reports its result once, unless [`Calls::end`] is called before.
    pub(crate) fn start(
        &mut self,
        call: CallId,
        request: HttpRequest,
        timeout: Duration,
        answered: Reader,
        report: &Callback<Message>,
    ) {
        let mut exchange = Exchange {
            method: request.method().to_owned(),
            url: request.url().to_owned(),
            status: None,
            response: None,
            body: None,
            problem: None,
            unreadable: None,
            took: timeout,
            usable: false,
        };
        let finish = {
            let report = report.clone();
            move |answer, mut exchange| {
                let event = answered(call, answer, &mut exchange);
                report.emit(Message::Answered(Box::new(exchange), event));
            }
        };
        let late = {
            let (finish, exchange) = (finish.clone(), exchange.clone());
            move || finish(Err(Failure::Timeout), exchange)
        };
        let Some(abort) = self.running.start(call, timeout, late) else {
            let event = answered(call, Err(Failure::Network), &mut exchange);
            report.emit(Message::Event(event));
            return;
        };
        begin(async move {
            let sent = clock::monotonic();
            let answer = api_client::send(request, abort.clone(), &mut exchange).await;
            // The request was aborted, and its id may belong to another request by now.
            if !abort.signal().aborted() {
                exchange.took = clock::monotonic().saturating_sub(sent);
                finish(answer, exchange);
            }
        });
    }

    /// Drops an answered request without aborting it.
    pub(crate) fn answered(&mut self, call: CallId) {
        self.running.answered(&call);
        self.release(call);
    }

    /// Aborts a request, if it is still running.
    pub(crate) fn end(&mut self, call: CallId) {
        self.running.end(&call);
        self.release(call);
    }

    fn release(&mut self, call: CallId) {
        self.held.take_if(|(held, _)| *held == call);
    }
}

/// Polls a request once at once, so that it is sent before the screen about it is drawn, and spawns the rest. The first poll
/// has a waker that does nothing. That is right for requests, which store the waker of each poll; a future that stores only
/// the first waker would never be polled again.
fn begin(request: impl Future<Output = ()> + 'static) {
    let mut request = Box::pin(request);
    let mut context = Context::from_waker(Waker::noop());
    if request.as_mut().poll(&mut context).is_pending() {
        spawn_local(request);
    }
}
