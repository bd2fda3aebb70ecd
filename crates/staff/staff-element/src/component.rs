use super::api_client;
use super::shortcuts;
use super::staff_state::{
    Answer, Effect, Event, Failure, FailureKind, Focus, Input, Page, Place, Reference, StaffState,
};
use super::texts::Texts;
use super::views::{self, ViewContext, field_id, row_id};
use browser_kit::listener::Listener;
use browser_kit::running_requests::RunningRequests;
use browser_kit::texts::Locale;
use browser_kit::{clock, timer};
use gloo_timers::callback::Timeout;
use staff_model::Permission;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Document, EventTarget, HtmlElement};
use yew::{AttrValue, Callback, Component, Context, Html, NodeRef, Properties, html};

/// The settings that a page gives to the staff's element.
#[derive(Debug, Clone, PartialEq, Properties)]
pub struct StaffElementProps {
    /// The address of the merchant's server. The paths of the contract are appended to it.
    pub base_url: AttrValue,
    /// The language.
    #[prop_or_default]
    pub locale: Locale,
    /// The actions that the page offers to staff besides looking. The server enforces the
    /// permissions of an account. This setting can only reduce them.
    #[prop_or_else(|| Permission::ALL.to_vec())]
    pub permissions: Vec<Permission>,
    /// The operation to show, as `100000001/482193017756`.
    #[prop_or_default]
    pub operation: Option<AttrValue>,
    /// Receives the merchant's code and the number of an operation that is shown, or nothing when
    /// none is any more.
    #[prop_or_default]
    pub on_opened: Callback<Option<(String, String)>>,
    /// Receives `true` when a session begins and `false` when it ends, without a name.
    #[prop_or_default]
    pub on_session: Callback<bool>,
    /// Receives how many things the title of the page should tell, and whether the sound is to be played.
    #[prop_or_default]
    pub on_notice: Callback<(u32, bool)>,
}

/// The staff's element: takes what happens to staff, carries out what follows, and draws it.
pub struct StaffElement {
    state: StaffState,
    texts: Rc<Texts>,
    root: NodeRef,
    running: RunningRequests<u32>,
    wake: Option<Timeout>,
    /// The number in the title of the page.
    marked: u32,
    _visibility: Option<Listener>,
    _connection: Option<Listener>,
}

/// Something happened.
#[derive(Debug)]
pub struct Message(Happened);

#[derive(Debug)]
enum Happened {
    Event(Event),
    Answered(u32, Result<Answer, Failure>),
}

fn event(event: Event) -> Message {
    Message(Happened::Event(event))
}

impl Component for StaffElement {
    type Message = Message;
    type Properties = StaffElementProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let mut element = Self {
            state: StaffState::new(props.permissions.clone(), api_client::offset),
            texts: Rc::new(Texts::new(props.locale, "UTC")),
            root: NodeRef::default(),
            running: RunningRequests::default(),
            wake: None,
            marked: 0,
            _visibility: listen(ctx, document().map(Into::into), "visibilitychange"),
            _connection: listen(ctx, web_sys::window().map(Into::into), "online"),
        };
        element.begin(ctx);
        element.show(ctx);
        element
    }

    fn update(&mut self, ctx: &Context<Self>, Message(happened): Message) -> bool {
        self.take(ctx, happened);
        true
    }

    fn changed(&mut self, ctx: &Context<Self>, before: &StaffElementProps) -> bool {
        let props = ctx.props();
        if props.base_url != before.base_url {
            // Another server: nothing of the one before is shown or sent there.
            self.running.end_all();
            self.state = StaffState::new(props.permissions.clone(), api_client::offset);
            self.begin(ctx);
        }
        if props.operation != before.operation || props.base_url != before.base_url {
            self.show(ctx);
        }
        self.state.offer(props.permissions.clone());
        self.choose_texts(ctx);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let context = ViewContext {
            state: &self.state,
            texts: &self.texts,
            send: &ctx.link().callback(event),
            at: clock::wall(),
            base: &ctx.props().base_url,
        };
        let root = self.root.clone();
        let pressed = Callback::from(move |event| shortcuts::pressed(&root, &event));
        html! { <div ref={&self.root} onkeydown={pressed}>{ views::operations(&context) }</div> }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        let Some(focus) = self.state.focus.take() else {
            return;
        };
        let id = match focus {
            // The list keeps its heading while another page is in front of it.
            Focus::Heading => {
                let found = self.find(".page:not([hidden]) h2, .door h2");
                return give_focus(found);
            }
            Focus::Field(field) => field_id(field),
            Focus::Row(reference) => row_id(&reference),
            Focus::Chunk(at) => {
                return give_focus(self.find(&["#chunk-", &at.to_string(), " .link"].concat()));
            }
        };
        // Numbers begin with digits and hold anything: no selector by id, but by its text.
        let text = id.replace('\\', "\\\\").replace('"', "\\\"");
        let found = self.find(&["[id=\"", &text, "\"]"].concat());
        give_focus(found.or_else(|| self.find(".page:not([hidden]) h2")));
    }
}

impl StaffElement {
    fn handle(&mut self, ctx: &Context<Self>, event: Event) {
        self.take(ctx, Happened::Event(event));
    }

    fn begin(&mut self, ctx: &Context<Self>) {
        if is_hidden() {
            self.handle(ctx, Event::Hidden);
        }
        self.handle(ctx, Event::Started);
    }

    /// Where the reader of the list is. While another page is in front of it, where it was left.
    fn place(&self) -> Place {
        if self.state.page != Page::Search {
            return self.state.search.place;
        }
        let table = self.find(".table");
        let table = table.as_deref();
        Place {
            is_top: table.is_none_or(|table| table.get_bounding_client_rect().top() >= 0.0),
            has_focus: table
                .is_some_and(|table| table.matches(":focus-within").unwrap_or_default()),
        }
    }

    fn take(&mut self, ctx: &Context<Self>, happened: Happened) {
        let was_signed_in = self.state.is_signed_in();
        let shown = self.state.shown().cloned();
        // To measure it costs a layout, and typing moves nobody.
        if !matches!(happened, Happened::Event(Event::Typed(..))) {
            self.state.search.place = self.place();
        }
        let at = clock::wall();
        let effects = match happened {
            Happened::Event(event) => self.state.handle(Input {
                at,
                entropy: clock::entropy(),
                event,
            }),
            Happened::Answered(call, answer) => {
                self.running.end(&call);
                self.state.take_answer(at, call, answer)
            }
        };
        if self.state.is_signed_in() != was_signed_in {
            ctx.props().on_session.emit(!was_signed_in);
        }
        let now = self.state.shown();
        if now != shown.as_ref() {
            let now = now.map(|of| (of.merchant_code.clone(), of.number.clone()));
            ctx.props().on_opened.emit(now);
        }
        let notice = (
            self.state.news.marked,
            std::mem::take(&mut self.state.news.rings),
        );
        if notice != (self.marked, false) {
            self.marked = notice.0;
            ctx.props().on_notice.emit(notice);
        }
        self.choose_texts(ctx);
        for effect in effects {
            self.carry_out(ctx, effect);
        }
    }

    /// Shows the operation that the page asks for.
    fn show(&mut self, ctx: &Context<Self>) {
        let wanted = ctx.props().operation.as_deref().and_then(Reference::read);
        self.handle(ctx, Event::Shown(wanted));
    }

    /// The texts of the language and of the merchant's time zone.
    fn choose_texts(&mut self, ctx: &Context<Self>) {
        let (locale, zone) = (ctx.props().locale, self.state.zone());
        if !self.texts.are_for(locale, zone) {
            self.texts = Rc::new(Texts::new(locale, zone));
        }
    }

    fn carry_out(&mut self, ctx: &Context<Self>, effect: Effect) {
        let link = ctx.link().clone();
        match effect {
            Effect::Send(call, request, unattended) => {
                let answered = move |answer| Message(Happened::Answered(call, answer));
                let late = link.clone();
                let late = move || {
                    let failure = Failure::from(FailureKind::Timeout);
                    late.send_message(answered(Err(failure)));
                };
                let Some(abort) = self.running.start(call, request.timeout(), late) else {
                    let failure = Failure::from(FailureKind::Network);
                    link.send_message(answered(Err(failure)));
                    return;
                };
                let base = ctx.props().base_url.clone();
                spawn_local(async move {
                    let answer = api_client::ask(&base, &request, unattended, abort.clone()).await;
                    // The state does not wait for a request that it gave up.
                    if !abort.signal().aborted() {
                        link.send_message(answered(answer));
                    }
                });
            }
            Effect::Abort(call) => self.running.end(&call),
            Effect::Wake(after) => {
                self.wake = after.map(|after| {
                    timer::after(after, move || link.send_message(event(Event::Woke)))
                });
            }
        }
    }

    fn find(&self, selector: &str) -> Option<HtmlElement> {
        let root = self.root.cast::<HtmlElement>()?;
        root.query_selector(selector).ok()??.dyn_into().ok()
    }
}

fn give_focus(element: Option<HtmlElement>) {
    if let Some(element) = element {
        // An element that cannot take the focus is no reason to stop.
        let _ = element.focus();
    }
}

/// Listens for an event after which the desk may have to ask again.
fn listen(
    ctx: &Context<StaffElement>,
    target: Option<EventTarget>,
    name: &'static str,
) -> Option<Listener> {
    let link = ctx.link().clone();
    let change = move || {
        let change = if is_hidden() {
            Event::Hidden
        } else {
            Event::Appeared
        };
        link.send_message(event(change));
    };
    Some(Listener::new(target?, name, change))
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

fn is_hidden() -> bool {
    document().is_some_and(|document| document.hidden())
}
