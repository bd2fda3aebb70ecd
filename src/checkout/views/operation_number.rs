use super::copy_button::copy_button;
use super::view_context::ViewContext;
use crate::texts::Text;
use yew::{Html, html};

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
