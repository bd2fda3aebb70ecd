use super::copy_button::copy_button;
use super::view_context::ViewContext;
use crate::texts::Text;
use yew::{Html, html};

/// The operation number, folded away: the payer reads a code to the agent, or waits for one, and would read out another number as
/// well.
pub(super) fn folded_number(context: &ViewContext<'_>) -> Html {
    html! {
        if let Some(number) = context.number() {
            <details class="fold">
                <summary>{ context.text(Text::NumberLabel) }</summary>
                { copy_button(context, number, Text::NumberCopy, Text::NumberCopyLabel) }
            </details>
        }
    }
}

/// The operation number, which the payer needs for every question to support.
pub(super) fn operation_number(context: &ViewContext<'_>) -> Html {
    let Some(number) = context.number() else {
        return Html::default();
    };
    let copy = copy_button(context, number, Text::NumberCopy, Text::NumberCopyLabel);
    html! {
        <div class="facts" part="operation">
            <span class="muted">{ context.text(Text::NumberLabel) }</span>
            { copy }
        </div>
    }
}
