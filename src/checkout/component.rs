use super::CheckoutProps;
use super::message::Message;
use super::notice::Notice;
use super::running_calls::Calls;
use super::views::{self, Announcer, PartEvent, ScreenInputs};
use super::warm_up::warm_up;
#[cfg(feature = "languages")]
use crate::browser::console;
use crate::browser::return_token::ReturnToken;
use crate::browser::storage::{Stored, TabStorage};
use crate::browser::visibility::Attention;
use crate::browser::{Exchange, clock};
use crate::texts::{Text, Texts};
use browser_kit::clock::entropy;
use checkout_flow::{Action, Event, Flow, Input, Start, State};
use gloo_timers::callback::Timeout;
use yew::{Component, Context, Html};

/// The checkout: passes events to the flow, carries out its commands, and draws its view.
pub struct Checkout {
    pub(super) flow: Flow,
    announcer: Announcer,
    texts: Texts,
    pub(super) storage: TabStorage,
    pub(super) stored: Stored,
    pub(super) calls: Calls,
    /// The last request about the payment and its answer, for the report of an error that it caused.
    pub(super) last_exchange: Option<Box<Exchange>>,
    pub(super) wake: Option<Timeout>,
    /// The page's answer before an attempt, which waits until the page is drawn.
    prepared: Option<(Event, u8)>,
    state: Option<State>,
    attention: Attention,
    _warm_up: [Timeout; 3],
}

impl Component for Checkout {
    type Message = Message;
    type Properties = CheckoutProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let texts = texts(props);
        let mut checkout = Self {
            flow: Flow::new(props.settings()),
            announcer: Announcer::new(ctx.link().callback(Message::Timer)),
            _warm_up: warm_up(&texts),
            texts,
            storage: TabStorage::of(&props.identity()),
            stored: Stored::default(),
            calls: Calls::default(),
            last_exchange: None,
            wake: None,
            prepared: None,
            state: None,
            attention: Attention::watch(&ctx.link().callback(Message::Event)),
        };
        props.handle.attach(ctx.link().clone());
        checkout.start(ctx);
        checkout
    }

    fn destroy(&mut self, ctx: &Context<Self>) {
        ctx.props().handle.detach();
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        match message {
            Message::Event(Event::CheckPressed) => self.check(ctx),
            Message::Event(event) => {
                let chosen = matches!(event, Event::MethodChosen(_) | Event::PageAnswered { .. });
                self.handle(ctx, event);
                if chosen {
                    // The drawing is a task of its own, so that the browser can send the request before it.
                    ctx.link().send_message(Message::Redraw);
                    return false;
                }
            }
            Message::Answered(exchange, event) => {
                ctx.props().on_exchange.emit((*exchange).clone());
                // No error of the payment comes of the question about a live operation.
                if !matches!(event, Event::LiveAnswered { .. }) {
                    self.last_exchange = Some(exchange);
                }
                self.handle(ctx, event);
            }
            Message::Focus => self.announcer.focus_heading(),
            Message::Prepared { answer, drawings } => self.prepared = Some((answer, drawings)),
            Message::Redraw => {}
            Message::Timer(timer) => self.announcer.timer_fired(timer),
            Message::Part(event) => self.part(ctx, event),
        }
        self.announcer.before_drawing();
        true
    }

    fn changed(&mut self, ctx: &Context<Self>, before: &CheckoutProps) -> bool {
        let props = ctx.props();
        if props.handle != before.handle {
            before.handle.detach();
            props.handle.attach(ctx.link().clone());
        }
        if (props.locale(), &props.messages, &props.page_language)
            != (before.locale(), &before.messages, &before.page_language)
        {
            self.texts = texts(props);
        }
        if props.request != before.request {
            // Also of the same order, whose amount may be another one.
            self.flow.forget_offer();
        }
        if props.stays && !before.stays {
            self.announce(Some(Text::PaidStays));
        }
        if props.is_another_checkout(before) && self.flow.takes_order_of_page() {
            // The page makes the order of this attempt, or of the next one, only now.
            self.storage = TabStorage::of(&props.identity());
            self.flow.set_settings(props.settings());
        } else if props.is_another_checkout(before) {
            // Nothing of the other one is cancelled or forgotten: it can be resumed.
            self.calls = Calls::default();
            self.wake = None;
            self.flow = Flow::new(props.settings());
            self.storage = TabStorage::of(&props.identity());
            self.start(ctx);
            // The new flow does not know yet if the page is hidden or the browser is offline.
            self.attention = Attention::watch(&ctx.link().callback(Message::Event));
        } else {
            self.flow.set_settings(props.settings());
        }
        self.announcer.before_drawing();
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let send = ctx.link().callback(Message::Event);
        let nodes = self.announcer.nodes();
        views::checkout(&self.flow.view(), &self.inputs(ctx), &send, nodes)
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        self.show_state(ctx);
        let announced = views::announced(&self.flow.view(), &self.inputs(ctx));
        if self.announcer.rendered(announced, first) {
            ctx.link().send_message(Message::Redraw);
        }
        // Yew calls this when nothing is left to draw, so what the page set before has arrived.
        if let Some((answer, drawings)) = self.prepared.take() {
            ctx.link().send_message(match drawings.checked_sub(1) {
                Some(drawings) => Message::Prepared { answer, drawings },
                None => Message::Event(answer),
            });
        }
    }
}

impl Checkout {
    /// What the screens are drawn from now, besides the flow's view.
    pub(super) fn inputs<'a>(&'a self, ctx: &'a Context<Self>) -> ScreenInputs<'a> {
        let at = clock::now();
        ScreenInputs {
            texts: &self.texts,
            props: ctx.props(),
            remaining: self.flow.remaining(at),
            check_opens_after: self.flow.check_opens_after(at),
            at: Some(at),
            slow: false,
            saved: false,
            on_part: ctx.link().callback(Message::Part),
        }
    }

    fn start(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        self.stored = self.storage.load();
        let snapshot = self.stored.flow.clone();
        let token = self.return_token(props);
        let returned = token.as_ref().map(|token| token.operation.clone());
        self.stored.token = token.map(|token| token.text);
        let start = Start {
            snapshot,
            resume: props.resume.clone(),
            returned,
            misconfigured: props.mistake().is_some(),
            asks_live: props.live_url.is_some() && !props.request.is_empty(),
        };
        self.handle(ctx, Event::Started(Box::new(start)));
    }

    /// The return token that this checkout may use, from the address bar or from an earlier
    /// page of this tab.
    ///
    /// An attacker can make a payer open a link with the attacker's own token, which must not replace the payer's
    /// operation. So a token counts only for the operation that this tab knows, or else for the order that the
    /// page asks for.
    fn return_token(&self, props: &CheckoutProps) -> Option<ReturnToken> {
        let snapshot = self.stored.flow.as_ref();
        let known = snapshot.and_then(|snapshot| snapshot.operation.as_ref());
        let belongs = |token: &ReturnToken| match known.or(props.resume.as_ref()) {
            Some(known) => known.is_same_operation(&token.operation),
            None => {
                let store = token.operation.merchant_code.as_str();
                props.request.mentions(&token.order, store)
            }
        };
        if let Some(token) = ReturnToken::in_address().filter(belongs) {
            ReturnToken::leave_address();
            return Some(token);
        }
        ReturnToken::parse(self.stored.token.as_deref()?).filter(belongs)
    }

    fn handle(&mut self, ctx: &Context<Self>, event: Event) {
        if let Event::AuthorizeAnswered { call, .. }
        | Event::StatusAnswered { call, .. }
        | Event::LiveAnswered { call, .. }
        | Event::CancelAnswered { call, .. } = &event
        {
            self.calls.answered(*call);
        }
        #[cfg(feature = "languages")]
        if let Event::StartRequested(method) = &event
            && !ctx.props().methods.contains(method)
        {
            let start = [
                "start: ",
                method.as_str(),
                " is not among the methods on offer",
            ];
            console::warn(&start.concat());
        }
        let commands = self.flow.handle(Input {
            at: clock::now(),
            entropy: entropy(),
            event,
        });
        // `state` changes before the events are sent, so that a listener reads the new state.
        self.show_state(ctx);
        let mut next = None;
        for command in commands {
            next = self.carry_out(ctx, command).or(next);
        }
        if let Some(event) = next {
            self.handle(ctx, event);
        }
    }

    /// The payer pressed "check now".
    fn check(&mut self, ctx: &Context<Self>) {
        let too_soon = !self.flow.check_opens_after(clock::now()).is_zero();
        self.handle(ctx, Event::CheckPressed);
        self.announce(views::check_answer(&self.flow.view(), too_soon));
    }

    fn part(&mut self, ctx: &Context<Self>, event: PartEvent) {
        if matches!(event, PartEvent::CodeSaved) {
            let action = Action::CodeSaved;
            let method = self.flow.view().method.cloned();
            let notice = Notice::Action { action, method };
            ctx.props().on_notice.emit(notice);
        }
        self.announce(views::announcement(event));
    }

    fn announce(&mut self, text: Option<Text>) {
        if let Some(text) = text {
            self.announcer.announce(&self.texts.text(text));
        }
    }

    fn show_state(&mut self, ctx: &Context<Self>) {
        let state = State::from(&self.flow.view().screen);
        if self.state.replace(state) != Some(state) {
            ctx.props().on_state.emit(state);
        }
    }
}

/// The texts with the page's overrides. Mistakes in the overrides are logged for the page's developer and do not
/// affect the payment.
fn texts(props: &CheckoutProps) -> Texts {
    #[cfg(feature = "languages")]
    for mistake in props.messages.mistakes() {
        console::warn(&format!("messages: {mistake}"));
    }
    Texts::new(props.locale(), props.messages.clone()).on_page(props.page_language.as_ref())
}
