//! Links of a document that is read outside of the repository.

use crate::names::Names;
use anyhow::{Context, Result};

/// The document with each link's target replaced. Where there is no target, a link becomes its words, and a picture the
/// text that stands for it.
pub(crate) fn replaced(
    text: &str,
    target: impl Fn(&str) -> Result<Option<String>>,
) -> Result<String> {
    let mut parts = text.split("](");
    let mut done = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (old, rest) = part
            .split_once(')')
            .context("a link without its end, `)`")?;
        match target(old)? {
            Some(new) => done.push_str(&format!("]({new})")),
            None => {
                let opening = opening(&done).context("a link without its beginning, `[`")?;
                done.remove(opening);
                if done[..opening].ends_with('!') {
                    done.remove(opening - 1);
                }
            }
        }
        done.push_str(rest);
    }
    Ok(done)
}

/// Where the bracket is that the end of this text closes.
fn opening(text: &str) -> Option<usize> {
    let mut open = 1;
    text.char_indices().rev().find_map(|(at, letter)| {
        match letter {
            ']' => open += 1,
            '[' => open -= 1,
            _ => {}
        }
        (open == 0).then_some(at)
    })
}

/// The address of a file of the repository, if the repository is ours.
pub(crate) fn to_file(names: &Names, revision: &str, path: &str) -> Option<String> {
    // The page of a file is no picture.
    let view = if path.ends_with(".png") {
        "raw"
    } else {
        "blob"
    };
    let repository = names.repository()?;
    Some(format!("{repository}/{view}/{revision}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn a_link_without_a_target_becomes_its_words() {
        let text =
            "[a](b) ![a `picture`](c.png), [d [e]](c.png) [f](c.png). [![g](c.png)](b) [h][i]";
        let target = |old: &str| Ok((old == "b").then(|| "new".to_owned()));
        let expected = "[a](new) a `picture`, d [e] f. [g](new) [h][i]";
        assert_eq!(replaced(text, target).unwrap(), expected);
        assert!(replaced("[a](b", target).is_err());
        assert!(replaced("a](c.png)", target).is_err());
    }
}
