use super::question::question;
use super::view_context::{Kind, ViewContext, paragraph};
use crate::texts::Text;
use checkout_flow::Event;
use yew::{Html, html};

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
