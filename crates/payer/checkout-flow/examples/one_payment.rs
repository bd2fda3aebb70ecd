//! Drives the payer's flow through one payment by QR, without a browser and without a server, and
//! prints each event, each command and each screen:
//!
//! ```sh
//! cargo run -p checkout-flow --example one_payment
//! ```

#![allow(clippy::print_stdout, reason = "it is there to print")]

use checkout_flow::{
    Answer, CallId, Command, Event, Flow, Input, Moment, MonotonicTime, Screen, Settings, Snapshot,
};
use payment_model::{Outcome, PaymentMethodName, Timestamp};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;

/// The time that every request takes.
const LATENCY: Duration = Duration::from_millis(100);

fn main() -> Result<(), serde_json::Error> {
    let mut flow = Flow::new(Settings {
        methods: vec![PaymentMethodName::Qr],
        ..Settings::default()
    });
    // The browser's duties: a clock, random bits, storage, a timer and requests. The flow has none
    // of them, so that every run is the same.
    let start = Timestamp::from_secs(1_790_000_000);
    let mut now = Duration::ZERO;
    let mut entropy = 0;
    let mut queries = 0;
    let mut stored: Option<Snapshot> = None;
    let mut events = VecDeque::from([
        (now, Event::Started(Box::default())),
        (now, Event::MethodChosen(PaymentMethodName::Qr)),
    ]);
    let mut paid = false;
    // The flow sleeps for ever once nothing is left to do; the payment has ended long before.
    while let Some((at, event)) = events.pop_front().filter(|_| !paid) {
        now = at.max(now);
        entropy += 1;
        let moment = Moment {
            wall: start.saturating_add(now),
            monotonic: MonotonicTime::after_start(now),
        };
        println!("{:>5} ms  event    {}", now.as_millis(), name(&event));
        let commands = flow.handle(Input {
            at: moment,
            entropy,
            event,
        });
        for command in commands {
            println!("          command  {}", name(&command));
            match command {
                Command::Authorize { call, .. } => {
                    events.push_back((now + LATENCY, authorized(call)?));
                }
                Command::QueryStatus { call, .. } => {
                    queries += 1;
                    // The payer pays before the third look.
                    let state = if queries < 3 {
                        "PENDIENTE"
                    } else {
                        "AUTORIZADO"
                    };
                    events.push_back((now + LATENCY, status(call, state)?));
                }
                Command::Wake { after } => {
                    // A new wake-up replaces the one before.
                    events.retain(|(_, event)| !matches!(event, Event::Woke));
                    events.push_back((now.saturating_add(after), Event::Woke));
                }
                Command::Save(snapshot) => stored = Some(snapshot),
                Command::Forget => stored = None,
                _ => {}
            }
        }
        events.make_contiguous().sort_by_key(|(at, _)| *at);
        let screen = flow.view().screen;
        println!("          screen   {}", name(&screen));
        paid = matches!(screen, Screen::Ended(end) if end.outcome == Outcome::Paid);
    }
    println!("paid: {paid}; a reload would find it: {}", stored.is_some());
    Ok(())
}

/// The answer of a merchant's server to the authorization.
fn authorized(call: CallId) -> Result<Event, serde_json::Error> {
    let body = json!({
        "success": "true", "action": "authorize", "merchant_code": "shop",
        "merchant_operation_number": "250207000001", "transaction": transaction("PENDIENTE"),
    });
    let answer = Ok(answer(serde_json::from_value(body)?));
    Ok(Event::AuthorizeAnswered { call, answer })
}

/// Its answer to a question about the state. Only this answer makes the flow say *paid*.
fn status(call: CallId, state: &str) -> Result<Event, serde_json::Error> {
    let body = json!({
        "success": true, "merchant_code": "shop",
        "operation": {
            "merchant_operation_number": "250207000001", "state": state, "amount": "387000",
            "currency": "604", "transactions": [transaction(state)],
        },
    });
    let answer = Ok(answer(serde_json::from_value(body)?));
    Ok(Event::StatusAnswered { call, answer })
}

fn answer<T>(body: T) -> Answer<T> {
    Answer {
        body: Box::new(body),
        date: None,
        id: None,
        held: false,
        tag: None,
        age: None,
        order_open: false,
        cancelled_by: None,
    }
}

fn transaction(state: &str) -> Value {
    let picture = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAB0AAAAdAQAAAAB+6FqiAAAACUlEQVQAAAAAAAAAAAChMLFTAAAAAElFTkSuQmCC";
    json!({
        "transaction_id": "7af1c6a2", "channel": "ecommerce", "state": state, "state_reason": "",
        "amount": "387000", "currency": "604", "payment_method": {"method_name": "QR"},
        "processor_response": {"qr_image": picture}, "lifecycle": [],
    })
}

/// The first word of a value's description.
fn name(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default()
        .to_owned()
}
