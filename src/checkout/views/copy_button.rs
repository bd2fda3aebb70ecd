use crate::texts::{Text, Texts};
use browser_kit::copy_button::{CopyButton, CopyButtonProps};
use yew::{AttrValue, Html, html};

/// A number with a button that copies it: `value` is copied, `shown` is on the screen.
pub(super) fn copy_button(
    texts: &Texts,
    value: &str,
    shown: String,
    label: Text,
    name: Text,
) -> Html {
    let props = CopyButtonProps {
        value: AttrValue::from(value.to_owned()),
        shown: AttrValue::from(shown),
        label: texts.text(label),
        name: texts.text(name),
        done: texts.text(Text::Copied),
        failed: texts.text(Text::CopyFailed),
    };
    html! { <CopyButton ..props /> }
}
