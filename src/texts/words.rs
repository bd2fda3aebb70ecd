use std::ops::Deref;
use yew::html::IntoPropValue;
use yew::{AttrValue, Html, html};

/// A text for the payer: as it is seen, as it is heard, and its language where that is not the
/// element's.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Words {
    seen: AttrValue,
    /// None when it is heard as it is seen.
    heard: Option<AttrValue>,
    pub(crate) lang: Option<AttrValue>,
}

impl<T: Into<AttrValue>> From<T> for Words {
    fn from(text: T) -> Self {
        Self {
            seen: text.into(),
            ..Self::default()
        }
    }
}

/// As it is seen.
impl Deref for Words {
    type Target = str;

    fn deref(&self) -> &str {
        &self.seen
    }
}

impl Words {
    /// The same, said aloud in another way.
    pub(crate) fn heard_as(mut self, heard: String) -> Self {
        self.heard = (heard != *self.seen).then(|| heard.into());
        self
    }

    /// The same in this language.
    pub(crate) fn in_language(mut self, lang: Option<AttrValue>) -> Self {
        self.lang = lang;
        self
    }

    /// As it is seen, for an attribute.
    pub(crate) fn seen(&self) -> AttrValue {
        self.seen.clone()
    }

    /// As it is heard, for an attribute.
    pub(crate) fn heard(&self) -> AttrValue {
        self.heard.as_ref().unwrap_or(&self.seen).clone()
    }

    /// As it is heard and nothing else, for what only a screen reader gets, with this after it.
    pub(crate) fn aloud(&self, end: &str) -> Html {
        html! { <span lang={self.lang.clone()}>{ [&*self.heard(), end].concat() }</span> }
    }
}

impl From<&Words> for Html {
    fn from(words: &Words) -> Self {
        let lang = || words.lang.clone();
        match &words.heard {
            None if words.lang.is_none() => Html::from(&words.seen),
            None => words.aloud(""),
            Some(heard) => html! {
                <>
                    <span aria-hidden="true" lang={lang()}>{ &words.seen }</span>
                    <span class="unseen" lang={lang()}>{ heard }</span>
                </>
            },
        }
    }
}

impl From<Words> for Html {
    fn from(words: Words) -> Self {
        Html::from(&words)
    }
}

// For an only child; the one above is for a child among others.
impl IntoPropValue<Html> for Words {
    fn into_prop_value(self) -> Html {
        self.into()
    }
}

impl IntoPropValue<Html> for &Words {
    fn into_prop_value(self) -> Html {
        self.into()
    }
}
