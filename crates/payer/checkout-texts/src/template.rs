//! Sentences with placeholders for values: `Paga {amount}`.

/// Fills the placeholders. One without a value stays as it is, so that a mistake in a page's override is visible.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let value = after.split_once('}').and_then(|(name, next)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, next))
        });
        rest = if let Some((value, next)) = value {
            filled.push_str(value);
            // The last period of "12:15 p.m." also ends the sentence.
            match next.strip_prefix('.') {
                Some(next) if value.ends_with('.') => next,
                _ => next,
            }
        } else {
            filled.push('{');
            after
        };
    }
    filled.push_str(rest);
    filled
}

/// The names of the placeholders, in their order.
pub fn places(template: &str) -> impl Iterator<Item = &str> {
    let after = template.split('{').skip(1);
    after.filter_map(|after| Some(after.split_once('}')?.0))
}

#[cfg(test)]
mod tests {
    use super::{fill, places};

    #[test]
    fn places_are_filled_and_mistakes_stay() {
        let check = |template: &str, expected: &str| {
            assert_eq!(fill(template, &[("a", "1"), ("b", "{a}")]), expected);
        };
        check("", "");
        check("x {a} y {b} z {a}", "x 1 y {a} z 1");
        check("{c} {a", "{c} {a");
        check("{{a}}", "{1}");
        let dot = |template: &str| fill(template, &[("time", "2 p.m.")]);
        assert_eq!(dot("Hasta las {time}."), "Hasta las 2 p.m.");
        assert_eq!(dot("{time}, {time}"), "2 p.m., 2 p.m.");
        check("}{", "}{");
    }

    #[test]
    fn places_are_found() {
        assert!(places("{b} {a} {b} {c").eq(["b", "a", "b"]));
    }
}
