use std::ops::Deref;
use std::rc::Rc;
use yew::html::IntoPropValue;
use yew::{AttrValue, Html, html};

/// A text for the payer: as it is seen, as it is heard, and its language where that is not the
/// element's. Shared, since every screen hands many of them around.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Words(Rc<Spoken>);

#[derive(Debug, PartialEq, Default)]
struct Spoken {
    seen: AttrValue,
    /// None when it is heard as it is seen.
    heard: Option<AttrValue>,
    lang: Option<AttrValue>,
}

impl<T: Into<AttrValue>> From<T> for Words {
    fn from(text: T) -> Self {
        Self::new(text.into(), None, None)
    }
}

/// As it is seen.
impl Deref for Words {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.seen
    }
}

impl Words {
    /// A text, in another language than the element's if there is one.
    pub(crate) fn new(seen: AttrValue, heard: Option<String>, lang: Option<AttrValue>) -> Self {
        let heard = heard.filter(|heard| **heard != *seen).map(AttrValue::from);
        Self(Rc::new(Spoken { seen, heard, lang }))
    }

    /// Its language where that is not the element's.
    pub(crate) fn lang(&self) -> Option<AttrValue> {
        self.0.lang.clone()
    }

    /// As it is seen, for an attribute.
    pub(crate) fn seen(&self) -> AttrValue {
        self.0.seen.clone()
    }

    /// As it is heard, for an attribute.
    pub(crate) fn heard(&self) -> AttrValue {
        self.0.heard.as_ref().unwrap_or(&self.0.seen).clone()
    }

    /// The same as a node.
    pub(crate) fn heard_alone(&self) -> Html {
        Html::from(self.heard())
    }

    /// As it is heard and nothing else, for what only a screen reader gets, with this after it.
    pub(crate) fn aloud(&self, end: &str) -> Html {
        html! { <span lang={self.lang()}>{ format!("{}{end}", self.heard()) }</span> }
    }
}

impl From<&Words> for Html {
    fn from(words: &Words) -> Self {
        let Spoken { seen, heard, lang } = &*words.0;
        match heard {
            None if lang.is_none() => Html::from(seen),
            None => words.aloud(""),
            Some(heard) => html! {
                <>
                    <span aria-hidden="true" lang={lang.clone()}>{ seen }</span>
                    <span class="unseen" lang={lang.clone()}>{ heard }</span>
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
