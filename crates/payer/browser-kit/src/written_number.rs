//! Numbers, names and amounts as people compare them by eye, in pieces that stay in one line: no translator may change
//! them.

use crate::texts::{groups, pieces};
use yew::{AttrValue, Html, html};

/// An operation number or a cash code in its groups. The room between two groups is no character,
/// so that whoever copies the number by hand has the number alone.
pub fn number(number: &str) -> Html {
    match groups(number) {
        Ok(groups) => {
            let group = |group| html! { <span class="piece group" translate="no">{ group }</span> };
            html! { <>{ for groups.iter().map(String::as_str).map(group) }</> }
        }
        Err(other) => label(&other).unwrap_or_else(|| Html::from(other)),
    }
}

/// A name that somebody else made, such as `1001-000000-A`: a line ends after one of its own
/// separators, and no piece is a single letter. `None` for a name that is one piece.
#[must_use]
pub fn label(text: &str) -> Option<Html> {
    let pieces = pieces(text);
    (pieces.len() > 1).then(|| {
        let piece = |piece| html! { <span class="piece" translate="no">{ piece }</span> };
        html! { <>{ for pieces.into_iter().map(piece) }</> }
    })
}

/// Such a text as it is.
pub fn exact(text: impl Into<AttrValue>) -> Html {
    html! { <span translate="no">{ text.into() }</span> }
}
