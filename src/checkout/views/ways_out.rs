use super::scene::{Scene, paragraph};
use crate::texts::Text;
use checkout_flow::Event;
use yew::{Callback, Html, KeyboardEvent, html};

/// The ways out of a screen that waits, or the question that replaces them. `first` comes before
/// them.
pub(super) fn ways_out(scene: &Scene<'_>, first: Html) -> Html {
    if scene.view.asks_to_cancel {
        return ask(scene);
    }
    html! {
        <>
            if scene.view.cancel_failed {
                { paragraph("note", &scene.text(Text::CancelFailed)) }
            }
            <div class="actions" part="actions">
                { first }
                if !scene.view.read_only {
                    { scene.button("plain", Text::ActionAnother, || Event::AnotherWayPressed) }
                    { scene.button("quiet", Text::ActionCancel, || Event::CancelPressed) }
                }
            </div>
        </>
    }
}

/// Asks if the payer means to cancel, in place of the buttons, so that a QR above stays.
fn ask(scene: &Scene<'_>) -> Html {
    let send = scene.send.clone();
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
            <h3 id="ask-heading">{ scene.text(Text::AskHeading) }</h3>
            <div id="ask-lead">{ paragraph("muted", &scene.text(Text::AskLead)) }</div>
            <div class="actions">
                { scene.button("primary", Text::AskKeep, || Event::CancelDismissed) }
                { scene.button("danger", Text::AskCancel, || Event::CancelConfirmed) }
            </div>
        </div>
    }
}
