//! Prints everything that repeats what Rust declares: lists and texts for the elements' scripts, the first screen,
//! TypeScript declarations, data for editors, tables of the guides. `cargo xtask print` runs it.
//!
//! ```text
//! scripts       lists of names for the scripts of the elements
//! texts         the payer's texts as files, and their keys
//! first_screen  the choice of methods as data
//! declarations  TypeScript of attributes, members and events
//! model         TypeScript of what goes over the wire
//! editors       the custom-elements manifest, and what editors read
//! guides        tables of the guides
//! ```

mod declaration;
mod declarations;
mod drawn;
mod editors;
mod first_screen;
mod guides;
mod model;
mod render;
mod scripts;
mod texts;

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The first line of a file for TypeScript.
const HEADER: &str =
    "// Printed by `cargo xtask print` from the Rust that declares it; do not edit.\n";

/// A file below the root of the repository, and its content.
struct Printed {
    path: String,
    text: String,
}

/// Prints all files. Those that have a frame written by hand are read for it.
fn print(root: &Path) -> Result<Vec<Printed>> {
    let mut files = vec![];
    let mut add = |path: &str, text| {
        files.push(Printed {
            path: path.to_owned(),
            text,
        });
    };
    add(
        "www/checkout-element/printed/surface.ts",
        scripts::checkout(),
    );
    add(
        "www/checkout-element/printed/options.ts",
        scripts::options(),
    );
    add(
        "www/staff-element/printed/surface.ts",
        scripts::operations(),
    );
    add("www/checkout-element/printed/text-keys.ts", texts::keys());
    for locale in texts::files() {
        let language = locale.language();
        add(
            &format!("www/checkout-element/printed/texts-{language}.ts"),
            texts::wordings(locale),
        );
    }
    add(
        "www/checkout-element/printed/text-files.ts",
        texts::loaders(),
    );
    add(
        "www/checkout-element/printed/failure-texts.ts",
        texts::failures(),
    );
    add(
        "www/checkout-element/printed/first-screen.ts",
        first_screen::print()?,
    );
    add("npm/element/testing/words.mjs", texts::pressed());
    add("npm/element/types/messages.d.ts", texts::declaration());
    add("npm/element/types/surface.d.ts", declarations::checkout());
    add("npm/element/types/events.d.ts", declarations::events());
    add(
        "npm/element/types/operations/surface.d.ts",
        declarations::operations(),
    );
    add("npm/element/types/payment-model.d.ts", model::print());
    add("npm/element/custom-elements.json", editors::manifest());
    add("npm/element/html-custom-data.json", editors::custom_data());
    add("npm/element/web-types.json", editors::web_types());
    for guide in guides::GUIDES {
        let path = root.join(guide);
        let text = fs_err::read_to_string(&path)?;
        let text = guides::with_tables(&text).with_context(|| path.display().to_string())?;
        add(guide, text);
    }
    Ok(files)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Writes the files that changed, and lists them.
#[allow(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<()> {
    let root = root();
    for Printed { path, text } in print(&root)? {
        let file = root.join(&path);
        if fs_err::read_to_string(&file).is_ok_and(|old| old == text) {
            continue;
        }
        if let Some(folder) = file.parent() {
            fs_err::create_dir_all(folder)?;
        }
        fs_err::write(&file, text)?;
        println!("{path}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Printed, print, root};

    #[test]
    fn the_files_in_the_repository_are_those_that_would_be_printed() {
        let root = root();
        for Printed { path, text } in print(&root).unwrap() {
            let file = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
            assert!(
                file.replace("\r\n", "\n") == text,
                "{path} is out of date: run `cargo xtask print`"
            );
        }
    }
}
