use super::page::aloud;
use super::question::{self, Watch};
use crate::texts::{Mark, Words};
use browser_kit::timer;
use checkout_flow::{Checked, Intent};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use std::time::Duration;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot};
use yew::{Component, Context, Html, NodeRef, Properties, html};

/// How long a text stands for a screen reader, which speaks it when it comes. After that nobody
/// may find it: it was true then.
const SAID: Duration = Duration::from_secs(5);
/// Screen readers do not speak what a region has from the beginning.
const NOTICED: Duration = Duration::from_millis(500);

const HEADING: &str = "#heading";
/// The sentences that belong to a heading to which the focus moves, as far as the screen has them.
/// As its name: descriptions are not read by every screen reader.
const READ_OUT: &str = "heading note lead until";

/// The frame of every screen. It sees that a screen reader hears each change once: by the focus, if
/// that was inside and moves to the new heading, or else by a region that speaks.
pub(super) struct Frame {
    frame: NodeRef,
    /// The text that a screen reader gets, and if it is an error.
    said: (Html, bool),
    /// How much was said; the same text is said again.
    times: u32,
    timer: Option<Timeout>,
    /// The state that the payer heard of. While the question is open nothing else is heard.
    heard: Rc<Facts>,
    /// True if the focus was inside before the drawing.
    inside: bool,
    /// The element to which the focus has to move after the drawing.
    goal: Option<&'static str>,
    /// While the question is asked.
    watch: Option<Watch>,
}

/// The messages of the frame, from its timers.
#[derive(Debug)]
pub(super) enum Message {
    /// The first screen can be said.
    Noticed,
    /// The text was said.
    Said,
}

/// The facts whose changes a screen reader is told.
pub(super) struct Facts {
    /// The screen's name; another one is another screen.
    pub(super) name: &'static str,
    /// The sentences that a screen reader says when the screen appears.
    pub(super) said: Vec<Words>,
    /// How little time is left, and how that is said.
    pub(super) mark: Mark,
    pub(super) mark_said: Words,
    /// The text about a trouble with the connection.
    pub(super) notice: Option<Words>,
    /// The answer to the payer's own question, and how that is said.
    pub(super) checked: Option<Checked>,
    pub(super) checked_said: Option<Words>,
    /// How often the payer asked, and the answer if no request was sent.
    pub(super) presses: u32,
    pub(super) too_soon: Option<Words>,
    /// Tells where a saved code is, once the payer saved it.
    pub(super) saved: Option<Words>,
    /// That it takes long, once it does.
    pub(super) slow: Option<Words>,
}

#[derive(Properties)]
pub(super) struct FrameProps {
    /// The language of every word on it.
    pub(super) lang: &'static str,
    /// False on show, where nothing happens.
    pub(super) live: bool,
    /// The wish that the payer is asked to confirm.
    pub(super) asking: Option<Intent>,
    /// True when the screen is an error.
    pub(super) alarm: bool,
    /// The text for the end of a trouble with the connection.
    pub(super) back: Words,
    pub(super) facts: Rc<Facts>,
    pub(super) children: Html,
}

impl PartialEq for FrameProps {
    /// Drawn anew whenever the checkout is: what stands on it hardly ever stays the same.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl Component for Frame {
    type Message = Message;
    type Properties = FrameProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let said = if props.live {
            Html::default()
        } else {
            aloud(&props.facts.said)
        };
        Self {
            frame: NodeRef::default(),
            said: (said, props.alarm),
            times: 0,
            timer: None,
            heard: props.facts.clone(),
            inside: false,
            goal: None,
            watch: None,
        }
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        match message {
            Message::Noticed => self.say_screen(ctx, false),
            Message::Said => self.said = (Html::default(), false),
        }
        true
    }

    /// The old screen still stands when this is called: the last chance to see where the focus is.
    fn changed(&mut self, ctx: &Context<Self>, old: &FrameProps) -> bool {
        let new = ctx.props();
        let another = new.facts.name != self.heard.name;
        // On another screen the focus moves on from the question, without a way back first.
        if let Some(intent) = old.asking.filter(|_| new.asking.is_none() && !another) {
            self.find("dialog").inspect(question::close);
            // A closed dialog that had no place to give the focus to keeps it until it is gone.
            if nothing_has_focus() || self.find("dialog :focus").is_some() {
                self.goal = Some(asked_by(intent));
            }
        }
        // The clock may tick before this is drawn, and must not make it forgotten.
        self.inside |= self.find(":focus").is_some();
        if new.asking.is_some() {
            return true;
        }
        if another && self.has_focus_within() {
            self.goal = Some(HEADING);
        }
        if another && self.goal.is_some() {
            // Read out by the focus.
            self.said.0 = Html::default();
        } else if another {
            let same = new.facts.said.first() == self.heard.said.first();
            self.say_screen(ctx, same);
        } else if let Some(news) = self.news(new) {
            self.say(ctx, news.aloud(""), false);
        }
        self.heard = new.facts.clone();
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let (said, alarm) = &self.said;
        // Another node each time, so that the same text is spoken again.
        let said = html! { <span key={self.times}>{ said.clone() }</span> };
        html! {
            <section
                class="checkout"
                part="checkout"
                lang={props.lang}
                aria-labelledby="heading"
                ref={&self.frame}
            >
                { props.children.clone() }
                <p class="unseen" role="status">if !alarm { { said.clone() } }</p>
                if *alarm {
                    <p class="unseen" role="alert">{ said }</p>
                }
            </section>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let props = ctx.props();
        if !props.live {
            return;
        }
        if props.asking.is_none() {
            self.watch = None;
        } else if let Some(frame) = self.find(":scope") {
            question::show(&frame);
            self.watch = self.watch.take().or_else(|| Watch::over(frame));
        }
        if first {
            self.greet(ctx);
        }
        let lost = std::mem::take(&mut self.inside) && nothing_has_focus();
        let goal = self.goal.take().or(lost.then_some(HEADING));
        if let Some(goal) = goal.filter(|_| props.asking.is_none()) {
            self.focus(goal);
        }
        // The long name is for the moment of the move.
        if let Some(heading) = self.find("#heading[aria-labelledby]:not(:focus)") {
            let _ = heading.remove_attribute("aria-labelledby");
        }
    }
}

impl Frame {
    /// The first screen. A page that was left and is there again has something to say; the choice has
    /// not.
    fn greet(&mut self, ctx: &Context<Self>) {
        let stage = self.find(":scope").and_then(|frame| frame.parent_element());
        // The page put the focus there after a load that the payer tried again.
        if stage.is_some_and(|stage| stage.matches(":focus").unwrap_or_default()) {
            self.goal = Some(HEADING);
        } else if ctx.props().facts.name != "choosing" {
            self.after(ctx, NOTICED, || Message::Noticed);
        }
    }

    /// The news of a screen that stays, in a sentence.
    fn news<'a>(&self, props: &'a FrameProps) -> Option<&'a Words> {
        let (old, new) = (&self.heard, &props.facts);
        if new.notice != old.notice {
            return new.notice.as_ref().or(Some(&props.back));
        }
        if new.presses != old.presses {
            let known = new.notice.as_ref().or(new.too_soon.as_ref());
            if known.is_some() {
                return known;
            }
        }
        if new.checked != old.checked && new.checked_said.is_some() {
            return new.checked_said.as_ref();
        }
        if old.saved.is_none() && new.saved.is_some() {
            return new.saved.as_ref();
        }
        if old.slow.is_none() && new.slow.is_some() {
            return new.slow.as_ref();
        }
        (new.mark > old.mark).then_some(&new.mark_said)
    }

    /// Says the screen; without its heading if that was heard before.
    fn say_screen(&mut self, ctx: &Context<Self>, known: bool) {
        let props = ctx.props();
        let said = &props.facts.said;
        let said = said.get(usize::from(known)..).unwrap_or_default();
        self.say(ctx, aloud(said), props.alarm);
    }

    fn say(&mut self, ctx: &Context<Self>, said: Html, alarm: bool) {
        self.said = (said, alarm);
        self.times += 1;
        self.after(ctx, SAID, || Message::Said);
    }

    fn after(&mut self, ctx: &Context<Self>, time: Duration, message: fn() -> Message) {
        let link = ctx.link().clone();
        self.timer = Some(timer::after(time, move || link.send_message(message())));
    }

    /// True if the focus is inside, or on the page's own content in a slot.
    fn has_focus_within(&self) -> bool {
        let root = self.find(":scope").map(|frame| frame.get_root_node());
        let host = root.and_then(|root| Some(root.dyn_into::<ShadowRoot>().ok()?.host()));
        self.inside || host.is_some_and(|host| host.matches(":focus-within").unwrap_or_default())
    }

    /// Moves the focus there, or to the heading of a screen that has no such element.
    fn focus(&self, goal: &'static str) {
        let Some(element) = self.find(goal).or_else(|| self.find(HEADING)) else {
            return;
        };
        if element.id() == "heading" {
            let _ = element.set_attribute("aria-labelledby", READ_OUT);
        }
        // An element that cannot take the focus is no reason to stop.
        let _ = element.focus();
    }

    fn find(&self, selector: &str) -> Option<HtmlElement> {
        let frame = self.frame.cast::<HtmlElement>()?;
        if selector == ":scope" {
            return Some(frame);
        }
        frame.query_selector(selector).ok()??.dyn_into().ok()
    }
}

/// True when the focus is nowhere: it was lost, or the browser gives none to a clicked button.
fn nothing_has_focus() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let active = document.and_then(|document| document.active_element());
    active.is_none_or(|active| active.matches("body").unwrap_or_default())
}

/// The button that opened the question.
fn asked_by(intent: Intent) -> &'static str {
    match intent {
        Intent::Stop => "[id='action.cancel']",
        Intent::AnotherWay => "[id='action.another']",
    }
}
