use super::qr;
use super::view_context::{ViewContext, paragraph};
use crate::texts::Text;
use checkout_flow::Event;
use yew::{AttrValue, Html, html};

/// The outline of the QR screen, with its steps, and as large as that: nothing jumps when the
/// code comes. The words stand where the code will.
pub(super) fn skeleton(context: &ViewContext<'_>, lead: &AttrValue) -> Html {
    html! {
        <>
            <div class="pay">
                <div class="tile bone">{ paragraph("lead", lead) }</div>
                <div class="side">
                    { qr::steps(context) }
                    <div class="keep"><span class="save bone" /></div>
                </div>
            </div>
            <div class="bone row" />
            <div class="bone row" />
            // The later buttons, as wide as they will be in this language. The payer cannot see or reach them
            // yet.
            <div class="actions unsaid">
                { context.button("plain", Text::ActionAnother, || Event::AnotherWayPressed) }
                { context.button("quiet", Text::ActionCancel, || Event::CancelPressed) }
            </div>
        </>
    }
}
