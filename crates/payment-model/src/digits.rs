/// A number in decimal digits. The standard library's way brings all of its formatting along, 0.7 KB of a
/// payer's download.
#[must_use]
pub fn digits(number: u64) -> String {
    let mut text = match number / 10 {
        0 => String::new(),
        higher => digits(higher),
    };
    text.push(char::from(b'0' + (number % 10) as u8));
    text
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn every_number_is_written_as_the_standard_library_does() {
        for number in [0, 7, 10, 99, 100, 387_000, u64::MAX] {
            assert_eq!(digits(number), number.to_string());
        }
    }
}
