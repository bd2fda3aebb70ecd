use super::view_context::ViewContext;
use crate::texts::Text;
use yew::{Html, html};

/// A button that prints. The custom element leaves the page around it off the paper.
pub(super) fn print_button(context: &ViewContext<'_>, text: Text) -> Html {
    html! {
        <button type="button" data-look="plain" part="button print-button" onclick={|_| print()}>
            { context.text(text) }
        </button>
    }
}

/// Browsers inside apps may have no printer, and say nothing of it.
fn print() {
    if let Some(window) = web_sys::window() {
        let _ = window.print();
    }
}
