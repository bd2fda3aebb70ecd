use std::ops::Deref;
use std::rc::Rc;
use yew::html::IntoPropValue;
use yew::{AttrValue, Html, html};

/// A text for the payer: what the eye sees, what a screen reader says, and its language if that is not
/// the element's. Cheap to clone, since every screen passes many of them on.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SpokenText(Rc<Parts>);

#[derive(Debug, PartialEq, Default)]
struct Parts {
    seen: AttrValue,
    /// `None` when a screen reader says what the eye sees.
    heard: Option<AttrValue>,
    lang: Option<AttrValue>,
}

impl<T: Into<AttrValue>> From<T> for SpokenText {
    fn from(text: T) -> Self {
        Self::new(text.into(), None, None)
    }
}

/// Gives the seen text.
impl Deref for SpokenText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.seen
    }
}

impl SpokenText {
    /// A text. `lang` is its language if that is not the element's.
    pub(crate) fn new(seen: AttrValue, heard: Option<String>, lang: Option<AttrValue>) -> Self {
        let heard = heard.filter(|heard| **heard != *seen).map(AttrValue::from);
        Self(Rc::new(Parts { seen, heard, lang }))
    }

    /// Its language if that is not the element's.
    pub(crate) fn lang(&self) -> Option<AttrValue> {
        self.0.lang.clone()
    }

    /// The seen text, for an attribute.
    pub(crate) fn seen(&self) -> AttrValue {
        self.0.seen.clone()
    }

    /// The spoken text, for an attribute.
    pub(crate) fn heard(&self) -> AttrValue {
        self.0.heard.as_ref().unwrap_or(&self.0.seen).clone()
    }

    /// Only the spoken text, as a node.
    pub(crate) fn heard_node(&self) -> Html {
        Html::from(self.heard())
    }

    /// Only the spoken text and its language, for a region of screen readers. `end` is appended.
    pub(crate) fn aloud(&self, end: &str) -> Html {
        html! { <span lang={self.lang()}>{ format!("{}{end}", self.heard()) }</span> }
    }
}

impl From<&SpokenText> for Html {
    fn from(text: &SpokenText) -> Self {
        let Parts { seen, heard, lang } = &*text.0;
        match heard {
            None if lang.is_none() => Html::from(seen),
            None => text.aloud(""),
            Some(heard) => html! {
                <>
                    <span aria-hidden="true" lang={lang.clone()}>{ seen }</span>
                    <span class="unseen" lang={lang.clone()}>{ heard }</span>
                </>
            },
        }
    }
}

impl From<SpokenText> for Html {
    fn from(text: SpokenText) -> Self {
        Html::from(&text)
    }
}

// Yew converts an only child by this, and a child among others by `From`.
impl IntoPropValue<Html> for SpokenText {
    fn into_prop_value(self) -> Html {
        self.into()
    }
}

impl IntoPropValue<Html> for &SpokenText {
    fn into_prop_value(self) -> Html {
        self.into()
    }
}
