/// A piece with fewer letters and digits than this would be lost alone in a line.
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
        let separates = !letter.is_alphanumeric();
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

#[cfg(test)]
mod tests {
    use super::pieces;
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
}
