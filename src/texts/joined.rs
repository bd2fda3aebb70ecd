//! The Spanish texts one after another, and their lengths: an address and a length for each compress to 0.3 KB
//! more of the download.

use super::{Text, es_pe};

/// The bytes of all texts.
const SIZE: usize = {
    let (mut size, mut at) = (0, 0);
    while at < Text::ALL.len() {
        size += es_pe::text(Text::ALL[at]).len();
        at += 1;
    }
    size
};

static LENGTHS: [u8; Text::ALL.len()] = JOINED.0;
static TEXTS: &str = match str::from_utf8(&JOINED.1) {
    Ok(texts) => texts,
    // Joined texts are a text.
    Err(_) => "",
};

const JOINED: ([u8; Text::ALL.len()], [u8; SIZE]) = {
    let (mut lengths, mut bytes) = ([0; Text::ALL.len()], [0; SIZE]);
    let (mut at, mut end) = (0, 0);
    while at < Text::ALL.len() {
        let text = es_pe::text(Text::ALL[at]).as_bytes();
        assert!(text.len() < 256);
        lengths[at] = text.len() as u8;
        let mut byte = 0;
        while byte < text.len() {
            bytes[end] = text[byte];
            end += 1;
            byte += 1;
        }
        at += 1;
    }
    (lengths, bytes)
};

/// One of them.
pub(super) fn text(text: Text) -> &'static str {
    let at = text as usize;
    let lengths = LENGTHS.iter().map(|length| usize::from(*length));
    let start = lengths.clone().take(at).sum();
    let end = lengths.take(at + 1).sum();
    TEXTS.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Text, es_pe};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn each_text_is_found_again() {
        for text in Text::ALL {
            assert_eq!(super::text(*text), es_pe::text(*text));
        }
    }
}
