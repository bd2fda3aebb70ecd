//! Runs wasm-opt, which gives short names to the imports and exports between the glue and the wasm, and makes the wasm as
//! small as possible.
//!
//! wasm-bindgen gives every import a name that ends in a hash and writes it into both files, where
//! compression cannot shorten the hashes: 5 KB of the download on 2026-11-21.

use super::compile::FEATURES;
use super::module::Module;
use crate::child;
use crate::tools::BuildTools;
use anyhow::{Context, Result, bail};
use fs_err as fs;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// The renamings that wasm-opt reports. For each import: its module, old name and new name; the
/// module is called `a` afterwards. For each export: its old name and new name.
#[derive(Deserialize)]
struct Renamed {
    imports: Vec<(String, String, String)>,
    exports: Vec<(String, String)>,
}

/// Renames in the wasm and in the glue in the module's work folder.
pub(super) fn shorten_names(tools: &BuildTools, work: &Path, module: &Module) -> Result<()> {
    let wasm = work.join(module.wasm_file());
    let mut list = String::new();
    let renamed = child::run_lines(
        tools
            .node
            .command("wasm-opt")
            .args(FEATURES)
            .args(["--debuginfo", "--minify-imports-and-exports-and-modules"])
            .arg(&wasm)
            .arg("--output")
            .arg(&wasm),
        |line| list.push_str(line),
    )?;
    if !renamed {
        bail!("wasm-opt could not shorten the names; its own words are above");
    }
    let list = serde_json::from_str(&list).context("wasm-opt lists new names in another form")?;
    let path = work.join(module.glue_file());
    let glue = fs::read_to_string(&path)?;
    let glue = in_glue(&glue, &list)?;
    Ok(fs::write(&path, glue)?)
}

/// Renames imports and exports in the glue. wasm-bindgen writes an import as `name:function(` and an export as `wasm.name`.
/// Fails for an import that the glue lacks, and for an export that wasm-opt did not rename.
fn in_glue(glue: &str, renamed: &Renamed) -> Result<String> {
    let mut text = glue.to_owned();
    let mut imports = HashMap::new();
    for (module, old, new) in &renamed.imports {
        imports.insert(old.as_str(), new.as_str());
        text = text.replace(&format!("\"{module}\""), "\"a\"");
    }
    let exports = renamed.exports.iter();
    let exports: HashMap<_, _> = exports
        .map(|(old, new)| (old.as_str(), new.as_str()))
        .collect();
    let mut done = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find(in_name) {
        let end = rest[start..].find(|letter| !in_name(letter));
        let (before, word) = rest.split_at(start);
        let (word, after) = word.split_at(end.unwrap_or(word.len()));
        done.push_str(before);
        let new = if done.ends_with("wasm.") {
            let new = exports.get(word).copied();
            Some(new.with_context(|| format!("the wasm exports no `{word}`"))?)
        } else if after.starts_with(":function(") {
            imports.remove(word)
        } else {
            None
        };
        done.push_str(new.unwrap_or(word));
        rest = after;
    }
    done.push_str(rest);
    if let Some(import) = imports.keys().next() {
        bail!("the glue has no `{import}:function(`: wasm-bindgen writes it in another way");
    }
    Ok(done)
}

fn in_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// The flags for the wasm that browsers load.
const FLAGS: &[&str] = &[
    // Once before, so that flattening has less to take apart; twice because the control flow that is
    // built anew leaves more to remove.
    "-Oz",
    "--flatten",
    "--rereloop",
    "-Oz",
    "--converge",
    // The first two store a value once to use it twice, the third moves code to its only use: fewer bytes, but
    // numbers of locals that compress worse than the same code again (0.8 KB of the download on 2026-11-22).
    "--skip-pass=local-cse",
    "--skip-pass=simplify-locals",
    "--skip-pass=code-pushing",
    // Large functions with one caller stay apart: merged ones have many more locals, whose
    // numbers compress badly (5 % of the download on 2026-11-21).
    "--one-caller-inline-max-function-size=15",
    // Every access claims no alignment, which is a hint that no engine needs: one byte less that differs
    // from place to place (0.4 KB of the download on 2026-11-23).
    "--dealign",
    "--reorder-locals",
];

/// Flags that remove names and other data that only people read.
const STRIP: &[&str] = &[
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// Makes the wasm that browsers load.
pub(super) fn run(tools: &BuildTools, work: &Path, module: &Module) -> Result<()> {
    child::run_ok(
        tools
            .node
            .command("wasm-opt")
            // With `--all-features` wasm-opt writes imports in a form that no browser reads yet.
            .args(FEATURES)
            .args(FLAGS)
            .args(STRIP)
            .arg(work.join(module.wasm_file()))
            .arg("--output")
            .arg(work.join("finished.wasm")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = r#"
        __wbg_get_1d:function(arg0) { wasm.mount(arg0); wasm.mounted(wasm.memory.buffer) },
        "./x_bg.js": import0, mount: mount, fetch('x_bg.wasm')"#;

    fn list(import: &str) -> Renamed {
        let exports = [("mount", "a"), ("mounted", "b"), ("memory", "c")];
        Renamed {
            imports: vec![("./x_bg.js".to_owned(), import.to_owned(), "$".to_owned())],
            exports: exports
                .map(|(old, new)| (old.to_owned(), new.to_owned()))
                .to_vec(),
        }
    }

    #[test]
    fn whole_names_are_renamed_where_they_cross() {
        assert_eq!(
            in_glue(GLUE, &list("__wbg_get_1d")).unwrap(),
            r#"
        $:function(arg0) { wasm.a(arg0); wasm.b(wasm.c.buffer) },
        "a": import0, mount: mount, fetch('x_bg.wasm')"#
        );
    }

    #[test]
    fn names_that_do_not_meet_are_refused() {
        let error = in_glue(GLUE, &list("__wbg_set_2e")).unwrap_err();
        assert!(error.to_string().contains("__wbg_set_2e"));
        let error = in_glue("wasm.other()", &list("__wbg_get_1d")).unwrap_err();
        assert!(error.to_string().contains("other"));
    }
}
