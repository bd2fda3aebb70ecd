use crate::texts::{Text, Texts};
use browser_kit::copy_button::{CopyButton, CopyButtonProps};
use browser_kit::texts::spelled;
use yew::{AttrValue, Html, html};

/// A number with a button that copies it, in groups on the screen, and digit by digit aloud.
pub(super) fn copy_button(texts: &Texts, value: &str, label: Text, name: Text) -> Html {
    let props = CopyButtonProps {
        value: AttrValue::from(value.to_owned()),
        grouped: true,
        heard: Some(AttrValue::from(spelled(value))),
        label: texts.text(label).seen(),
        name: texts.text(name).seen(),
        done: texts.text(Text::Copied).seen(),
        failed: texts.text(Text::CopyFailed).seen(),
    };
    html! { <CopyButton ..props /> }
}
