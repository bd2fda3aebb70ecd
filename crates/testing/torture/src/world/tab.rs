//! A payer's tab with the checkout's real flow: it carries the flow's commands out as the component does in a browser.

use super::browser::Browser;
use super::press::{Press, offered};
use super::shop::order_fields;
use super::shown::Shown;
use super::stage::World;
use super::tab_client::{self, Heard};
use super::truth::Look;
use crate::calls;
use crate::request::Request;
use checkout_flow::{
    Answered, CallId, Command, Event, Failure, Flow, Input, Moment, MonotonicTime, PageAnswer,
    Screen, Settings, Start,
};
use payment_model::{PaymentMethodName, Timestamp};
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};
use tokio::task::{AbortHandle, spawn_local};
use tokio::time::{sleep, timeout};

/// After this time without a code the screen offers a way out.
const SLOW: Duration = Duration::from_secs(4);

/// A page in a tab. Clones share it.
#[derive(Clone)]
pub(super) struct Tab(Rc<Inner>);

struct Inner {
    world: World,
    browser: Browser,
    /// The tab's place in its browser, under which the browser keeps data for its next page.
    place: usize,
    order: String,
    page: RefCell<Page>,
}

struct Page {
    flow: Flow,
    calls: BTreeMap<CallId, AbortHandle>,
    wake: Option<AbortHandle>,
    shown: Vec<Shown>,
    /// The key of the newest attempt, and when it was first sent.
    asked: Option<(String, Duration)>,
    /// The address of another site that took the place of the page.
    left: Option<String>,
    is_open: bool,
}

impl Tab {
    /// Opens the page with an order in the tab at this place of the browser.
    pub(super) fn open(world: &World, browser: &Browser, order: &str, place: usize) -> Self {
        let flow = Flow::new(Settings {
            methods: vec![PaymentMethodName::Qr, PaymentMethodName::Installment],
            ..Settings::default()
        });
        let snapshot = browser.load(place, order);
        let tab = Self(Rc::new(Inner {
            world: world.clone(),
            browser: browser.clone(),
            place,
            order: order.to_owned(),
            page: RefCell::new(Page {
                flow,
                calls: BTreeMap::new(),
                wake: None,
                shown: Vec::new(),
                asked: None,
                left: None,
                is_open: true,
            }),
        }));
        tab.hears(Event::Started(Box::new(Start {
            snapshot,
            asks_live: true,
            ..Start::default()
        })));
        tab
    }

    /// What the present screen offers, in its order.
    pub(super) fn presses(&self) -> Vec<Press> {
        let page = self.0.page.borrow();
        if !page.is_open {
            return Vec::new();
        }
        let view = page.flow.view();
        let since = page.shown.last().map_or(Duration::ZERO, |last| last.at);
        let slow = self.0.world.passed().saturating_sub(since) >= SLOW;
        offered(&view, slow)
    }

    /// Presses something that the present screen offers.
    pub(super) fn press(&self, press: Press) {
        match press.event() {
            Some(event) => self.hears(event),
            None => {
                let page = self.0.page.borrow();
                let url = match page.flow.view().screen {
                    Screen::Continue { url, .. } => Some(url.as_str().to_owned()),
                    _ => None,
                };
                drop(page);
                if let Some(url) = url {
                    self.leave(url);
                }
            }
        }
    }

    /// The payer turns to the page or away from it.
    pub(super) fn turn(&self, looks: bool) {
        self.hears(if looks { Event::Shown } else { Event::Hidden });
    }

    /// The present screen, or the last one of a page that is gone.
    pub(super) fn view(&self) -> Option<Shown> {
        self.0.page.borrow().shown.last().cloned()
    }

    /// Every screen so far that differed from the one before.
    pub(super) fn shown(&self) -> Vec<Shown> {
        self.0.page.borrow().shown.clone()
    }

    pub(super) fn is_open(&self) -> bool {
        self.0.page.borrow().is_open
    }

    /// The address of another site that took the place of the page.
    pub(super) fn left(&self) -> Option<String> {
        self.0.page.borrow().left.clone()
    }

    /// The page is lost with its running requests. What the browser keeps for the tab stays.
    pub(super) fn close(&self) {
        let now = self.0.world.passed();
        let mut page = self.0.page.borrow_mut();
        page.is_open = false;
        let calls = std::mem::take(&mut page.calls).into_values();
        for task in calls.chain(page.wake.take()) {
            task.abort();
        }
        if let Some(last) = page.shown.last_mut() {
            last.until.get_or_insert(now);
        }
    }

    fn leave(&self, url: String) {
        self.0.page.borrow_mut().left = Some(url);
        self.close();
    }

    fn hears(&self, event: Event) {
        let mut next = Some(event);
        while let Some(event) = next.take() {
            let Some(commands) = self.handle(event) else {
                return;
            };
            self.note_screen();
            for command in commands {
                next = self.carry_out(command).or(next);
            }
        }
    }

    fn handle(&self, event: Event) -> Option<Vec<Command>> {
        let mut page = self.0.page.borrow_mut();
        if !page.is_open {
            return None;
        }
        if let Event::AuthorizeAnswered { call, .. }
        | Event::StatusAnswered { call, .. }
        | Event::LiveAnswered { call, .. }
        | Event::CancelAnswered { call, .. } = &event
        {
            page.calls.remove(call);
        }
        let (world, browser) = (&self.0.world, &self.0.browser);
        Some(page.flow.handle(Input {
            at: Moment {
                wall: browser.wall(world.network().time().wall()),
                monotonic: MonotonicTime::after_start(world.passed()),
            },
            entropy: browser.entropy(),
            event,
        }))
    }

    fn carry_out(&self, command: Command) -> Option<Event> {
        let inner = &*self.0;
        match command {
            Command::AskPage { call, .. } => {
                let answer = PageAnswer::Begin;
                return Some(Event::PageAnswered { call, answer });
            }
            Command::Authorize {
                call,
                key,
                method,
                replaces,
                timeout,
            } => {
                let mut page = inner.page.borrow_mut();
                if page.asked.as_ref().is_none_or(|(of, _)| of != key.as_str()) {
                    page.asked = Some((key.as_str().to_owned(), inner.world.passed()));
                }
                drop(page);
                let order = order_fields(&inner.order);
                let replaces = replaces.as_ref().map(|number| number.as_str());
                let request = calls::charge(&order, method.as_str(), key.as_str(), replaces);
                self.send(call, request, timeout, |call, answer| {
                    Event::AuthorizeAnswered { call, answer }
                });
            }
            Command::QueryStatus {
                call,
                operation,
                wait,
                known,
                timeout,
                ..
            } => {
                let request = tab_client::status(&operation, wait, known.as_deref());
                let timeout = timeout + wait.unwrap_or_default();
                self.send(call, request, timeout, |call, answer| {
                    Event::StatusAnswered { call, answer }
                });
            }
            Command::QueryLive { call, timeout } => {
                let request = tab_client::live(&inner.order);
                self.send(call, request, timeout, |call, answer| Event::LiveAnswered {
                    call,
                    answer,
                    offer: None,
                });
            }
            Command::Cancel {
                call,
                operation,
                timeout,
            } => {
                let request = tab_client::cancel(&operation);
                self.send(call, request, timeout, |call, answer| {
                    Event::CancelAnswered { call, answer }
                });
            }
            Command::Abort { call } => {
                if let Some(running) = inner.page.borrow_mut().calls.remove(&call) {
                    running.abort();
                }
            }
            Command::Leave { url, .. } => self.leave(url.as_str().to_owned()),
            Command::Save(snapshot) => inner.browser.save(inner.place, &inner.order, &snapshot),
            Command::Forget => inner.browser.forget(inner.place, &inner.order),
            Command::Report(_) => {}
            Command::Wake { after } => {
                let tab = self.clone();
                let waking = spawn_local(async move {
                    sleep(after).await;
                    tab.hears(Event::Woke);
                });
                let before = inner.page.borrow_mut().wake.replace(waking.abort_handle());
                if let Some(before) = before {
                    before.abort();
                }
            }
        }
        None
    }

    fn send<T: DeserializeOwned + 'static>(
        &self,
        call: CallId,
        request: Request,
        longest: Duration,
        event: fn(CallId, Answered<T>) -> Event,
    ) {
        let tab = self.clone();
        let running = spawn_local(async move {
            let from = tab.0.world.passed();
            let answer = timeout(longest, tab.exchange(request)).await;
            let answer = answer.unwrap_or(Err(Failure::Timeout));
            let event = event(call, answer.and_then(Heard::content));
            tab.note_look(from, &event);
            tab.hears(event);
        });
        let mut page = self.0.page.borrow_mut();
        page.calls.insert(call, running.abort_handle());
    }

    async fn exchange(&self, request: Request) -> Result<Heard, Failure> {
        let (world, browser) = (&self.0.world, &self.0.browser);
        let method = request.method.clone();
        let request = tab_client::from_page(request, &browser.cookie());
        let response = world.asked(request).await.ok_or(Failure::Network)?;
        if !response.cookie().is_empty() {
            browser.set_cookie(response.cookie());
        }
        let clock = world.network().ahead().on(world.network().time().wall());
        let clock = clock.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Heard {
            response,
            method,
            // A header has whole seconds.
            date: Timestamp::default().saturating_add(Duration::from_secs(clock.as_secs())),
        })
    }

    /// Notes what the payer's page read of an operation.
    fn note_look(&self, from: Duration, event: &Event) {
        let Event::StatusAnswered { answer, .. } = event else {
            return;
        };
        let body = answer
            .as_ref()
            .ok()
            .and_then(|answer| (*answer.body).as_ref());
        let operation = body.map(|body| &body.operation);
        let transaction = operation.and_then(|operation| operation.transactions.first());
        if let (Some(operation), Some(transaction)) = (operation, transaction) {
            self.0.world.truth().looks(Look {
                from,
                until: self.0.world.passed(),
                number: operation.merchant_operation_number.as_str().to_owned(),
                state: transaction.state.as_str().to_owned(),
            });
        }
    }

    /// Notes the present screen if it is new, and what the service has at this moment.
    fn note_screen(&self) {
        let now = self.0.world.passed();
        let mut page = self.0.page.borrow_mut();
        let asked = page.asked.as_ref().map(|(_, at)| *at);
        let shown = Shown::now(&page.flow.view(), now, asked);
        if let Some(last) = page.shown.last_mut() {
            if last.says_the_same(&shown) {
                return;
            }
            last.until = Some(now);
        }
        page.shown.push(shown);
        let index = page.shown.len() - 1;
        drop(page);
        let tab = self.clone();
        spawn_local(async move {
            let operations = tab.0.world.operations().await.unwrap_or_default();
            if let Some(shown) = tab.0.page.borrow_mut().shown.get_mut(index) {
                shown.service = operations;
            }
        });
    }
}
