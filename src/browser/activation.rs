//! A browser may load a page before anybody asks for it, and show it later or never (prerendering).

use browser_kit::listener::Listener;
use js_sys::Reflect;

/// Calls `begin` once the page is shown: mostly at once. A listener that is dropped before calls nothing.
pub(crate) fn when_shown(mut begin: impl FnMut() + 'static) -> Option<Listener> {
    let document = web_sys::window().and_then(|window| window.document());
    let hidden = document.filter(|document| {
        let prerendering = Reflect::get(document, &"prerendering".into());
        prerendering.is_ok_and(|prerendering| prerendering.is_truthy())
    });
    let Some(document) = hidden else {
        begin();
        return None;
    };
    Some(Listener::new(document.into(), "prerenderingchange", begin))
}
