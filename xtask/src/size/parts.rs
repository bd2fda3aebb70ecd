//! The owner and the purpose of a function in the wasm, by its name.
//!
//! A generic function counts for the one who needs it: a table of the standard library with Yew's
//! types in it is Yew's.

/// Our own crates, as names of functions have them.
const OURS: &[&str] = &[
    "payment_checkout",
    "checkout_flow",
    "checkout_element",
    "payment_model",
    "browser_kit",
    "staff_element",
    "staff_model",
];

/// The owners of what is not ours.
const OWNERS: &[(&str, &[&str])] = &[
    ("Yew", &["yew", "implicit_clone", "indexmap"]),
    ("serde", &["serde_core", "serde", "serde_json"]),
    (
        "gloo",
        &["gloo_net", "gloo_timers", "gloo_events", "gloo_utils"],
    ),
    (
        "wasm-bindgen",
        &["wasm_bindgen", "wasm_bindgen_futures", "js_sys", "web_sys"],
    ),
    ("the allocator", &["rlsf"]),
    (
        "the standard library: maps of hashes",
        &["hashbrown", "foldhash"],
    ),
    ("the standard library: core", &["core"]),
    ("the standard library: alloc", &["alloc"]),
    ("the standard library: std", &["std", "compiler_builtins"]),
];

/// The purposes, and a part of the names of their functions. The first one that fits counts.
const PURPOSES: &[(&str, &[&str])] = &[
    ("drop glue", &["drop_in_place", "::drop_slow"]),
    (
        "reading JSON",
        &[
            "serde_core::de",
            "json::read",
            "json::Json",
            "deserialize",
            "open_fields",
        ],
    ),
    (
        "writing JSON",
        &[
            "serde_core::ser",
            "json::write",
            "json::to_value",
            "static_str_to_js",
        ],
    ),
    ("hashing", &["hashbrown", "::hash::", "indexmap::"]),
    ("ordered maps", &["btree"]),
    (
        "clone and compare",
        &["clone::Clone>", "cmp::PartialEq", "cmp::Ord"],
    ),
    ("formatting", &["core::fmt", "::fmt::"]),
    ("texts", &["::texts::", "browser_kit::written_number"]),
    ("views", &["::views", "browser_kit::copy_button"]),
    ("flow", &["checkout_flow::", "staff_state::"]),
    ("model", &["payment_model::", "staff_model::"]),
    (
        "requests and other services of the browser",
        &["::browser::", "browser_kit::", "gloo_", "api_client"],
    ),
    (
        "component",
        &[
            "payment_checkout::",
            "checkout_element::",
            "staff_element::",
        ],
    ),
    ("Yew", &["yew::", "implicit_clone::"]),
    (
        "border to JavaScript",
        &["wasm_bindgen::", "js_sys::", "web_sys::", "__wbindgen"],
    ),
    (
        "strings",
        &[
            "str>",
            "core::str",
            "core::char",
            "char>",
            "::string::",
            "alloc::str",
            "memchr",
            "unicode",
        ],
    ),
    ("memory", &["rlsf::", "raw_vec", "alloc::", "mem", "__rust"]),
];

/// The name without the hashes of crates: `a::b` for `a[0123]::b`.
pub(super) fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let hash = after.split_once(']');
        rest = match hash.filter(|(hash, _)| is_hash(hash)) {
            Some((_, next)) => next,
            None => {
                plain.push('[');
                after
            }
        };
    }
    plain.push_str(rest);
    plain
}

fn is_hash(text: &str) -> bool {
    text.len() >= 12 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The owner of a function of this plain name: the first crate of ours in it, or else the first of
/// somebody else's, or else the part of the standard library.
pub(super) fn owner(name: &str) -> &'static str {
    let crates = crates(name);
    let first = |known: &[&'static str]| {
        let mut named = crates.iter();
        named.find_map(|name| known.iter().find(|known| *known == name).copied())
    };
    first(OURS).unwrap_or_else(|| {
        let owners = OWNERS.iter();
        let mut owners = owners.filter(|(_, theirs)| first(theirs).is_some());
        owners.next().map_or("(no crate)", |(owner, _)| owner)
    })
}

/// The purpose of a function of this plain name.
pub(super) fn purpose(name: &str) -> &'static str {
    let mut purposes = PURPOSES.iter();
    let purpose = purposes.find(|(_, parts)| parts.iter().any(|part| name.contains(part)));
    purpose.map_or("the rest of the standard library", |(purpose, _)| purpose)
}

/// The words before `::` that begin a path.
fn crates(name: &str) -> Vec<&str> {
    let mut crates = Vec::new();
    let mut before = "";
    for word in name.split_inclusive("::") {
        let path = word.strip_suffix("::").unwrap_or_default();
        let start = path.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_');
        // A word right behind `::` goes on with a path.
        if start.is_some() || before.is_empty() {
            crates.push(&path[start.map_or(0, |start| start + 1)..]);
        }
        before = word;
    }
    crates
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "<hashbrown[94712d66413e7333]::raw::RawTable<yew[69b9dde5600bfdc5]::dom_bundle::Key>>::find";

    #[test]
    fn hashes_of_crates_are_left_out() {
        assert_eq!(
            plain(TABLE),
            "<hashbrown::raw::RawTable<yew::dom_bundle::Key>>::find"
        );
        assert_eq!(plain("<[core::u8]>::sort[1]"), "<[core::u8]>::sort[1]");
    }

    #[test]
    fn a_generic_function_counts_for_whoever_needs_it() {
        let check = |name: &str, who: &str, what: &str| {
            let name = plain(name);
            assert_eq!((owner(&name), purpose(&name)), (who, what), "{name}");
        };
        check(TABLE, "Yew", "hashing");
        check(
            "<yew::html::CompStateInner<payment_checkout::checkout::component::Checkout> as yew::html::Stateful>::create",
            "payment_checkout",
            "component",
        );
        check(
            "<payment_model::date::DateObject as serde_core::de::Deserialize>::deserialize::<browser_kit::json::Json>",
            "payment_model",
            "reading JSON",
        );
        check(
            "core::ptr::drop_in_place::<checkout_flow::flow::Flow>",
            "checkout_flow",
            "drop glue",
        );
        check(
            "payment_checkout::checkout::views::page",
            "payment_checkout",
            "views",
        );
        check("<str>::trim", "(no crate)", "strings");
        check(
            "<alloc::raw_vec::RawVecInner>::finish_grow",
            "the standard library: alloc",
            "memory",
        );
    }
}
