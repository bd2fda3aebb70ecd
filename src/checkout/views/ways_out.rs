use super::view_context::{ViewContext, paragraph};
use crate::texts::Text;
use checkout_flow::Event;
use yew::{Callback, Html, KeyboardEvent, html};

/// The ways out of a screen that waits, or the question that replaces them. `first` comes before
/// them.
pub(super) fn ways_out(context: &ViewContext<'_>, first: Html) -> Html {
    if context.view.asks_to_cancel {
        return ask(context);
    }
    html! {
        <>
            if context.view.cancel_failed {
                { paragraph("note", &context.text(Text::CancelFailed)) }
            }
            <div class="actions" part="actions">
                { first }
                if !context.view.read_only {
                    { context.button("plain", Text::ActionAnother, || Event::AnotherWayPressed) }
                    { context.button("quiet", Text::ActionCancel, || Event::CancelPressed) }
                }
            </div>
        </>
    }
}

/// Asks if the payer means to cancel, in place of the buttons, so that a QR above stays.
fn ask(context: &ViewContext<'_>) -> Html {
    let send = context.send.clone();
    let onkeydown = Callback::from(move |key: KeyboardEvent| {
        if key.key() == "Escape" {
            // A dialog of the page around must not close as well.
            key.prevent_default();
            key.stop_propagation();
            send.emit(Event::CancelDismissed);
        }
    });
    html! {
        <div
            class="ask"
            part="confirm"
            role="alertdialog"
            aria-labelledby="ask-heading"
            aria-describedby="ask-lead"
            {onkeydown}
        >
            <h3 id="ask-heading">{ context.text(Text::AskHeading) }</h3>
            <div id="ask-lead">{ paragraph("muted", &context.text(Text::AskLead)) }</div>
            <div class="actions">
                { context.button("primary", Text::AskKeep, || Event::CancelDismissed) }
                { context.button("danger", Text::AskCancel, || Event::CancelConfirmed) }
            </div>
        </div>
    }
}
