//! Plays a payment by QR through once, for nobody, until its code is drawn.
//!
//! A browser compiles each function at its first call, and its first formatters take long. While the payer
//! reads the choice there is time for that, so the code that comes is not delayed by it. The screens are drawn
//! hidden, beside the choice, and nothing is sent or stored. The parts are short, with a pause before each, so no
//! press has to wait.

use super::component::Message;
use super::{Checkout, CheckoutProps, authorize_body, views};
use crate::browser::api_client;
use crate::texts::Formatter;
use browser_kit::{json, timer};
use checkout_flow::{Answer, CallId, Command, Event, Flow, Input, Moment, MonotonicTime, Settings};
use gloo_timers::callback::Timeout;
use js_sys::JSON;
use payment_model::{PaymentMethodName, Timestamp};
use std::mem;
use std::time::Duration;
use web_sys::AbortController;
use yew::{Callback, Context, Html, html};

/// The pause while the payer reads the choice: the page itself may have work to do before.
const UNHURRIED: Duration = Duration::from_millis(500);
/// The pause between two parts: the browser paints a frame, and answers presses.
const BREATH: Duration = Duration::from_millis(16);

/// When it plays. The code can be paid for a quarter of an hour from then on.
const NOW: Moment = Moment {
    wall: Timestamp::from_secs(1_735_689_600),
    monotonic: MonotonicTime::after_start(Duration::ZERO),
};

/// The made-up answer to the authorization, with all that the screen of a code needs.
const ANSWER: &str = r#"{"merchant_code":"a","merchant_operation_number":"1","transaction":{"transaction_id":"a","state":"PENDIENTE","amount":"1","currency":"604","payment_method":{"method_name":"QR"},"expiration_date":{"unix_time":1735690500},"processor_response":{"qr_image":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAB0AAAAdAQAAAAB+6FqiAAAACUlEQVQAAAAAAAAAAAChMLFTAAAAAElFTkSuQmCC"}}}"#;

/// How far it is, and the pause before it goes on.
pub(super) struct Rehearsal {
    next: Part,
    pause: Option<Timeout>,
    /// The screen that is drawn now, for nobody.
    hidden: Option<Html>,
}

impl Default for Rehearsal {
    fn default() -> Self {
        Self {
            next: Part::Formatter(Formatter::Time),
            pause: None,
            hidden: None,
        }
    }
}

/// The parts, in their order.
enum Part {
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
    pub(super) fn hidden(&self) -> Option<Html> {
        self.hidden.clone()
    }

    /// Goes on while the payer sees this screen, or rests.
    pub(super) fn see(&mut self, ctx: &Context<Checkout>, state: &str) {
        self.hidden = None;
        let pause = if state == "choosing" {
            UNHURRIED
        } else {
            BREATH
        };
        self.wait(ctx, state, pause);
    }

    fn wait(&mut self, ctx: &Context<Checkout>, state: &str, pause: Duration) {
        let goes_on = match self.next {
            // While the server thinks there is time for what takes longest.
            Part::Formatter(_) => matches!(state, "choosing" | "authorizing"),
            Part::Done => false,
            _ => state == "choosing",
        };
        self.pause = goes_on.then(|| {
            let link = ctx.link().clone();
            timer::after(pause, move || link.send_message(Message::Rehearse))
        });
    }
}

impl Checkout {
    /// Plays the next part.
    pub(super) fn rehearse(&mut self, ctx: &Context<Self>) {
        self.rehearsal.hidden = None;
        self.rehearsal.next = match mem::replace(&mut self.rehearsal.next, Part::Done) {
            Part::Formatter(formatter) => {
                let next = self.texts.warm(formatter);
                next.map_or(Part::Press, Part::Formatter)
            }
            Part::Press => {
                let (flow, commands) = pressed();
                self.draw_hidden(ctx, &flow);
                Part::Request(Box::new(flow), commands)
            }
            Part::Request(flow, commands) => {
                let mut commands = commands.into_iter();
                let call = commands.find_map(|command| prepare(ctx.props(), command));
                call.map_or(Part::Done, |call| Part::Answer(flow, call))
            }
            Part::Answer(flow, call) => {
                answered(*flow, call).map_or(Part::Done, |flow| Part::Code(Box::new(flow)))
            }
            Part::Code(flow) => {
                self.draw_hidden(ctx, &flow);
                Part::Clear
            }
            Part::Clear | Part::Done => Part::Done,
        };
        self.rehearsal.wait(ctx, self.state, BREATH);
    }

    fn draw_hidden(&mut self, ctx: &Context<Self>, flow: &Flow) {
        let around = self.around(ctx, flow, NOW);
        let screen = views::checkout(&flow.view(), &around, &Callback::noop());
        self.rehearsal.hidden = Some(html! { <div key="hidden" hidden=true>{ screen }</div> });
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
fn pressed() -> (Flow, Vec<Command>) {
    let mut flow = Flow::new(Settings {
        methods: vec![PaymentMethodName::Qr],
        ..Settings::default()
    });
    drop(flow.handle(input(Event::Started(Box::default()))));
    let commands = flow.handle(input(Event::MethodChosen(PaymentMethodName::Qr)));
    (flow, commands)
}

/// Prepares the request, which is not sent; returns the call that it is for.
fn prepare(props: &CheckoutProps, command: Command) -> Option<CallId> {
    let Command::Authorize {
        call, key, method, ..
    } = command
    else {
        return None;
    };
    let body = authorize_body::authorize(props, &method, None)?;
    let request = api_client::authorize(&props.addresses(), &key, body);
    drop(request.prepared(&AbortController::new().ok()?));
    Some(call)
}

/// The same after the answer.
fn answered(mut flow: Flow, call: CallId) -> Option<Flow> {
    let body = json::read(JSON::parse(ANSWER).ok()?)?;
    let answer = Ok(Answer {
        body: Box::new(body),
        date: None,
        held: false,
        tag: None,
        age: None,
    });
    drop(flow.handle(input(Event::AuthorizeAnswered { call, answer })));
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
