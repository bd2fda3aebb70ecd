//! The tables of the guides. Each is between two comments of the guide, `<!-- printed: name -->` and
//! `<!-- /printed -->`; everything around it is written by hand.

use crate::declaration::{Declaration, cell, result_detail};
use anyhow::{Context, Result, bail};
use element_surface::events::{ErrorDetail, StatusDetail};
use element_surface::{CHECKOUT, Element, Member, Named, OPERATIONS, actions, error_codes, states};
use tsify::Tsify;

/// The guides with tables.
pub(super) const GUIDES: [&str; 2] = ["docs/element.md", "docs/theming.md"];

const BEGIN: &str = "<!-- printed: ";
const END: &str = "<!-- /printed -->";

/// A guide with its tables as they are now.
pub(super) fn with_tables(guide: &str) -> Result<String> {
    let mut parts = guide.split(BEGIN);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part
            .split_once(" -->\n")
            .context("a comment before a table does not end")?;
        let (_, rest) = rest
            .split_once(END)
            .with_context(|| format!("`{END}` is missing after the table {name}"))?;
        text.push_str(&format!("{BEGIN}{name} -->\n{}{END}{rest}", table(name)?));
    }
    Ok(text)
}

fn table(name: &str) -> Result<String> {
    Ok(match name {
        "attributes" => attributes(&CHECKOUT),
        "properties" => named("Property", CHECKOUT.properties.iter().map(member)),
        "states" => named("`state`", states().iter().map(thing)),
        "methods" => named("Method", CHECKOUT.methods.iter().map(method)),
        "events" => events(&CHECKOUT),
        "operation" => named(
            "Field",
            fields(Declaration::of(StatusDetail::DECL)).into_iter(),
        ),
        "result" => named("Field", fields(result_detail()).into_iter()),
        "actions" => rows(
            &["`action`", "The payer"],
            actions()
                .iter()
                .map(|word| vec![code(word.name), cell(word.about)]),
        ),
        "error" => named(
            "Field",
            fields(Declaration::of(ErrorDetail::DECL)).into_iter(),
        ),
        "error-codes" => rows(
            &["`code`", "Cause", "`retryable`"],
            error_codes()
                .iter()
                .map(|word| vec![code(word.name), cell(word.cause), word.retryable.to_owned()]),
        ),
        "slots" => named("Slot", CHECKOUT.slots.iter().map(thing)),
        "parts" => named("Part", CHECKOUT.parts.iter().map(thing)),
        "custom-properties" => custom_properties(&CHECKOUT),
        "operations-attributes" => attributes(&OPERATIONS),
        "operations-events" => events(&OPERATIONS),
        "operations-parts" => named("Part", OPERATIONS.parts.iter().map(thing)),
        "operations-custom-properties" => custom_properties(&OPERATIONS),
        other => bail!("there is no table named {other}"),
    })
}

fn attributes(element: &Element) -> String {
    let row = |attribute: &element_surface::Attribute| {
        vec![
            code(attribute.name),
            attribute.absent.to_owned(),
            attribute.described().trim().to_owned(),
        ]
    };
    rows(
        &["Attribute", "If absent", ""],
        element.attributes.iter().map(row),
    )
}

fn events(element: &Element) -> String {
    let row = |event: &element_surface::Event| {
        vec![
            code(event.name),
            event.when.to_owned(),
            event.about_detail.to_owned(),
        ]
    };
    rows(
        &["Event", "When", "`detail`"],
        element.events.iter().map(row),
    )
}

fn custom_properties(element: &Element) -> String {
    let row = |property: &element_surface::Property| {
        vec![
            code(property.name),
            property.default.to_owned(),
            property.about.to_owned(),
        ]
    };
    rows(
        &["Property", "Default, light and dark", "What it is"],
        element.custom_properties.iter().map(row),
    )
}

fn member(member: &Member) -> (String, String) {
    let read_only = if member.is_read_only {
        "read-only: "
    } else {
        ""
    };
    (code(member.name), format!("{read_only}{}", member.about))
}

/// A method with the names of its parameters.
fn method(method: &Member) -> (String, String) {
    let parameters = method.typescript.split(')').next().unwrap_or_default();
    let names: Vec<_> = parameters
        .trim_start_matches('(')
        .split(", ")
        .filter_map(|parameter| parameter.split(':').next())
        .filter(|name| !name.is_empty() && !name.ends_with('?'))
        .collect();
    (
        code(&format!("{}({})", method.name, names.join(", "))),
        method.about.to_owned(),
    )
}

fn thing(named: &Named) -> (String, String) {
    (code(named.name), cell(named.about))
}

fn fields(declaration: Declaration<'_>) -> Vec<(String, String)> {
    let fields = declaration.fields.into_iter();
    fields
        .map(|field| (code(field.name), field.about))
        .collect()
}

fn named(title: &str, things: impl Iterator<Item = (String, String)>) -> String {
    rows(&[title, ""], things.map(|(name, about)| vec![name, about]))
}

fn rows(titles: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells: String = cells
            .iter()
            .map(|cell| match cell.as_str() {
                "" => " |".to_owned(),
                cell => format!(" {cell} |"),
            })
            .collect();
        format!("|{cells}\n")
    };
    let titles: Vec<_> = titles.iter().map(|title| (*title).to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(titles.len()));
    let rows: String = rows.map(|cells| line(&cells)).collect();
    line(&titles) + &rule + &rows
}

fn code(name: &str) -> String {
    match name {
        "" => "(none)".to_owned(),
        name => format!("`{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::with_tables;

    #[test]
    fn the_text_around_a_table_stays() {
        let guide = "before\n<!-- printed: methods -->\nold\n<!-- /printed -->\nafter\n";
        let text = with_tables(guide).unwrap();
        assert!(
            text.starts_with(
                "before\n<!-- printed: methods -->\n| Method | |\n|---|---|\n| `cancel()` |"
            ),
            "{text}"
        );
        assert!(text.ends_with("|\n<!-- /printed -->\nafter\n"), "{text}");
        assert!(with_tables("<!-- printed: nothing -->\n<!-- /printed -->").is_err());
        assert!(with_tables("<!-- printed: methods -->\n").is_err());
    }
}
