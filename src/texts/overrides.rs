use super::Text;
use std::rc::Rc;
use yew::AttrValue;

/// Texts in place of those that the component brings along: of a page, or of a language that came as a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overrides {
    /// By the place of the text in the list of all; shared, since properties are copied.
    given: Rc<[Option<Override>]>,
    #[cfg(feature = "languages")]
    mistakes: Rc<[String]>,
}

/// A text that takes the place of ours.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    /// The wording, with places for values as in ours.
    pub wording: AttrValue,
    /// True when the page wrote it, in the page's language.
    pub of_page: bool,
}

impl Overrides {
    /// Texts in the order of the list of all texts, which ends at the last that is given.
    #[must_use]
    pub fn in_order(given: Vec<Option<Override>>) -> Self {
        Self {
            given: given.into(),
            #[cfg(feature = "languages")]
            mistakes: Rc::default(),
        }
    }

    /// Texts of the page by their keys, such as `choose.heading`. A key that no text has is passed over, and
    /// is among the [mistakes](Self::mistakes).
    #[cfg(feature = "languages")]
    #[must_use]
    pub fn by_key(texts: &[(&str, &str)]) -> Self {
        let mut given = vec![None; Text::ALL.len()];
        let mut mistakes = vec![];
        for (key, wording) in texts {
            mistakes.extend(super::mistakes::of(key, wording));
            let place = Text::ALL.iter().position(|text| text.key() == *key);
            if let Some(given) = place.and_then(|place| given.get_mut(place)) {
                *given = Some(Override {
                    wording: AttrValue::from((*wording).to_owned()),
                    of_page: true,
                });
            }
        }
        Self {
            given: given.into(),
            mistakes: mistakes.into(),
        }
    }

    /// The wording in place of a text of ours.
    pub(super) fn get(&self, text: Text) -> Option<&Override> {
        self.given.get(text as usize)?.as_ref()
    }

    /// Returns the mistakes in the page's texts, in a sentence each, for the developer of the page: a
    /// key that no text has, a placeholder that has no value there, a value that the text leaves
    /// out.
    #[cfg(feature = "languages")]
    #[must_use]
    pub fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}
