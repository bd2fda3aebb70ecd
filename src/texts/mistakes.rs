use super::Text;
use browser_kit::texts::{Locale, places};

/// Returns the mistakes in a page's wording of the text with this key, in a sentence each.
pub(super) fn of(key: &str, wording: &str) -> Vec<String> {
    let Some(text) = Text::ALL.iter().find(|text| text.key() == key) else {
        let near = near(key).map(|near| format!("; the nearest is {near}"));
        return vec![format!(
            "there is no text named {key}{}",
            near.unwrap_or_default()
        )];
    };
    // Every language has the same places.
    let own = super::own(*text, Locale::default());
    let tell = |what: &'static str| move |name: &str| format!("{key}{what}{{{name}}}");
    let unknown = places(wording).filter(|name| places(own).all(|known| known != *name));
    let missing = places(own).filter(|name| places(wording).all(|said| said != *name));
    unknown
        .map(tell(" has no value for "))
        .chain(missing.map(tell(" leaves out ")))
        .collect()
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
    use super::of;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn keys_that_no_text_has_are_named_with_the_nearest() {
        let check = |key, mistake: &str| assert_eq!(of(key, "text"), [mistake]);
        check(
            "qr.scan-stop",
            "there is no text named qr.scan-stop; the nearest is qr.scan-step",
        );
        check("Heading", "there is no text named Heading");
        check("", "there is no text named ");
        assert!(of("qr.save", "text").is_empty());
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn places_that_are_unknown_or_left_out_are_named() {
        assert!(of("qr.verify-payee-step", "{amount}: {payee}").is_empty());
        assert_eq!(
            of("qr.ready", "Paga {amuont}"),
            [
                "qr.ready has no value for {amuont}",
                "qr.ready leaves out {amount}"
            ]
        );
    }
}
