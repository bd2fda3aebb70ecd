//! The keys of the list: `/` leads to the search, `j` and `k` to the next and the last operation.
//! `Enter` opens the one that has the focus, as on every button.
//!
//! They count only while the focus is in the element, and never while somebody types.

use super::staff_state::Field;
use super::views::field_id;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::NodeRef;

/// The controls that open operations, in the order of the list.
const ROWS: &str = ".page:not([hidden]) .open";

/// Does what a key of the list asks for.
pub(super) fn pressed(root: &NodeRef, event: &KeyboardEvent) {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || types_text(event) {
        return;
    }
    let Some(root) = root.cast::<Element>() else {
        return;
    };
    let to = match event.key().as_str() {
        "/" => found(
            &root,
            &[".page:not([hidden]) #", &field_id(Field::Text)].concat(),
        ),
        "j" => neighbor(&root, 1),
        "k" => neighbor(&root, -1),
        _ => None,
    };
    if let Some(to) = to {
        // The key is not typed into the field that it leads to.
        event.prevent_default();
        let _ = to.focus();
    }
}

/// True in a field and in a dialog, where letters mean something else.
fn types_text(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|to| to.dyn_into::<Element>().ok());
    target.is_none_or(|target| {
        let inside = "input:not([type=checkbox]), select, textarea, dialog, [contenteditable]";
        target.closest(inside).is_ok_and(|around| around.is_some())
    })
}

fn found(root: &Element, selector: &str) -> Option<HtmlElement> {
    root.query_selector(selector).ok()??.dyn_into().ok()
}

/// The operation so many places below the one with the focus; the first one without any.
fn neighbor(root: &Element, step: i32) -> Option<HtmlElement> {
    let rows = root.query_selector_all(ROWS).ok()?;
    let at = |place: u32| rows.get(place)?.dyn_into::<HtmlElement>().ok();
    let has_focus = |row: &HtmlElement| row.matches(":focus").unwrap_or_default();
    let here = (0..rows.length()).find(|place| at(*place).is_some_and(|row| has_focus(&row)));
    match here {
        Some(here) => at(here.checked_add_signed(step)?),
        None => at(0),
    }
}
