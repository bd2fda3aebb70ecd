use super::view_context::ViewContext;
use crate::texts::Text;
use browser_kit::copy_button::CopyButton;
use browser_kit::texts::spelled;
use yew::{AttrValue, Html, html};

/// The operation number behind a press: the payer reads a code to an agent, or waits for one, and must not read
/// out this number by mistake.
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

/// The operation number, which support asks the payer for.
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

/// A number with a button that copies it. The eye sees groups of digits, a screen reader says single digits.
pub(super) fn copy_button(context: &ViewContext<'_>, value: &str, label: Text, name: Text) -> Html {
    let text = |text| context.text(text).seen();
    html! {
        <CopyButton
            value={AttrValue::from(value.to_owned())}
            grouped=true
            heard={AttrValue::from(spelled(value))}
            label={text(label)}
            name={text(name)}
            done={text(Text::Copied)}
            failed={text(Text::CopyFailed)}
        />
    }
}
