use super::calls::Calls;
use super::{Around, CheckoutProps, body, state, views};
use crate::browser::http::Call;
use crate::browser::storage::{Kept, Place};
use crate::browser::visibility::Attention;
use crate::browser::{clock, navigation};
use crate::i18n::Catalog;
use checkout_flow::{Command, ErrorCode, Event, Flow, Input, Notice, Screen, Start};
use gloo_timers::callback::{Interval, Timeout};
use yew::{Component, Context, Html};

/// The checkout: takes what happens to the flow, carries out what it commands, and draws
/// what it shows.
pub struct Checkout {
    flow: Flow,
    catalog: Catalog,
    place: Place,
    kept: Kept,
    calls: Calls,
    wake: Option<Timeout>,
    tick: Option<Interval>,
    state: &'static str,
    attention: Attention,
}

/// What the component hears.
#[derive(Debug)]
pub enum Message {
    /// Something happened to the payment.
    Event(Event),
    /// A second of the countdown passed.
    Tick,
}

impl Component for Checkout {
    type Message = Message;
    type Properties = CheckoutProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let mut checkout = Self {
            flow: Flow::new(props.settings()),
            catalog: catalog(props),
            place: Place::of(&props.identity()),
            kept: Kept::default(),
            calls: Calls::default(),
            wake: None,
            tick: None,
            state: "",
            attention: Attention::watch(&ctx.link().callback(Message::Event)),
        };
        checkout.start(ctx);
        checkout
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        if let Message::Event(event) = message {
            self.handle(ctx, event);
        }
        true
    }

    fn changed(&mut self, ctx: &Context<Self>, before: &CheckoutProps) -> bool {
        let props = ctx.props();
        if (props.locale, &props.messages) != (before.locale, &before.messages) {
            self.catalog = catalog(props);
        }
        if props.is_another_checkout(before) {
            // Nothing of the other one is cancelled or forgotten: it can be resumed.
            self.calls = Calls::default();
            self.wake = None;
            self.flow = Flow::new(props.settings());
            self.place = Place::of(&props.identity());
            self.start(ctx);
            // The new flow has yet to hear that nobody looks, or that there is no connection.
            self.attention = Attention::watch(&ctx.link().callback(Message::Event));
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let around = Around {
            catalog: &self.catalog,
            merchant_name: props.merchant_name.as_ref(),
            payee_name: props.payee_name.as_ref(),
            remaining: self.flow.remaining(clock::now()),
        };
        views::checkout(
            &self.flow.view(),
            &around,
            &ctx.link().callback(Message::Event),
        )
    }

    fn rendered(&mut self, ctx: &Context<Self>, _first: bool) {
        let view = self.flow.view();
        let counts = view.deadline.is_some()
            && matches!(
                view.screen,
                Screen::Qr(_) | Screen::Continue { .. } | Screen::Waiting(_)
            );
        if counts != self.tick.is_some() {
            let link = ctx.link().clone();
            self.tick =
                counts.then(|| Interval::new(1_000, move || link.send_message(Message::Tick)));
        }
        let state = state::name(&view.screen);
        if state != self.state {
            self.state = state;
            ctx.props().on_state.emit(state);
        }
    }
}

impl Checkout {
    fn start(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        self.kept = self.place.load();
        if let Some(token) = navigation::take_token() {
            self.kept.token = Some(token);
        }
        let snapshot = self.kept.flow.clone();
        let remembered = snapshot
            .as_ref()
            .and_then(|snapshot| snapshot.operation.as_ref());
        let returned = self
            .kept
            .token
            .as_deref()
            .and_then(navigation::operation_of);
        // A token leads where this tab has been, or where it knows nothing: whoever makes a
        // payer open a link with another token must not replace their payment.
        let returned = returned
            .filter(|operation| remembered.is_none_or(|known| known.is_same_operation(operation)));
        if returned.is_none() {
            self.kept.token = None;
        }
        let start = Start {
            snapshot,
            resume: props.resume.clone(),
            returned,
        };
        self.handle(ctx, Event::Started(Box::new(start)));
        if props.base_url.is_empty() || props.request.to_json().is_err() {
            props
                .on_notice
                .emit(Notice::Error(ErrorCode::Configuration));
        }
    }

    fn handle(&mut self, ctx: &Context<Self>, event: Event) {
        if let Event::AuthorizeAnswered { call, .. }
        | Event::StatusAnswered { call, .. }
        | Event::CancelAnswered { call, .. } = &event
        {
            self.calls.end(*call);
        }
        for command in self.flow.handle(Input {
            at: clock::now(),
            entropy: clock::entropy(),
            event,
        }) {
            self.carry_out(ctx, command);
        }
    }

    fn carry_out(&mut self, ctx: &Context<Self>, command: Command) {
        let props = ctx.props();
        let addresses = props.addresses();
        let report = ctx.link().callback(Message::Event);
        match command {
            Command::Authorize {
                call,
                key,
                method,
                timeout,
            } => {
                let request = Call::authorize(&addresses, &key, body::authorize(props, &method));
                let answered = |call, answer| Event::AuthorizeAnswered { call, answer };
                self.calls.start(call, request, timeout, answered, &report);
            }
            Command::QueryStatus {
                call,
                operation,
                wait,
                timeout,
            } => {
                let request =
                    Call::status(&addresses, &operation, wait, self.kept.token.as_deref());
                let answered = |call, answer| Event::StatusAnswered { call, answer };
                self.calls.start(call, request, timeout, answered, &report);
            }
            Command::Cancel {
                call,
                operation,
                timeout,
            } => {
                let answered = |call, answer| Event::CancelAnswered { call, answer };
                self.calls.start(
                    call,
                    Call::cancel(&addresses, &operation),
                    timeout,
                    answered,
                    &report,
                );
            }
            Command::Abort { call } => self.calls.end(call),
            Command::Leave { url, .. } => {
                if props.on_redirect.emit(url.clone()) {
                    navigation::leave(&url);
                }
            }
            Command::Save(snapshot) => {
                self.kept.flow = Some(snapshot);
                self.place.save(&self.kept);
            }
            Command::Forget => {
                self.kept = Kept::default();
                self.place.forget();
            }
            Command::Tell(notice) => props.on_notice.emit(notice),
            Command::Wake { after } => {
                let millis = u32::try_from(after).unwrap_or(0);
                self.wake = Some(Timeout::new(millis, move || report.emit(Event::Woke)));
            }
        }
    }
}

/// The texts; tells the developer of the page about overrides of texts that do not exist.
fn catalog(props: &CheckoutProps) -> Catalog {
    for key in props.messages.unknown_keys() {
        let text = ["payment-checkout: messages has no text named ", key].concat();
        web_sys::console::warn_1(&text.into());
    }
    Catalog::new(props.locale, props.messages.clone())
}
