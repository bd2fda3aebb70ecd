use super::page::heading_below;
use super::view_context::{Kind, Look, ViewContext, paragraph};
use crate::texts::{SpokenText, Text};
use checkout_flow::{Event, Intent};
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{HtmlDialogElement, HtmlElement, ResizeObserver};
use yew::{Callback, Component, Context, Html, KeyboardEvent, NodeRef, Properties, html};

/// The button for another method, if the page offers one.
pub(super) fn another_way(context: &ViewContext<'_>) -> Html {
    html! {
        if context.view.has_another_way {
            { context.button(Look::Plain, Text::ActionAnother, || Event::AnotherWayPressed) }
        }
    }
}

/// The button back to the choice while there is no operation.
pub(super) fn back(context: &ViewContext<'_>, look: Look) -> Html {
    let text = if context.view.has_another_way {
        Text::ActionAnother
    } else {
        Text::ActionCancel
    };
    context.button(look, text, || Event::AnotherWayPressed)
}

/// The ways out of a waiting screen after the buttons in `first`, and the question that one of them opens.
pub(super) fn ways_out(context: &ViewContext<'_>, first: Html) -> Html {
    html! {
        <>
            if context.view.cancel_failed {
                { paragraph(Kind::Note, &context.text(Text::CancelFailed)) }
            }
            <div class="actions" part="actions">
                { first }
                if !context.view.read_only {
                    { another_way(context) }
                    { context.button(Look::Quiet, Text::ActionCancel, || Event::CancelPressed) }
                }
            </div>
            if let Some(intent) = context.view.asks_to_cancel {
                { question(context, intent) }
            }
        </>
    }
}

/// Asks whether the payer really wants to cancel, or to leave the operation for another method.
fn question(context: &ViewContext<'_>, intent: Intent) -> Html {
    let (heading, lead, confirm) = match intent {
        Intent::Stop => (Text::AskHeading, Text::AskLead, Text::AskCancel),
        Intent::AnotherWay => (
            Text::AskAnotherHeading,
            Text::AskAnotherLead,
            Text::AskAnother,
        ),
    };
    let send = context.send.clone();
    html! {
        <Question
            tag={heading_below(context.inputs.props.heading_level)}
            heading={context.text(heading)}
            lead={context.text(lead)}
            on_show={context.inputs.at.is_none()}
            on_dismiss={move |()| send.emit(Event::CancelDismissed)}
        >
            { context.button(Look::Primary, Text::AskKeep, || Event::CancelDismissed) }
            { context.button(Look::Danger, confirm, || Event::CancelConfirmed) }
        </Question>
    }
}

#[derive(PartialEq, Properties)]
struct QuestionProps {
    tag: &'static str,
    heading: SpokenText,
    lead: SpokenText,
    children: Html,
    on_show: bool,
    on_dismiss: Callback<()>,
}

/// The question as a modal dialog of the browser at the bottom of the window, so that a QR code above it stays
/// visible. In the gallery it is in the flow of the page. The dialog takes the focus from any element and gives
/// it back. It does not depend on the focus of the button, since some browsers do not focus a clicked button.
///
/// The group of the question and its warning takes the focus and has both as its name; a screen reader may say
/// the dialog's name before. Other elements do not work: with a button focused a screen reader may say only
/// the button. With the heading focused Orca says nothing, since it has moved to the first text of the dialog
/// before. With the dialog focused Orca says nothing at the next Tab, since it looks for the focus again and
/// finds the address bar in Firefox.
#[derive(Default)]
struct Question {
    dialog: NodeRef,
    watch: Option<Watch>,
}

impl Component for Question {
    type Message = ();
    type Properties = QuestionProps;

    fn create(_: &Context<Self>) -> Self {
        Self::default()
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let dismiss = props.on_dismiss.clone();
        let onkeydown = Callback::from(move |key: KeyboardEvent| {
            if key.key() == "Escape" {
                // A dialog of the page that contains the checkout must not close as well.
                key.prevent_default();
                key.stop_propagation();
                dismiss.emit(());
            }
        });
        let dismiss = props.on_dismiss.clone();
        // The browser also closes it, by Escape while nothing in it has the focus, and by Back on a phone.
        let onclose = Callback::from(move |_| dismiss.emit(()));
        html! {
            <dialog
                ref={&self.dialog}
                class="ask"
                data-here={props.on_show.then_some("")}
                part="confirm"
                role="alertdialog"
                open={props.on_show}
                aria-labelledby="ask-heading"
                {onkeydown}
                {onclose}
            >
                <div class="asked" role="group" aria-labelledby="ask-heading ask-lead" tabindex="-1">
                    <@{props.tag} id="ask-heading" class="subtitle">{ &props.heading }</@>
                    <div id="ask-lead">{ paragraph(Kind::Muted, &props.lead) }</div>
                </div>
                <div class="actions">{ props.children.clone() }</div>
            </dialog>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        if ctx.props().on_show {
            return;
        }
        if let Some(dialog) = self.dialog.cast() {
            // After every drawing, since a dialog that the page has moved is open, but not modal any more.
            show(&dialog);
            self.watch = self.watch.take().or_else(|| Watch::over(dialog));
        }
    }

    /// Closes the dialog before it is removed, since only then the browser gives the focus back. If another screen
    /// has replaced the question, the dialog is out of the page already, and the announcer moves the focus.
    fn destroy(&mut self, ctx: &Context<Self>) {
        let dialog = self.dialog.cast::<HtmlDialogElement>();
        if let Some(dialog) = dialog.filter(|dialog| dialog.is_connected() && !ctx.props().on_show)
        {
            dialog.close();
        }
    }
}

/// Closes the dialog when the page hides the checkout, for example in a tab, and opens it when the page shows the
/// checkout again. No event but a change of the size reports that.
struct Watch {
    observer: ResizeObserver,
    _report: Closure<dyn FnMut()>,
}

impl Watch {
    fn over(dialog: HtmlDialogElement) -> Option<Self> {
        let checkout = checkout(&dialog)?;
        let report = Closure::new(move || show(&dialog));
        let observer = ResizeObserver::new(report.as_ref().unchecked_ref()).ok()?;
        observer.observe(&checkout);
        Some(Self {
            observer,
            _report: report,
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Opens the dialog, unless it is open. While the checkout is hidden the dialog is closed, since an invisible
/// modal dialog would block the page.
fn show(dialog: &HtmlDialogElement) {
    let open = dialog.has_attribute("open");
    if checkout(dialog).is_none_or(|checkout| checkout.offset_width() == 0) {
        if open {
            dialog.close();
        }
        return;
    }
    // Older browsers do not know `:modal`.
    if open && dialog.matches(":modal").unwrap_or(true) {
        return;
    }
    let _ = dialog.remove_attribute("open");
    let asked = dialog.first_element_child();
    let asked = asked.and_then(|asked| asked.dyn_into::<HtmlElement>().ok());
    if let Some(asked) = &asked {
        // Without it the browser focuses the first button for a moment. It is set only now, so that it has no effect
        // while the page loads.
        let _ = asked.set_attribute("autofocus", "");
    }
    if dialog.show_modal().is_err() {
        let _ = dialog.set_attribute("open", "");
    }
    if let Some(asked) = asked {
        // Older browsers do not know `autofocus` within a dialog.
        let _ = asked.focus();
    }
}

/// The checkout that contains the dialog.
fn checkout(dialog: &HtmlDialogElement) -> Option<HtmlElement> {
    dialog.closest("section").ok()??.dyn_into().ok()
}
