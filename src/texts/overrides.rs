use super::Text;
use browser_kit::texts::{Locale, places};

/// Texts of the page in place of ours, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides(pub Vec<(String, String)>);

impl Overrides {
    /// The page's own wording of a text.
    pub(super) fn get(&self, text: Text) -> Option<&str> {
        // Most pages override nothing, and then no key is looked at.
        self.0
            .iter()
            .find(|(key, _)| key == text.key())
            .map(|(_, wording)| wording.as_str())
    }

    /// Returns the mistakes in the overrides, in a sentence each, for the developer of the page: a
    /// key that no text has, a placeholder that has no value there, a value that the text leaves
    /// out.
    #[must_use]
    pub fn mistakes(&self) -> Vec<String> {
        let mut mistakes = vec![];
        for (key, wording) in &self.0 {
            let Some(text) = Text::ALL.iter().find(|text| text.key() == key) else {
                let mut mistake = ["there is no text named ", key].concat();
                if let Some(near) = near(key) {
                    mistake.extend(["; the nearest is ", near]);
                }
                mistakes.push(mistake);
                continue;
            };
            // Every language has the same places.
            let own = text.own(Locale::default());
            let mut tell = |name: &str, what: &str| {
                mistakes.push([key, what, "{", name, "}"].concat());
            };
            places(wording)
                .filter(|name| places(own).all(|known| known != *name))
                .for_each(|name| tell(name, " has no value for "));
            places(own)
                .filter(|name| places(wording).all(|said| said != *name))
                .for_each(|name| tell(name, " leaves out "));
        }
        mistakes
    }
}

/// The key that begins most like this one, if any does.
fn near(key: &str) -> Option<&'static str> {
    let alike = |known: &str| {
        let pairs = key.bytes().zip(known.bytes());
        pairs.take_while(|(a, b)| a == b).count()
    };
    let keys = Text::ALL.iter().map(|text| text.key());
    // Two letters are "qr".
    keys.max_by_key(|known| alike(known))
        .filter(|known| alike(known) >= 2)
}

#[cfg(test)]
mod tests {
    use super::Overrides;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn mistakes(key: &str, wording: &str) -> Vec<String> {
        Overrides(vec![(key.to_owned(), wording.to_owned())]).mistakes()
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn keys_that_no_text_has_are_named_with_the_nearest() {
        let check = |key, mistake: &str| assert_eq!(mistakes(key, "text"), [mistake]);
        check(
            "qr.save-stop",
            "there is no text named qr.save-stop; the nearest is qr.save-step",
        );
        check("Heading", "there is no text named Heading");
        check("", "there is no text named ");
        assert!(mistakes("qr.save", "text").is_empty());
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn places_that_are_unknown_or_left_out_are_named() {
        assert!(mistakes("qr.verify-payee-step", "{amount}: {payee}").is_empty());
        assert_eq!(
            mistakes("qr.heading", "Paga {amuont}"),
            [
                "qr.heading has no value for {amuont}",
                "qr.heading leaves out {amount}"
            ]
        );
    }
}
