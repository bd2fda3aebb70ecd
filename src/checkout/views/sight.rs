//! Brings a screen into the payer's sight, unless that disturbs the payer.

use crate::browser::visibility::is_hidden;
use std::mem;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{
    Document, Element, HtmlElement, Node, ScrollBehavior, ScrollIntoViewOptions, ShadowRoot,
};

/// A dialog that the page shows. Older browsers do not know `:modal`, and skip it in this list.
const DIALOG: &str = ":is(:modal,[aria-modal=true])";
/// What the payer writes in. What happens in a frame is not known.
const FIELD: &str = ":read-write,iframe";

/// What has to be scrolled into sight.
#[derive(Debug, Default)]
pub(super) struct Sight {
    /// True if a press on the choice led to another screen. Some browsers do not focus a button that is pressed, so the
    /// focus does not tell.
    is_pressed: bool,
    /// True if the payment ended or was interrupted, and the screen that says so has to be scrolled into sight, once,
    /// when the page is visible: most payers are in their wallet then.
    is_due: bool,
}

impl Sight {
    pub(super) fn pressed(&mut self) {
        self.is_pressed = true;
    }

    /// Another screen came. It `has_to_be_seen` where it says that the payment ended or was interrupted.
    pub(super) fn screen_changed(&mut self, has_to_be_seen: bool) {
        self.is_due = has_to_be_seen;
    }

    /// True while such a screen waits: then the focus does not scroll.
    pub(super) fn is_due(&self) -> bool {
        self.is_due
    }

    pub(super) fn is_above(&self, heading: Option<HtmlElement>) -> bool {
        heading.is_some_and(|heading| heading.get_bounding_client_rect().top() < 0.0)
    }

    /// Scrolls to the screen with this heading if it is out of sight. After a press also where the payer types or selects
    /// elsewhere, since the payer waits for the result of the press.
    pub(super) fn show(&mut self, screen: Option<(HtmlElement, HtmlElement)>, has_focus: bool) {
        let pressed = mem::take(&mut self.is_pressed) || (has_focus && !self.is_due);
        let due = self.is_due && !is_hidden();
        self.is_due &= !due;
        if let Some((heading, screen)) = screen.filter(|_| pressed || due)
            && is_out_of_sight(&heading, pressed)
            && (pressed || !is_busy_elsewhere(&screen))
        {
            scroll_to(&screen);
        }
    }
}

/// True if the heading of a screen is not in the window. After a press it has to be in its upper third: on a phone
/// only the heading would be visible, and no button.
fn is_out_of_sight(heading: &HtmlElement, pressed: bool) -> bool {
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
fn scroll_to(screen: &HtmlElement) {
    let options = ScrollIntoViewOptions::new();
    options.set_behavior(ScrollBehavior::Instant);
    screen.scroll_into_view_with_scroll_into_view_options(&options);
}

/// True while the payer is busy on the page outside of the checkout: types, has selected a text, has zoomed in, or
/// looks at a dialog.
fn is_busy_elsewhere(screen: &HtmlElement) -> bool {
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
            shown && !dialog.contains(Some(&outermost(screen)))
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

/// The node of the document that contains the screen.
fn outermost(screen: &HtmlElement) -> Node {
    let mut node: Node = screen.clone().into();
    while let Some(host) = host(&node) {
        node = host.into();
    }
    node
}

/// The element in whose shadow root a node is.
pub(super) fn host(node: &Node) -> Option<Element> {
    let root: ShadowRoot = node.get_root_node().dyn_into().ok()?;
    Some(root.host())
}
