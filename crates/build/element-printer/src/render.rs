//! Draws what the views return as HTML, by Yew's server renderer.

use anyhow::Result;
use yew::{Html, LocalServerRenderer, Properties, component};

#[derive(Properties, PartialEq)]
struct DrawnProps {
    html: Html,
}

#[component]
fn Drawn(props: &DrawnProps) -> Html {
    props.html.clone()
}

/// Elements of the views that have no content, which HTML does not close.
const VOID: [&str; 2] = ["<img ", "<input "];

/// As XML, which a small parser reads.
pub(super) fn render(html: Html) -> Result<String> {
    let renderer = LocalServerRenderer::<Drawn>::with_props(DrawnProps { html });
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let html = tokio::task::LocalSet::new().block_on(&runtime, renderer.hydratable(false).render());
    Ok(VOID.iter().fold(html, |html, tag| closed(&html, tag)))
}

/// Closes each element of this tag. Attributes have no `>`, which the renderer escapes.
fn closed(html: &str, tag: &str) -> String {
    let mut parts = html.split(tag);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let (attributes, rest) = part.split_once('>').unwrap_or((part, ""));
        [all.as_str(), tag, attributes, "/>", rest].concat()
    })
}

#[cfg(test)]
mod tests {
    use super::render;
    use element_surface::{CHECKOUT, Named};
    use roxmltree::Document;
    use std::collections::BTreeSet;

    /// The values of an attribute on all screens, word by word.
    fn words(tag: Option<&str>, attribute: &str) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        for (name, html) in gallery::all() {
            // Text of the page may have names that XML does not know.
            let html = render(html).unwrap();
            let document =
                Document::parse(&html).unwrap_or_else(|error| panic!("{name}: {error}: {html}"));
            let nodes = document.descendants();
            let nodes = nodes.filter(|node| tag.is_none_or(|tag| node.has_tag_name(tag)));
            let values = nodes.filter_map(|node| node.attribute(attribute));
            words.extend(values.flat_map(str::split_whitespace).map(str::to_owned));
        }
        words
    }

    fn names(things: &[Named]) -> BTreeSet<String> {
        let names = things.iter().map(|thing| thing.name);
        let names = names.filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    }

    #[test]
    fn the_parts_of_the_screens_are_those_that_are_described() {
        let mut drawn = words(None, "part");
        // The element's script draws the first, and only a browser formats the time of the second.
        drawn.extend(["failure", "deadline"].map(str::to_owned));
        assert_eq!(drawn, names(CHECKOUT.parts));
    }

    #[test]
    fn the_slots_of_the_screens_are_those_that_are_described() {
        assert_eq!(words(Some("slot"), "name"), names(CHECKOUT.slots));
    }
}
