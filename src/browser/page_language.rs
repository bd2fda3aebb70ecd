//! The language of the page where a checkout is.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, MutationObserver, MutationObserverInit, Node, ShadowRoot};

/// The nearest `lang` around an element, through shadow roots, or that of the page, as browsers read it: some systems
/// write `en_US`. Empty if there is none.
pub(crate) fn around(element: &Element) -> String {
    let mut node = Some(element.clone());
    while let Some(element) = node {
        let nearest = element.closest("[lang]").ok().flatten();
        let language = nearest.and_then(|nearest| nearest.get_attribute("lang"));
        if let Some(language) = language.filter(|language| !language.is_empty()) {
            return language.replace('_', "-");
        }
        node = host_of(&element);
    }
    String::new()
}

/// The element whose shadow root a node is in, if it is in one.
fn host_of(node: &Node) -> Option<Element> {
    Some(node.get_root_node().dyn_into::<ShadowRoot>().ok()?.host())
}

/// Calls back after each change of a `lang`, until it is dropped.
pub(crate) struct LanguageWatch {
    observer: MutationObserver,
    _changed: Closure<dyn FnMut()>,
}

impl LanguageWatch {
    /// Watches around an element; `None` in a browser that refuses.
    pub(crate) fn around(element: &Element, changed: impl FnMut() + 'static) -> Option<Self> {
        let changed = Closure::new(changed);
        let observer = MutationObserver::new(changed.as_ref().unchecked_ref()).ok()?;
        let options = MutationObserverInit::new();
        options.set_attribute_filter(&js_sys::Array::of1(&"lang".into()));
        options.set_subtree(true);
        let mut node = Some(element.clone());
        while let Some(element) = node {
            let root = element.get_root_node();
            let _ = observer.observe_with_options(&root, &options);
            node = host_of(&element);
        }
        Some(Self {
            observer,
            _changed: changed,
        })
    }
}

impl Drop for LanguageWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
