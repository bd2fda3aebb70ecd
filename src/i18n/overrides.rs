use super::{Text, Wording};

/// Texts of the page in place of ours, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides(pub Vec<(String, String)>);

impl Overrides {
    /// The page's own wording of a text.
    pub(super) fn get<T: Wording>(&self, text: T) -> Option<&str> {
        // Most pages override nothing, and then no key is looked at.
        self.0
            .iter()
            .find(|(key, _)| key == text.key())
            .map(|(_, wording)| wording.as_str())
    }

    /// The keys that no text of ours has, in the order given.
    #[must_use]
    pub fn unknown_keys(&self) -> Vec<&str> {
        self.0
            .iter()
            .map(|(key, _)| key.as_str())
            .filter(|key| Text::ALL.iter().all(|text| text.key() != *key))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Overrides;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn keys_that_no_text_has_are_named() {
        let pair = |key: &str| (key.to_owned(), "text".to_owned());
        let overrides = Overrides(vec![pair("qr.heading"), pair("qr.headin"), pair("")]);
        assert_eq!(overrides.unknown_keys(), ["qr.headin", ""]);
    }
}
