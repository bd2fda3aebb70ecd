use super::scene::{Scene, paragraph};
use crate::i18n::Text;
use checkout_flow::Event;
use yew::{Callback, Html, KeyboardEvent, html};

/// Whether the payer means to cancel: in place of the buttons, so that a QR above stays.
pub(super) fn ask(scene: &Scene<'_>) -> Html {
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
