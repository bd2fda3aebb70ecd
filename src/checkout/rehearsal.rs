//! Plays a payment by QR through once, for nobody, until its code is drawn.
//!
//! A browser compiles each function at its first call, and its first formatters take long. While the payer
//! reads the choice there is time for that, so the code that comes is not delayed by it. The screens are drawn
//! outside of the page, and nothing is stored. The request has an address that every browser refuses, so it is
//! prepared and cannot leave. There is a pause before each part, so a press waits for one of them at most.

use super::running_calls::{Calls, authorized};
use super::{CheckoutProps, authorize_body};
use crate::browser::api_client::{self, Addresses};
use crate::texts::Formatter;
use checkout_flow::{Answer, CallId, Command, Event, Flow, Input, Moment, MonotonicTime, Settings};
use gloo_timers::callback::Timeout;
use js_sys::JSON;
use payment_model::{PaymentMethodName, Timestamp};
use std::time::Duration;
use web_sys::Element;
use yew::{Callback, Html, create_portal};

/// The pause while the payer reads the choice: the page itself may have work to do before.
pub(super) const UNHURRIED: Duration = Duration::from_millis(500);
/// The pause between two parts: the browser paints a frame, and answers presses.
pub(super) const BREATH: Duration = Duration::from_millis(16);

/// When it plays. The code can be paid for a quarter of an hour from then on.
pub(super) const NOW: Moment = Moment {
    wall: Timestamp::from_secs(1_735_689_600),
    monotonic: MonotonicTime::after_start(Duration::ZERO),
};

/// The made-up answer to the authorization, with all that the screen of a code needs.
const ANSWER: &str = r#"{"merchant_code":"a","merchant_operation_number":"1","transaction":{"transaction_id":"a","state":"PENDIENTE","amount":"1","currency":"604","payment_method":{"method_name":"QR"},"expiration_date":{"unix_time":1735690500},"processor_response":{"qr_image":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAB0AAAAdAQAAAAB+6FqiAAAACUlEQVQAAAAAAAAAAAChMLFTAAAAAElFTkSuQmCC"}}}"#;

/// How far it is, and the pause before it goes on.
pub(super) struct Rehearsal {
    pub(super) next: Part,
    pub(super) pause: Option<Timeout>,
    /// The element that the screens are drawn into. It is in no page, so nothing there can find it or hear it.
    nowhere: Option<Element>,
    /// The screen that is drawn now, for nobody.
    screen: Option<Html>,
}

impl Default for Rehearsal {
    fn default() -> Self {
        Self {
            next: Part::Formatter(Formatter::Time),
            pause: None,
            nowhere: web_sys::window()
                .and_then(|window| window.document())
                .and_then(|document| document.create_element("div").ok()),
            screen: None,
        }
    }
}

/// The parts, in their order.
pub(super) enum Part {
    Formatter(Formatter),
    Press,
    Request(Box<Flow>, Vec<Command>),
    Answer(Box<Flow>, CallId),
    Code(Box<Flow>),
    Clear,
    Done,
}

impl Rehearsal {
    /// The screen that is drawn now. Nobody sees or hears it.
    pub(super) fn screen(&self) -> Option<Html> {
        self.screen.clone()
    }

    /// Draws a screen outside of the page.
    pub(super) fn draw(&mut self, screen: Html) {
        self.screen = (self.nowhere.clone()).map(|nowhere| create_portal(screen, nowhere));
    }

    /// Draws nothing any more.
    pub(super) fn clear(&mut self) {
        self.screen = None;
    }

    /// Stops until somebody lets it go on.
    pub(super) fn rest(&mut self) {
        self.clear();
        self.pause = None;
    }

    /// Clicks a button of the screen that was drawn. The button does nothing.
    pub(super) fn click(&self) -> Option<bool> {
        let button = self.nowhere.as_ref()?.query_selector("button").ok()??;
        button
            .dispatch_event(&web_sys::Event::new("click").ok()?)
            .ok()
    }

    /// True while the payer sees a screen during which there is time for the next part.
    pub(super) fn has_time(&self, state: &str) -> bool {
        match self.next {
            // While the server thinks there is time for what takes longest.
            Part::Formatter(_) => matches!(state, "choosing" | "authorizing"),
            Part::Done => false,
            _ => state == "choosing",
        }
    }
}

fn input(event: Event) -> Input {
    Input {
        at: NOW,
        entropy: 0,
        event,
    }
}

/// A flow that authorizes, and its commands.
pub(super) fn pressed() -> (Flow, Vec<Command>) {
    let mut flow = Flow::new(Settings {
        methods: vec![PaymentMethodName::Qr],
        ..Settings::default()
    });
    drop(flow.handle(input(Event::Started(Box::default()))));
    let commands = flow.handle(input(Event::MethodChosen(PaymentMethodName::Qr)));
    (flow, commands)
}

/// Starts the call, whose request cannot leave. Returns the call.
pub(super) fn start(props: &CheckoutProps, command: Command) -> Option<CallId> {
    let Command::Authorize {
        call,
        key,
        method,
        timeout,
    } = command
    else {
        return None;
    };
    let body = authorize_body::authorize(props, &method, None)?;
    // An address without a host is none.
    let nowhere = Addresses::under("", Some("http://"), None, None);
    let request = api_client::authorize(&nowhere, &key, body);
    Calls::default().start(
        call,
        request,
        timeout,
        authorized,
        &Callback::noop(),
        &Callback::noop(),
    );
    Some(call)
}

/// The same after the answer.
pub(super) fn answered(mut flow: Flow, call: CallId) -> Option<Flow> {
    let answer = Ok(Answer {
        body: Box::new(JSON::parse(ANSWER).ok()?),
        date: None,
        held: false,
        tag: None,
        age: None,
    });
    drop(flow.handle(input(authorized(call, answer))));
    Some(flow)
}

#[cfg(target_family = "wasm")]
#[cfg(test)]
mod tests {
    use super::{NOW, answered, pressed};
    use checkout_flow::{Command, Screen};
    use std::time::Duration;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn it_ends_with_the_screen_of_a_code() {
        let (flow, commands) = pressed();
        let call = commands.iter().find_map(|command| match command {
            Command::Authorize { call, .. } => Some(*call),
            _ => None,
        });
        assert!(matches!(flow.view().screen, Screen::Authorizing));
        let flow = answered(flow, call.unwrap()).unwrap();
        assert!(matches!(flow.view().screen, Screen::Qr(_)));
        assert_eq!(flow.remaining(NOW), Some(Duration::from_secs(900)));
    }
}
