use super::view_context::ViewContext;
use crate::texts::Text;
use browser_kit::copy_button::CopyButton;
use browser_kit::texts::spelled;
use yew::{AttrValue, Html, html};

/// A number with a button that copies it, in groups on the screen, and digit by digit aloud.
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
