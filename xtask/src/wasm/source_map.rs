//! Maps each line of a module without comments to its source, for developers who debug a page.
//!
//! A source map after <https://tc39.es/ecma426/>: each line of the shipped module is one segment that
//! names the line and the indentation of its source.

use serde_json::json;

/// A map for `stripped`, whose lines are those of `source` at `lines`, as (line, column), both
/// counted from 0. The source travels in the map.
pub(crate) fn of(name: &str, source: &str, lines: &[(usize, usize)]) -> String {
    let mut mappings = String::new();
    let (mut line_before, mut column_before) = (0, 0);
    for (line, column) in lines.iter().copied() {
        // Generated column, file, line, column; all but the first as differences.
        digits(&mut mappings, 0);
        digits(&mut mappings, 0);
        digits(&mut mappings, difference(line, line_before));
        digits(&mut mappings, difference(column, column_before));
        mappings.push(';');
        (line_before, column_before) = (line, column);
    }
    let map = json!({
        "version": 3,
        "file": name,
        "sources": [name],
        "sourcesContent": [source],
        "names": [],
        "mappings": mappings,
    });
    map.to_string()
}

fn difference(new: usize, old: usize) -> i64 {
    let signed = |number: usize| i64::try_from(number).unwrap_or_default();
    signed(new) - signed(old)
}

/// Base 64 VLQ: five bits a digit, the sign in the lowest bit, the sixth bit for "more follow".
fn digits(text: &mut String, number: i64) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = number.unsigned_abs() << 1 | u64::from(number < 0);
    loop {
        let (digit, more) = ((rest & 31) as usize, rest > 31);
        text.push(char::from(DIGITS[digit | usize::from(more) << 5]));
        rest >>= 5;
        if !more {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_has_them() {
        for (number, expected) in [
            (0, "A"),
            (1, "C"),
            (-1, "D"),
            (15, "e"),
            (16, "gB"),
            (-511, "/f"),
        ] {
            let mut text = String::new();
            digits(&mut text, number);
            assert_eq!(text, expected, "{number}");
        }
    }

    #[test]
    fn each_line_names_its_source() {
        let map: serde_json::Value =
            serde_json::from_str(&of("a.js", "// A.\n\nb;\n  c;\n", &[(2, 0), (3, 2)])).unwrap();
        assert_eq!(map["mappings"], "AAEA;AACE;");
        assert_eq!(map["sources"][0], "a.js");
        assert_eq!(map["sourcesContent"][0], "// A.\n\nb;\n  c;\n");
    }
}
