//! The elements and the gallery: each has its own wasm, with modules around it.

use crate::{folders, project};
use anyhow::Result;
use std::path::PathBuf;

/// An element as a page loads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Module {
    /// The name of the glue, as in `payment-checkout-wasm.js`. It differs from the name of the
    /// element's own module, so that nobody confuses the two.
    pub(crate) glue: &'static str,
    /// The crate that is compiled to its wasm.
    pub(crate) package: &'static str,
    /// The folder of its hand-written modules in `www`.
    pub(crate) source: &'static str,
    /// The folder of its files as pages load them.
    pub(crate) folder: &'static str,
    /// The files of which a page loads one, the usual one first. Each has everything that is needed at once.
    pub(crate) entry_points: &'static [Bundle],
    /// Bundles that the page loads only while the server is at work, or when something is wrong. Those of languages are beside
    /// them ([`Module::texts`]).
    pub(crate) later: &'static [Bundle],
}

/// A file that esbuild makes of a source and of what that imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bundle {
    pub(super) source: &'static str,
    /// The name by which pages load it. Pages depend on it, so it does not follow the name of the source.
    pub(super) name: &'static str,
}

/// A bundle of `source` that is published as `name`.
const fn bundle(source: &'static str, name: &'static str) -> Bundle {
    Bundle { source, name }
}

/// The module that payers load.
pub(crate) const CHECKOUT: Module = Module {
    glue: "payment-checkout-wasm",
    package: "checkout-element",
    source: "checkout-element",
    folder: "element",
    entry_points: &[
        bundle("define.ts", "payment-checkout.js"),
        bundle("index.ts", "element.js"),
    ],
    later: &[
        bundle("save-and-print.ts", "save-and-print.js"),
        bundle("diagnostics.ts", "diagnostics.js"),
        bundle("overrides.ts", "messages.js"),
    ],
};

/// The module that staff load. Payers never load it.
pub(crate) const STAFF: Module = Module {
    glue: "payment-operations-wasm",
    package: "staff-element",
    source: "staff-element",
    folder: "operations",
    entry_points: &[
        bundle("define.ts", "payment-operations.js"),
        bundle("index.ts", "operations.js"),
    ],
    later: &[bundle("diagnostics.ts", "diagnostics.js")],
};

/// The gallery of screens, for developers and translators. No shop loads it.
pub(crate) const GALLERY: Module = Module {
    glue: "payment-gallery-wasm",
    package: "gallery",
    source: "demo/gallery",
    folder: "gallery",
    entry_points: &[
        bundle("gallery.js", "gallery.js"),
        bundle("gallery.css", "gallery.css"),
    ],
    later: &[],
};

/// Every one.
pub(crate) const ALL: [Module; 3] = [CHECKOUT, STAFF, GALLERY];

impl Module {
    /// The folder of its hand-written modules.
    pub(crate) fn source(&self) -> PathBuf {
        project::root().join("www").join(self.source)
    }

    /// The printed texts of languages, each of which pages load as a file of this name.
    pub(super) fn texts(&self) -> Result<Vec<String>> {
        let printed = self.source().join("printed");
        if !printed.exists() {
            return Ok(Vec::new());
        }
        let files = folders::files(&printed)?;
        let names = files.iter().filter_map(|file| file.file_stem()?.to_str());
        let texts = names.filter(|name| name.starts_with("texts-"));
        Ok(texts.map(str::to_owned).collect())
    }

    /// The name of the wasm without its hash.
    pub(crate) fn name(&self) -> &'static str {
        self.glue.trim_end_matches("-wasm")
    }

    /// True for a file that every page of a shop loads before the element works.
    pub(crate) fn loads_at_once(&self, file: &str) -> bool {
        let usual = self.entry_points.first();
        usual.is_some_and(|entry| entry.name == file) || file.ends_with(".wasm")
    }

    /// The file name of the glue.
    pub(super) fn glue_file(&self) -> String {
        format!("{}.js", self.glue)
    }

    /// The file name of the wasm as wasm-bindgen writes it.
    pub(super) fn wasm_file(&self) -> String {
        format!("{}_bg.wasm", self.glue)
    }
}
