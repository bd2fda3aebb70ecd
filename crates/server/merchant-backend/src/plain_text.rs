//! Settings and files of one value, as editors and tools leave them.

/// A text without the blanks around it and without a byte order mark, which editors write.
///
/// # Errors
/// Some tools keep the quotes of an environment file, which would be a part of the value.
pub(crate) fn plain(text: &str) -> Result<&str, &'static str> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let is_quoted = |quote| text.len() > 1 && text.starts_with(quote) && text.ends_with(quote);
    if is_quoted('"') || is_quoted('\'') {
        return Err("has quotes around it, which would be a part of it; leave them out");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_value_has_no_byte_order_mark_and_no_quotes_around_it() {
        assert_eq!(plain("\u{feff}canary\r\n"), Ok("canary"));
        for one in ["El \"Sol\"", "\"", "'s Hertogenbosch"] {
            assert_eq!(plain(one), Ok(one));
        }
        for quoted in ["\"canary\"", "'canary'\n", "\u{feff}\"\""] {
            let error = plain(quoted).unwrap_err();
            assert!(error.contains("quotes") && !error.contains("canary"));
        }
    }
}
