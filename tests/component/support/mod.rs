//! A page with a checkout in an open shadow root, with functions for the payer's view and actions.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

pub(crate) mod answers;
pub(crate) mod network;

use gloo_timers::future::TimeoutFuture;
use payment_checkout::{Checkout, CheckoutProps, CheckoutState, Notice};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ShadowRoot, ShadowRootInit, ShadowRootMode};
use yew::{AppHandle, Callback, props};

/// A checkout in a page.
pub(crate) struct Page {
    host: Element,
    shadow: ShadowRoot,
    app: Option<AppHandle<Checkout>>,
    notices: Rc<RefCell<Vec<Notice>>>,
    states: Rc<RefCell<Vec<&'static str>>>,
}

/// The properties of a checkout whose server does not run.
pub(crate) fn unreachable() -> CheckoutProps {
    // The discard port: browsers refuse to connect to it.
    props!(CheckoutProps {
        base_url: "http://127.0.0.1:9/api"
    })
}

impl Page {
    /// Puts a checkout on the page.
    pub(crate) fn open(props: CheckoutProps) -> Self {
        let document = web_sys::window().unwrap().document().unwrap();
        let host = document.create_element("div").unwrap();
        document.body().unwrap().append_child(&host).unwrap();
        let shadow = host
            .attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open))
            .unwrap();
        let stage = document.create_element("div").unwrap();
        shadow.append_child(&stage).unwrap();
        let notices = Rc::new(RefCell::new(Vec::new()));
        let states = Rc::new(RefCell::new(Vec::new()));
        let (heard, shown) = (notices.clone(), states.clone());
        let props = CheckoutProps {
            on_notice: Callback::from(move |notice| heard.borrow_mut().push(notice)),
            on_state: Callback::from(move |state: CheckoutState| {
                shown.borrow_mut().push(state.as_str());
            }),
            ..props
        };
        let app = yew::Renderer::<Checkout>::with_root_and_props(stage, props).render();
        Self {
            host,
            shadow,
            app: Some(app),
            notices,
            states,
        }
    }

    /// Takes the checkout off the page, and the page's node with it.
    pub(crate) fn close(mut self) {
        self.app.take().unwrap().destroy();
        self.host.remove();
    }

    /// Gives the checkout other properties; it goes on reporting to this page.
    pub(crate) fn update(&mut self, props: CheckoutProps) {
        let (notices, states) = (self.notices.clone(), self.states.clone());
        let props = CheckoutProps {
            on_notice: Callback::from(move |notice| notices.borrow_mut().push(notice)),
            on_state: Callback::from(move |state: CheckoutState| {
                states.borrow_mut().push(state.as_str());
            }),
            ..props
        };
        self.app.as_mut().unwrap().update(props);
    }

    /// Waits until the screen has this text; fails after ten seconds.
    pub(crate) async fn sees(&self, text: &str) {
        self.until(text, || self.text().contains(text)).await;
    }

    /// Waits until the screen has this name; fails after ten seconds.
    pub(crate) async fn is_in(&self, state: &str) {
        self.until(state, || self.states.borrow().last() == Some(&state))
            .await;
    }

    /// Presses the button with this text.
    pub(crate) fn press(&self, text: &str) {
        self.buttons()
            .into_iter()
            .find(|button| words(button).contains(text))
            .unwrap()
            .click();
    }

    /// The buttons, by their words.
    pub(crate) fn button_words(&self) -> Vec<String> {
        self.buttons().iter().map(words).collect()
    }

    /// The notices that the page received.
    pub(crate) fn notices(&self) -> Vec<Notice> {
        self.notices.borrow().clone()
    }

    /// The whole text of the screen.
    pub(crate) fn text(&self) -> String {
        self.shadow.text_content().unwrap_or_default()
    }

    /// The first element of the screen that fits.
    pub(crate) fn find(&self, selector: &str) -> Option<Element> {
        self.shadow.query_selector(selector).unwrap()
    }

    fn buttons(&self) -> Vec<HtmlElement> {
        buttons(&self.shadow)
    }

    /// Waits until it is so; fails after ten seconds.
    pub(crate) async fn until(&self, what: &str, condition: impl Fn() -> bool) {
        wait(condition, || format!("no {what:?} on: {}", self.text())).await;
    }
}

/// An empty place on the page, for a card.
pub(crate) fn place() -> Element {
    let document = web_sys::window().unwrap().document().unwrap();
    let place = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&place).unwrap();
    place
}

/// Presses the button with these words in the card of class `till`, once it is there.
pub(crate) async fn press_in_card(place: &Element, text: &str) {
    let button = || {
        let card = place.query_selector(".till").unwrap()?.shadow_root()?;
        let mut all = buttons(&card).into_iter();
        all.find(|button| words(button).contains(text))
    };
    until(text, || button().is_some()).await;
    button().unwrap().click();
}

/// Waits until it is so; fails after ten seconds.
pub(crate) async fn until(what: &str, condition: impl Fn() -> bool) {
    wait(condition, || format!("no {what:?}")).await;
}

async fn wait(condition: impl Fn() -> bool, failure: impl Fn() -> String) {
    for _ in 0..1_000 {
        if condition() {
            return;
        }
        TimeoutFuture::new(10).await;
    }
    panic!("{}", failure());
}

fn buttons(root: &ShadowRoot) -> Vec<HtmlElement> {
    let found = root.query_selector_all("button").unwrap();
    (0..found.length())
        .map(|at| found.get(at).unwrap().unchecked_into())
        .collect()
}

fn words(button: &HtmlElement) -> String {
    button.text_content().unwrap_or_default()
}

/// The session storage of this tab, as one text.
pub(crate) fn storage() -> String {
    let storage = web_sys::window()
        .unwrap()
        .session_storage()
        .unwrap()
        .unwrap();
    let keys = (0..storage.length().unwrap()).filter_map(|at| storage.key(at).unwrap());
    keys.map(|key| storage.get_item(&key).unwrap().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Empties the session storage, as a new tab would.
pub(crate) fn new_tab() {
    web_sys::window()
        .unwrap()
        .session_storage()
        .unwrap()
        .unwrap()
        .clear()
        .unwrap();
}
