use maud::{Markup, html};
use payment_model::MerchantOperationNumber;

/// Formats an operation number like the shop's page, so that a payer can compare them: in groups of four
/// digits, of which the last is never a single digit. The gap is made by CSS and not by a character, so that
/// copying gives the plain number. A number with other characters is shown unchanged.
pub(super) fn number(number: &MerchantOperationNumber) -> Markup {
    let text = number.as_str();
    html! {
        @match groups(text) {
            Some(groups) => @for group in groups { span class="group" { (group) } },
            None => (text),
        }
    }
}

fn groups(number: &str) -> Option<Vec<&str>> {
    let plain = number.len() > 5 && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (mut rest, mut groups) = (plain.then_some(number)?, Vec::new());
    while !rest.is_empty() {
        let length = if rest.len() == 5 {
            3
        } else {
            rest.len().min(4)
        };
        let (group, others) = rest.split_at(length);
        groups.push(group);
        rest = others;
    }
    Some(groups)
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn numbers_are_grouped_as_on_the_shops_page() {
        let check = |number, expected: &str| {
            let groups = groups(number).map(|groups| groups.join(" "));
            assert_eq!(groups.as_deref().unwrap_or(number), expected);
        };
        check("482193017756", "4821 9301 7756");
        check("48219301775", "4821 9301 775");
        check("4821930177", "4821 9301 77");
        check("482193017", "4821 930 17");
        check("482193", "4821 93");
        check("48219", "48219");
        check("A1B2C3D4", "A1B2 C3D4");
        check("ORD-2024-0001", "ORD-2024-0001");
        check("número1", "número1");
        check("", "");
    }
}
