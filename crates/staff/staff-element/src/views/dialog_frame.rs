//! The frame, the end and the currency of every dialog.

use super::modal::Modal;
use super::view_context::ViewContext;
use crate::staff_state::Event;
use crate::texts::Text;
use yew::{AttrValue, Callback, Html, html};

/// A dialog that Escape closes.
pub(super) fn modal(
    context: &ViewContext<'_>,
    heading: AttrValue,
    step: &'static str,
    body: Html,
) -> Html {
    let send = context.send.clone();
    html! {
        <Modal
            key="dialog"
            heading_id="dialog-heading"
            {heading}
            {step}
            on_close={Some(Callback::from(move |()| send.emit(Event::Closed)))}
        >
            { body }
        </Modal>
    }
}

/// The end of a dialog: how it ended, and the way out.
pub(super) fn done(context: &ViewContext<'_>) -> Html {
    html! { <div class="actions">{ context.button("primary", Text::Close, Event::Closed) }</div> }
}

/// The currency by its letters, as people know it.
pub(super) fn currency(currency: &payment_model::Currency) -> String {
    let text = || currency.as_str().to_owned();
    currency
        .iso()
        .map_or_else(text, |iso| iso.alpha().to_owned())
}
