use super::view_context::ViewContext;
use crate::texts::Text;
use browser_kit::copy_button::CopyTexts;
use browser_kit::texts::spelled;
use yew::{AttrValue, Html};

/// A number with a button that copies it, in groups on the screen, and digit by digit aloud.
pub(super) fn copy_button(context: &ViewContext<'_>, value: &str, label: Text, name: Text) -> Html {
    let texts = context.around.texts;
    context.around.copying.button(&CopyTexts {
        value: AttrValue::from(value.to_owned()),
        grouped: true,
        heard: Some(AttrValue::from(spelled(value))),
        label: texts.text(label).seen(),
        name: texts.text(name).seen(),
        done: texts.text(Text::Copied).seen(),
        failed: texts.text(Text::CopyFailed).seen(),
    })
}
