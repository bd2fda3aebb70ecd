//! What a wasm takes from the page has a row in `docs/browser-functions.md`, which says what happens where it fails.

use crate::project;
use anyhow::{Result, bail};
use fs_err as fs;
use std::collections::BTreeSet;

const LIST: &str = "docs/browser-functions.md";

/// The digits of the hash at the end of an import's name, with the `_` before them.
const HASH: usize = 17;

/// Refuses glue with an import that has no row.
pub(super) fn check(glue: &str) -> Result<()> {
    let list = fs::read_to_string(project::root().join(LIST))?;
    let rows = listed(&list);
    let missing: Vec<_> = members(glue)
        .into_iter()
        .filter(|name| !rows.contains(name))
        .collect();
    if !missing.is_empty() {
        bail!(
            "{LIST} has no row for what the wasm imports: {}. Say there of which kind it is, and what happens where it fails",
            missing.join(", ")
        );
    }
    Ok(())
}

/// The names in the first column of the table: each whole, and without its interface.
fn listed(list: &str) -> BTreeSet<String> {
    let rows = list.lines().filter_map(|line| line.strip_prefix("| `"));
    let columns = rows.filter_map(|row| row.split(" |").next());
    let names = columns.flat_map(|column| column.split('`').step_by(2));
    let both = names.flat_map(|name| [name, name.rsplit('.').next().unwrap_or(name)]);
    both.map(str::to_owned).collect()
}

/// What the imports call, such as `getItem`, `Date.now`, `new URL` and `instanceof Window`. Imports that only move values
/// between the wasm and JavaScript call nothing of the page.
fn members(glue: &str) -> BTreeSet<String> {
    let pieces: Vec<&str> = glue.split(":function(").collect();
    let each = pieces.windows(2).filter_map(|pair| {
        let name = pair[0].rsplit(['{', ',']).next()?.strip_prefix("__wbg_")?;
        let name = name.get(..name.len().checked_sub(HASH)?)?;
        (!name.starts_with('_')).then(|| member(name, pair[1]))
    });
    each.flatten().collect()
}

/// `None` for the marks that Yew puts on nodes, for globals and for items of lists.
fn member(name: &str, body: &str) -> Option<String> {
    let calls_nothing = ["static_accessor_", "get_unchecked", "get_with_ref_key"];
    if body.contains("__yew_") || calls_nothing.iter().any(|it| name.starts_with(it)) {
        return None;
    }
    let word = |text: &str| {
        let end = text.find(|letter: char| !letter.is_ascii_alphanumeric());
        text[..end.unwrap_or(text.len())].to_owned()
    };
    if name.starts_with("new") {
        return body
            .split_once("new ")
            .map(|(_, class)| format!("new {}", word(class)));
    }
    if let Some(class) = name.strip_prefix("instanceof_") {
        // wasm-bindgen writes some names in its own way.
        return Some(format!("instanceof {}", class.replace("Html", "HTML")));
    }
    let call = body.split_once("ret=").map_or("", |(_, call)| call);
    let (class, rest) = call.split_once('.').unwrap_or_default();
    if class.starts_with(|letter: char| letter.is_ascii_uppercase()) && word(class) == class {
        return Some(format!("{class}.{}", word(rest)));
    }
    let name = name.strip_prefix("set_").unwrap_or(name);
    let name = name
        .strip_prefix("prototype")
        .map_or(name, |call| call.trim_end_matches("call"));
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = "{__wbg_Number_0123456789abcdef:function(arg0){const ret=Number(arg0);return ret},\
        __wbg_now_0123456789abcdef:function(){const ret=Date.now();return ret},\
        __wbg_now_1123456789abcdef:function(arg0){const ret=arg0.now();return ret},\
        __wbg_new_0123456789abcdef:function(){return handleError(function(){const ret=new Headers;return ret},arguments)},\
        __wbg_set_href_0123456789abcdef:function(arg0,arg1,arg2){arg0.href=getStringFromWasm0(arg1,arg2)},\
        __wbg_instanceof_HtmlElement_0123456789abcdef:function(arg0){let result;},\
        __wbg_subtree_id_0123456789abcdef:function(arg0){const ret=arg0.__yew_subtree_id;return ret},\
        __wbg___wbindgen_in_0123456789abcdef:function(arg0,arg1){const ret=arg0 in arg1;return ret}}";

    #[test]
    fn the_members_that_imports_call_are_named() {
        let expected = [
            "Date.now",
            "Number",
            "href",
            "instanceof HTMLElement",
            "new Headers",
            "now",
        ];
        assert_eq!(members(GLUE), expected.map(str::to_owned).into());
    }

    #[test]
    fn a_row_names_members_with_or_without_their_interface() {
        let rows = listed(
            "| Function | Kind |\n|---|---|\n| `Window.fetch`, `new URL` | caught, `not` |\n",
        );
        let expected = ["Window.fetch", "fetch", "new URL"];
        let missing: Vec<_> = expected
            .iter()
            .filter(|name| !rows.contains(**name))
            .collect();
        assert!(missing.is_empty() && !rows.contains("not"), "{rows:?}");
    }
}
