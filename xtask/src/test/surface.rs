//! Checks that the guides name everything that the elements offer to a page.

use super::tally::Tally;
use crate::say;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Some names of one file, and the guide that has them.
struct Offer {
    file: &'static str,
    guide: &'static str,
    what: &'static str,
    names: fn(&str) -> BTreeSet<&str>,
}

const OFFERS: &[Offer] = &[
    Offer {
        file: "www/element/attributes.js",
        guide: "docs/element.md",
        what: "attribute",
        names: attributes,
    },
    Offer {
        file: "crates/checkout-element/src/events.rs",
        guide: "docs/element.md",
        what: "event",
        names: |text| after(text, "\"checkout-"),
    },
    Offer {
        file: "www/element/checkout.js",
        guide: "docs/element.md",
        what: "slot",
        names: |text| after(text, "@slot "),
    },
    Offer {
        file: "www/element/style.css",
        guide: "docs/theming.md",
        what: "property",
        names: |text| after(text, "var(--checkout-"),
    },
    Offer {
        file: "www/element/checkout.js",
        guide: "docs/theming.md",
        what: "part",
        names: |text| after(text, "@csspart "),
    },
    Offer {
        file: "www/staff-element/back-office.js",
        guide: "docs/element.md",
        what: "attribute",
        names: attributes,
    },
    Offer {
        file: "www/staff-element/style.css",
        guide: "docs/theming.md",
        what: "property",
        names: |text| after(text, "var(--operations-"),
    },
    Offer {
        file: "www/staff-element/back-office.js",
        guide: "docs/theming.md",
        what: "part",
        names: |text| after(text, "@csspart "),
    },
];

/// One check for each offer.
pub(super) fn check(root: &Path) -> Result<Tally> {
    let read = |path: &str| {
        fs::read_to_string(root.join(path)).with_context(|| format!("could not read {path}"))
    };
    let mut tally = Tally::default();
    for offer in OFFERS {
        let Offer {
            file, guide, what, ..
        } = offer;
        let (source, text) = (read(file)?, read(guide)?);
        let names = (offer.names)(&source);
        if names.is_empty() {
            bail!("{file} tells its names in another way than `{what}`");
        }
        let missing = missing(&text, &names);
        for name in &missing {
            say!("error: {guide} does not name the {what} `{name}` of {file}");
        }
        tally += Tally::one(missing.is_empty());
    }
    Ok(tally)
}

/// The names that stand in no backticks of a guide.
fn missing<'a>(guide: &str, names: &BTreeSet<&'a str>) -> Vec<&'a str> {
    let quoted: BTreeSet<&str> = guide.split('`').skip(1).step_by(2).collect();
    let unsaid = names.iter().filter(|name| !quoted.contains(*name));
    unsaid.copied().collect()
}

/// The texts of the list `ATTRIBUTES`.
fn attributes(source: &str) -> BTreeSet<&str> {
    let list = source.split("const ATTRIBUTES = [").nth(1);
    let list = list.and_then(|list| list.split(']').next());
    list.unwrap_or_default()
        .split('\'')
        .skip(1)
        .step_by(2)
        .collect()
}

/// The names after `mark`; the name begins after the mark's last quotation mark, bracket or blank.
fn after<'a>(source: &'a str, mark: &str) -> BTreeSet<&'a str> {
    let own = mark
        .rfind(['"', '(', ' '])
        .map_or(mark.len(), |at| mark.len() - at - 1);
    let name = |at: usize| {
        let name = source.get(at + mark.len() - own..)?;
        let end = name.find(|letter: char| !(letter.is_ascii_lowercase() || letter == '-'));
        name.get(..end.unwrap_or(name.len()))
    };
    let places = source.match_indices(mark);
    places
        .filter_map(|(at, _)| name(at))
        // `@slot - …` is the slot without a name.
        .filter(|name| name.starts_with("--") || name.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{after, attributes, missing};
    use std::collections::BTreeSet;

    #[test]
    fn names_are_found_where_they_stand() {
        let check = |source, mark, expected: &[&str]| {
            let expected: BTreeSet<&str> = expected.iter().copied().collect();
            assert_eq!(after(source, mark), expected, "{mark}");
        };
        let notices = "tell(host, \"checkout-ready\"); \"checkout-result\", \"checkout-ready\"";
        check(
            notices,
            "\"checkout-",
            &["checkout-ready", "checkout-result"],
        );
        let style = "a: var(--checkout-on-accent, #fff); b: var(--checkout-gap)";
        check(
            style,
            "var(--checkout-",
            &["--checkout-gap", "--checkout-on-accent"],
        );
        let slots = "@slot - none\n@slot paid-twice - both\n@slot paid - one";
        check(slots, "@slot ", &["paid", "paid-twice"]);
        let list = "const ATTRIBUTES = [\n  'amount',\n  'base-url',\n];\n'more'";
        assert_eq!(attributes(list), BTreeSet::from(["amount", "base-url"]));
    }

    #[test]
    fn what_a_guide_leaves_out_is_missing() {
        let names = BTreeSet::from(["amount", "base-url", "locale"]);
        assert_eq!(
            missing("`amount`, base-url", &names),
            ["base-url", "locale"]
        );
    }
}
