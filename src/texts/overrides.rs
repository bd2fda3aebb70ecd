use super::Text;
use std::rc::Rc;
use yew::AttrValue;

/// Wordings in place of the component's own: by the page, or of a language that the page loaded as a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overrides {
    /// In the order of [`Text`]. Shared, since properties are cloned.
    overrides: Rc<[Option<Override>]>,
    #[cfg(feature = "languages")]
    mistakes: Rc<[String]>,
}

/// A wording in place of the component's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    /// The wording, with placeholders for the values, as in `Pay {amount}`.
    pub wording: AttrValue,
    /// True when the page wrote it, so it is in the page's language. False for a wording of the component's
    /// language.
    pub of_page: bool,
}

impl Overrides {
    /// Overrides in the order of all texts; the list may end early.
    #[must_use]
    pub fn in_order(overrides: Vec<Option<Override>>) -> Self {
        Self {
            overrides: overrides.into(),
            #[cfg(feature = "languages")]
            mistakes: Rc::default(),
        }
    }

    /// Overrides of the page by the keys of the texts, such as `choose.heading`. An unknown key is ignored, and
    /// reported by [`mistakes`](Self::mistakes).
    #[cfg(feature = "languages")]
    #[must_use]
    pub fn by_key(texts: &[(&str, &str)]) -> Self {
        let mut overrides = vec![None; Text::ALL.len()];
        let mut mistakes = vec![];
        for (key, wording) in texts {
            mistakes.extend(super::mistakes::of(key, wording));
            let place = Text::ALL.iter().position(|text| text.key() == *key);
            if let Some(place) = place.and_then(|place| overrides.get_mut(place)) {
                *place = Some(Override {
                    wording: AttrValue::from((*wording).to_owned()),
                    of_page: true,
                });
            }
        }
        Self {
            overrides: overrides.into(),
            mistakes: mistakes.into(),
        }
    }

    /// The override of a text.
    pub(super) fn get(&self, text: Text) -> Option<&Override> {
        self.overrides.get(text as usize)?.as_ref()
    }

    /// Returns a sentence about each mistake in the page's overrides, for the developer of the page: an unknown
    /// key, a placeholder without a value, a value that the wording leaves out.
    #[cfg(feature = "languages")]
    #[must_use]
    pub fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}
