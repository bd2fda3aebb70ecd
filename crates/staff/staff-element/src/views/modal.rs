//! Dialogs: the browser's own, and the frame, the end and the currency of every one.

use super::announcements;
use super::view_context::ViewContext;
use crate::staff_state::{Event, Press};
use crate::texts::Text;
use web_sys::HtmlDialogElement;
use yew::{AttrValue, Callback, Component, Context, Html, NodeRef, Properties, html};

/// The browser's own dialog over the page: it holds the focus inside, and gives it back to
/// where it was when it goes.
pub(super) struct Modal {
    dialog: NodeRef,
    /// Another step is about to be drawn.
    moves: bool,
}

#[derive(Properties)]
pub(super) struct ModalProps {
    /// The id of its heading, unique among the dialogs that are open.
    pub(super) heading_id: &'static str,
    pub(super) heading: AttrValue,
    /// Another step of the same dialog: the focus goes to its heading.
    pub(super) step: &'static str,
    /// Called when Escape is pressed; `None` where the dialog cannot be closed.
    pub(super) on_close: Option<Callback<()>>,
    pub(super) children: Html,
}

impl PartialEq for ModalProps {
    /// Drawn anew whenever the page is.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl Component for Modal {
    type Message = ();
    type Properties = ModalProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            dialog: NodeRef::default(),
            moves: false,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &ModalProps) -> bool {
        self.moves |= ctx.props().step != old.step;
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let on_close = props.on_close.clone();
        // Escape only asks. The content of the dialog decides if it closes.
        let oncancel = Callback::from(move |event: yew::Event| {
            event.prevent_default();
            if let Some(on_close) = &on_close {
                on_close.emit(());
            }
        });
        html! {
            <dialog class="modal" part="dialog" aria-labelledby={props.heading_id} ref={&self.dialog} {oncancel}>
                <h2 id={props.heading_id} tabindex="-1">{ &props.heading }</h2>
                { props.children.clone() }
            </dialog>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first && let Some(dialog) = self.dialog.cast::<HtmlDialogElement>() {
            // It fails only for a dialog that is open already.
            let _ = dialog.show_modal();
        }
        // Only now the screen shows the next step instead of the one before.
        if first || std::mem::take(&mut self.moves) {
            self.focus_heading(ctx.props().heading_id);
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        if let Some(dialog) = self.dialog.cast::<HtmlDialogElement>() {
            // Closed before it is removed, since only then the browser restores the focus.
            dialog.close();
        }
    }
}

impl Modal {
    fn focus_heading(&self, id: &str) {
        let dialog = self.dialog.cast::<HtmlDialogElement>();
        let first = dialog.and_then(|dialog| {
            let field = dialog.query_selector("input:not([disabled])").ok()?;
            field.or(dialog.query_selector(&["#", id].concat()).ok()?)
        });
        if let Some(element) = first.and_then(|found| {
            use web_sys::wasm_bindgen::JsCast;
            found.dyn_into::<web_sys::HtmlElement>().ok()
        }) {
            let _ = element.focus();
        }
    }
}

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
            { announcements::region(context) }
        </Modal>
    }
}

/// The form of a dialog: the button that sends it, by its look and text, and the way out.
pub(super) fn question(
    context: &ViewContext<'_>,
    (look, send): (&'static str, Text),
    sending: bool,
    off: bool,
    body: Html,
) -> Html {
    html! {
        <form onsubmit={context.submit(Event::DialogPressed(Press::On))} aria-busy={sending.to_string()}>
            { body }
            <div class="actions">
                { context.submitter(look, if sending { Text::Sending } else { send }, off) }
                if !sending {
                    { context.button("plain", Text::Back, Event::Closed) }
                }
            </div>
        </form>
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
