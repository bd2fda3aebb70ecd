//! Reports to the flow whether the page is visible and whether the browser is online.

use browser_kit::listener::Listener;
use checkout_flow::Event;
use yew::Callback;

/// Event listeners, which are removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Attention {
    _listeners: Vec<Listener>,
}

impl Attention {
    /// Reports what happens to the page. `visibilitychange`, `focus` and `pageshow` come
    /// together or alone, depending on the browser and on how the payer comes back.
    pub(crate) fn watch(report: &Callback<Event>) -> Self {
        let Some(window) = web_sys::window() else {
            return Self {
                _listeners: Vec::new(),
            };
        };
        let on = |target: &web_sys::EventTarget, name: &'static str, event: fn() -> Event| {
            let report = report.clone();
            Listener::new(target.clone(), name, move || report.emit(event()))
        };
        let mut listeners = vec![
            on(&window, "focus", || Event::Shown),
            // It is sent in a background tab, too, once the page is loaded.
            on(&window, "pageshow", visibility),
            on(&window, "online", || Event::Online),
            on(&window, "offline", || Event::Offline),
        ];
        if let Some(document) = window.document() {
            listeners.push(on(&document, "visibilitychange", visibility));
        }
        if is_hidden() {
            report.emit(Event::Hidden);
        }
        if !window.navigator().on_line() {
            report.emit(Event::Offline);
        }
        Self {
            _listeners: listeners,
        }
    }
}

fn visibility() -> Event {
    if is_hidden() {
        Event::Hidden
    } else {
        Event::Shown
    }
}

pub(crate) fn is_hidden() -> bool {
    web_sys::window()
        .and_then(|window| window.document())
        .is_some_and(|document| document.hidden())
}
