use super::page::heading_below;
use super::view_context::{Kind, ViewContext, paragraph};
use crate::texts::{SpokenText, Text};
use checkout_flow::{Event, Intent};
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{HtmlDialogElement, HtmlElement, ResizeObserver};
use yew::{Callback, Component, Context, Html, KeyboardEvent, NodeRef, Properties, html};

/// The way to another method, if the page offers one.
pub(super) fn another_way(context: &ViewContext<'_>) -> Html {
    html! {
        if context.view.has_another_way {
            { context.button("plain", Text::ActionAnother, || Event::AnotherWayPressed) }
        }
    }
}

/// The way back to the choice while there is no operation: to another method, or to the only one.
pub(super) fn back(context: &ViewContext<'_>, look: &'static str) -> Html {
    let text = if context.view.has_another_way {
        Text::ActionAnother
    } else {
        Text::ActionCancel
    };
    context.button(look, text, || Event::AnotherWayPressed)
}

/// The ways out of a screen that waits, and the question about one of them. `first` comes before
/// them.
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
                    { context.button("quiet", Text::ActionCancel, || Event::CancelPressed) }
                }
            </div>
            if let Some(intent) = context.view.asks_to_cancel {
                { question(context, intent) }
            }
        </>
    }
}

/// Asks if the payer means to cancel, or to leave the operation for another method.
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
            on_show={context.inputs.announcer.is_none()}
            on_dismiss={move |()| send.emit(Event::CancelDismissed)}
        >
            { context.button("primary", Text::AskKeep, || Event::CancelDismissed) }
            { context.button("danger", confirm, || Event::CancelConfirmed) }
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

/// The question as the browser's own modal dialog, over the foot of the window, so that a QR above can be
/// seen; on show it stands where it is. The dialog takes the focus whatever had it, and gives it back.
/// Some browsers focus no button that is clicked, so a question that waits for the focus would open unsaid
/// there.
///
/// The group of the question and its warning takes the focus, and has both as its name; a screen reader may say the name of
/// the dialog before. With a button focused it may say the button and neither of them, with the
/// heading focused nothing, since Orca has moved to the first text of a dialog before. With the dialog itself focused
/// Orca says nothing at the next Tab, since it looks for the focus anew and finds the address bar in Firefox.
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
                // A dialog of the page around must not close as well.
                key.prevent_default();
                key.stop_propagation();
                dismiss.emit(());
            }
        });
        let dismiss = props.on_dismiss.clone();
        // The browser closes it too: by Escape while nothing in it has the focus, by Back on a phone.
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
            // Each time: a page that moves the element leaves the dialog open, and modal no more.
            show(&dialog);
            self.watch = self.watch.take().or_else(|| Watch::over(dialog));
        }
    }

    /// Closed before it is removed, since only then the browser gives the focus back to the element that had
    /// it. Where another screen has come in its place, the focus moves on from there, without a way back
    /// first.
    fn destroy(&mut self, ctx: &Context<Self>) {
        let dialog = self.dialog.cast::<HtmlDialogElement>();
        if let Some(dialog) = dialog.filter(|dialog| dialog.is_connected() && !ctx.props().on_show)
        {
            dialog.close();
        }
    }
}

/// Opens and closes the question while it is asked, as the page shows the checkout or hides it: in a
/// tab, or in a dialog of its own. No other event tells that.
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

/// Opens it, unless it is open. On a page that does not show the checkout an open one would hold
/// the page without being seen, so there it waits, or closes.
fn show(dialog: &HtmlDialogElement) {
    let open = dialog.has_attribute("open");
    if checkout(dialog).is_none_or(|checkout| checkout.offset_width() == 0) {
        if open {
            dialog.close();
        }
        return;
    }
    // Older browsers do not know the selector.
    if open && dialog.matches(":modal").unwrap_or(true) {
        return;
    }
    let _ = dialog.remove_attribute("open");
    let asked = dialog.first_element_child();
    let asked = asked.and_then(|asked| asked.dyn_into::<HtmlElement>().ok());
    if let Some(asked) = &asked {
        // Else the browser gives the focus to the first button for a moment. Set only now, it has no part in the load of the page.
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

/// The checkout around it.
fn checkout(dialog: &HtmlDialogElement) -> Option<HtmlElement> {
    dialog.closest("section").ok()??.dyn_into().ok()
}
