//! Numbers and names as a payer compares them by eye, in pieces that stay in one line.

use crate::texts::{groups, pieces};
use yew::{Html, html};

/// An operation number or a cash code in its groups. The room between two groups is no character,
/// so that whoever copies the number by hand has the number alone.
#[must_use]
pub fn number(number: &str) -> Html {
    match groups(number) {
        Ok(groups) => unbroken("piece group", groups.iter().map(String::as_str)),
        Err(other) => label(&other),
    }
}

/// A name that somebody else made, such as `1001-000000-A`: a line ends after one of its own
/// separators, and no piece is a single letter.
#[must_use]
pub fn label(text: &str) -> Html {
    unbroken("piece", pieces(text).into_iter())
}

fn unbroken<'a>(class: &'static str, pieces: impl ExactSizeIterator<Item = &'a str>) -> Html {
    let whole = pieces.len() < 2;
    let piece = |piece: &str| {
        if whole {
            html! { { piece } }
        } else {
            html! { <span {class}>{ piece }</span> }
        }
    };
    html! { <>{ for pieces.map(piece) }</> }
}
