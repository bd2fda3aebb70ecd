use super::untrusted_text::sanitized;

/// Returns an operation number or a cash code in groups of four, which are easy to say aloud. A
/// number with other characters than letters and digits has its own order and stays as it is.
#[must_use]
pub fn grouped(number: &str) -> String {
    match groups(number) {
        Ok(groups) => groups.join(" "),
        Err(other) => other,
    }
}

/// Returns the groups of a number.
///
/// # Errors
/// Returns a number that has no groups, sanitized.
pub fn groups(number: &str) -> Result<Vec<String>, String> {
    let number = sanitized(number);
    if number.len() <= 5 || !number.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(number);
    }
    let mut groups = vec![String::new()];
    for (at, digit) in number.chars().enumerate() {
        let left = number.len() - at;
        // A single last digit is easily forgotten, so 5 digits are 3 and 2 instead of 4 and 1.
        let starts_group = if number.len() % 4 == 1 && left <= 4 {
            left == 2
        } else {
            at % 4 == 0
        };
        if at > 0 && starts_group {
            groups.push(String::new());
        }
        if let Some(group) = groups.last_mut() {
            group.push(digit);
        }
    }
    Ok(groups)
}

/// Returns a number for a screen reader: single digits with a pause after each group, since "4821" would be read
/// as an amount. A number with other characters than letters and digits stays as it is.
#[must_use]
pub fn spelled(number: &str) -> String {
    let groups = grouped(number);
    if !groups
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b' ')
    {
        return groups;
    }
    let mut said = String::with_capacity(groups.len() * 2);
    for digit in groups.chars() {
        match digit {
            ' ' => said.push(','),
            _ if said.is_empty() => {}
            _ => said.push(' '),
        }
        if digit != ' ' {
            said.push(digit);
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::{grouped, spelled};

    #[test]
    fn numbers_are_said_in_groups() {
        let check = |number: &str, groups: &str| assert_eq!(grouped(number), groups);
        check("482193017756", "4821 9301 7756");
        check("48219301775", "4821 9301 775");
        check("4821930177", "4821 9301 77");
        check("482193017", "4821 930 17");
        check("482193", "4821 93");
        check("48219", "48219");
        check("", "");
        check("A1B2C3D4", "A1B2 C3D4");
        check("ORD-2024-0001", "ORD-2024-0001");
        check("número1", "número1");
    }

    #[test]
    fn numbers_are_heard_digit_by_digit() {
        let check = |number: &str, said: &str| assert_eq!(spelled(number), said);
        check("482193017", "4 8 2 1, 9 3 0, 1 7");
        check("48219", "4 8 2 1 9");
        check("", "");
        check("A1B2C3", "A 1 B 2, C 3");
        check("ORD-2024-0001", "ORD-2024-0001");
    }
}
