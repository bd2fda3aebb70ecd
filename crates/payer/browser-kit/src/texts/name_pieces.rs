/// The minimum of letters and digits of a piece, before which a line may break.
const FEWEST: usize = 3;

/// Returns a name such as `1001-000000-A` in the pieces between which a line may end: after its own
/// separators, but never so that one or two letters stand alone. A name of several words ends its
/// lines between them, and is one piece.
#[must_use]
pub fn pieces(name: &str) -> Vec<&str> {
    if name.contains(char::is_whitespace) {
        return vec![name];
    }
    let (mut pieces, mut start, mut letters) = (Vec::new(), 0, 0);
    let mut ends = false;
    for (at, letter) in name.char_indices() {
        let separates = separates(letter);
        if ends && !separates && letters >= FEWEST {
            pieces.push((start, at));
            (start, letters) = (at, 0);
        }
        letters += usize::from(!separates);
        ends = separates;
    }
    match pieces.last_mut() {
        Some((_, end)) if letters < FEWEST => *end = name.len(),
        _ => pieces.push((start, name.len())),
    }
    let piece = |(start, end): (usize, usize)| name.get(start..end).unwrap_or_default();
    pieces.into_iter().map(piece).collect()
}

/// True for a sign between letters and digits. Outside of Latin scripts some signs count as letters:
/// the standard library knows all of them, in tables that are 2 KB of the download.
fn separates(letter: char) -> bool {
    if letter.is_ascii() {
        return !letter.is_ascii_alphanumeric();
    }
    matches!(
        letter,
        '\u{80}'..='\u{a9}'
            | '\u{ab}'..='\u{b1}'
            | '\u{b4}'
            | '\u{b6}'..='\u{b8}'
            | '\u{bb}'
            | '\u{bf}'
            | '×'
            | '÷'
            // Punctuation, currencies, arrows, mathematics, shapes, and the punctuation of East Asia.
            | '\u{2000}'..='\u{206f}'
            | '\u{20a0}'..='\u{20cf}'
            | '\u{2190}'..='\u{245f}'
            | '\u{2500}'..='\u{2bff}'
            | '\u{3000}'..='\u{3004}'
            | '\u{3008}'..='\u{3020}'
    )
}

#[cfg(test)]
mod tests {
    use super::{pieces, separates};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_line_ends_at_a_separator_and_leaves_no_letter_alone() {
        let check = |name: &str, expected: &[&str]| assert_eq!(pieces(name), expected);
        check("1001-000000-A", &["1001-", "000000-A"]);
        check("A-1-000000", &["A-1-000000"]);
        check("AB-1-000000", &["AB-1-", "000000"]);
        check("RETAMA-11-21-0001", &["RETAMA-", "11-21-", "0001"]);
        check("2026/11/21#0001", &["2026/", "11/21#", "0001"]);
        check("PEDIDO--77", &["PEDIDO--77"]);
        check("número-año-1", &["número-", "año-1"]);
        check("482193017756", &["482193017756"]);
        check("Rosa Quispe, mesa 5-A", &["Rosa Quispe, mesa 5-A"]);
        check("---", &["---"]);
        check("", &[""]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn signs_separate_and_letters_do_not() {
        for letter in ('\0'..'\u{250}').chain('\u{2000}'..'\u{2070}') {
            assert_eq!(separates(letter), !letter.is_alphanumeric(), "{letter:?}");
        }
        for letter in ['α', 'Ж', 'ש', 'ع', 'あ', '注', '한'] {
            assert!(!separates(letter), "{letter}");
        }
        for sign in ['€', '→', '−', '■', '、', '「'] {
            assert!(separates(sign), "{sign}");
        }
    }
}
