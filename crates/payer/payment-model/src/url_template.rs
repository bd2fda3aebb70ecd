/// Fills a template such as `/charges/{merchant_code}`: each name in braces is replaced by its value, which
/// always stays one segment of the path. A name without a value is left unchanged.
#[must_use]
pub fn filled_url(template: &str, values: &[(&str, &str)]) -> String {
    let mut url = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        url.push_str(before);
        let value = after.split_once('}').and_then(|(name, next)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, next))
        });
        rest = if let Some((value, next)) = value {
            url.push_str(&segment(value));
            next
        } else {
            url.push('{');
            after
        };
    }
    url.push_str(rest);
    url
}

/// Encodes a value as exactly one segment of a path. Browsers resolve `.` and `..` even
/// percent-encoded, and drop an empty segment, so these become a blank.
fn segment(text: &str) -> String {
    if matches!(text, "" | "." | "..") {
        return "%20".to_owned();
    }
    percent_encoded(text)
}

/// Percent-encodes all characters of a text but the unreserved ones of RFC 3986.
#[must_use]
pub fn percent_encoded(text: &str) -> String {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::filled_url;

    #[test]
    fn every_name_gives_way_to_its_value_and_no_value_leaves_its_place() {
        let check = |template: &str, expected: &str| {
            let values = [
                ("code", "a/b"),
                ("number", ".."),
                ("id", ""),
                ("n", "{code}"),
            ];
            assert_eq!(filled_url(template, &values), expected, "{template}");
        };
        check("", "");
        check(
            "https://shop.example/{code}?q={code}",
            "https://shop.example/a%2Fb?q=a%2Fb",
        );
        check("/{number}/{id}/{n}", "/%20/%20/%7Bcode%7D");
        check("/{unknown}/{code", "/{unknown}/{code");
    }
}
