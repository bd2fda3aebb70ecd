use crate::random::{NoRandomness, digits};

/// A fresh operation number: the installation's prefix, then random digits up to the length.
///
/// It is no counter: a restored backup or a second installation would count the same numbers again,
/// and every transaction needs a different number.
pub(crate) fn mint_number(prefix: &str, length: usize) -> Result<String, NoRandomness> {
    let digits = digits(length.saturating_sub(prefix.len()))?;
    Ok(format!("{prefix}{digits}"))
}

#[cfg(test)]
mod tests {
    use super::mint_number;

    #[test]
    fn numbers_have_the_prefix_and_the_length() {
        let number = mint_number("A7", 12).unwrap();
        assert!(number.starts_with("A7") && number.len() == 12);
        assert_ne!(number, mint_number("A7", 12).unwrap());
    }
}
