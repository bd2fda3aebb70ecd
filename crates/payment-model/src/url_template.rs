/// An address out of a template such as `/charges/{merchant_code}`: each name in braces gives way to
/// its value, which stays one segment of the path. A name without a value stays as it is.
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

/// A segment of a path that stays a single one: `.` and `..` would be resolved even
/// percent-encoded, and an empty one would be lost.
fn segment(text: &str) -> String {
    if matches!(text, "" | "." | "..") {
        return "%20".to_owned();
    }
    percent_encoded(text)
}

/// A text that ends nothing where it stands in an address.
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
