use super::heading_tag::below;
use super::view_context::{Kind, ViewContext, paragraph};
use crate::texts::Text;
use checkout_flow::{Event, Intent};
use yew::{Callback, Html, KeyboardEvent, html};

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
                { ask(context, intent) }
            }
        </>
    }
}

/// Asks if the payer means to cancel, or to leave the operation for another method. The frame opens it as a modal dialog, over the foot of the
/// window, so that a QR above can be seen; on show it stands where it is.
fn ask(context: &ViewContext<'_>, intent: Intent) -> Html {
    let (heading, lead, confirm) = match intent {
        Intent::Stop => (Text::AskHeading, Text::AskLead, Text::AskCancel),
        Intent::AnotherWay => (
            Text::AskAnotherHeading,
            Text::AskAnotherLead,
            Text::AskAnother,
        ),
    };
    let send = context.send.clone();
    let onkeydown = Callback::from(move |key: KeyboardEvent| {
        if key.key() == "Escape" {
            // A dialog of the page around must not close as well.
            key.prevent_default();
            key.stop_propagation();
            send.emit(Event::CancelDismissed);
        }
    });
    let send = context.send.clone();
    // The browser closes it too: by Escape while nothing in it has the focus, by Back on a phone.
    let onclose = Callback::from(move |_| send.emit(Event::CancelDismissed));
    let on_show = context.around.frame.is_none();
    html! {
        <dialog
            class="ask"
            data-here={on_show.then_some("")}
            part="confirm"
            role="alertdialog"
            open={on_show}
            aria-labelledby="ask-heading ask-lead"
            {onkeydown}
            {onclose}
        >
            <@{below(context.around.heading_level)} id="ask-heading" class="subtitle">{ context.text(heading) }</@>
            <div id="ask-lead">{ paragraph(Kind::Muted, &context.text(lead)) }</div>
            <div class="actions">
                { context.button("primary", Text::AskKeep, || Event::CancelDismissed) }
                { context.button("danger", confirm, || Event::CancelConfirmed) }
            </div>
        </dialog>
    }
}
