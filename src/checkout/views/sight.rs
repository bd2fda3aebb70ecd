//! Brings a screen into the payer's sight, unless that disturbs the payer.

use js_sys::{Object, Reflect};
use web_sys::wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, HtmlElement, ShadowRoot};

/// A dialog that the page shows. Older browsers do not know `:modal`, and skip it in this list.
const DIALOG: &str = ":is(:modal,[aria-modal=true])";
/// What the payer writes in. What happens in a frame is not known.
const FIELD: &str = ":read-write,iframe";

/// True if the heading of a screen is not in the window. After a press it has to be in its upper third: on a phone
/// only the heading would be visible, and no button.
pub(super) fn is_out_of_sight(heading: &HtmlElement, pressed: bool) -> bool {
    let height = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64());
    let rect = heading.get_bounding_client_rect();
    height.is_some_and(|height| {
        let (edge, lowest) = if pressed {
            (rect.top(), height / 3.0)
        } else {
            (rect.bottom(), height)
        };
        rect.top() < 0.0 || edge > lowest
    })
}

/// Scrolls to the screen. It does so without motion, also on a page whose style sheet wants scrolling to be smooth.
pub(super) fn scroll_to(screen: &HtmlElement) {
    let how = option("behavior", "instant");
    screen.scroll_into_view_with_scroll_into_view_options(how.unchecked_ref());
}

/// Moves the focus to an element. The browser scrolls to it unless the announcer does.
pub(super) fn focus(element: &HtmlElement, scrolls: bool) {
    let how = option("preventScroll", !scrolls);
    // An element that cannot take the focus is no reason to stop.
    let _ = element.focus_with_options(how.unchecked_ref());
}

fn option(name: &str, value: impl Into<JsValue>) -> Object {
    let options = Object::new();
    let _ = Reflect::set(&options, &name.into(), &value.into());
    options
}

/// True while the payer is busy on the page outside of the checkout: types, has selected a text, has zoomed in, or
/// looks at a dialog.
pub(super) fn is_busy_elsewhere(screen: &HtmlElement) -> bool {
    let Some((window, document)) =
        web_sys::window().and_then(|window| Some((window.clone(), window.document()?)))
    else {
        return false;
    };
    let selection = window.get_selection().ok().flatten();
    let dialog = document.query_selector(DIALOG).ok().flatten();
    selection.is_some_and(|selection| !selection.is_collapsed())
        || window
            .visual_viewport()
            .is_some_and(|viewport| viewport.scale() > 1.0)
        || focused(&document).is_some_and(|field| field.matches(FIELD).unwrap_or_default())
        || dialog.is_some_and(|dialog| {
            // Pages keep the dialogs that they do not show.
            let shown = dialog.unchecked_ref::<HtmlElement>().offset_width() > 0;
            shown && !is_in_dialog(screen)
        })
}

/// The element that has the focus, also within elements of the page.
fn focused(document: &Document) -> Option<Element> {
    let mut focused = document.active_element()?;
    while let Some(inner) = focused.shadow_root().and_then(|root| root.active_element()) {
        focused = inner;
    }
    Some(focused)
}

/// True if a dialog contains the element, also around the page's own elements.
fn is_in_dialog(element: &Element) -> bool {
    element.closest(DIALOG).is_ok_and(|dialog| dialog.is_some())
        || host(element).is_some_and(|host| is_in_dialog(&host))
}

/// The element in whose shadow root an element is.
pub(super) fn host(element: &Element) -> Option<Element> {
    let root: ShadowRoot = element.get_root_node().dyn_into().ok()?;
    Some(root.host())
}
