//! The elements and the gallery: each has its own wasm, with modules around it.

use crate::project;
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
    /// The files that a page loads at once, each a bundle of its own.
    pub(crate) at_once: &'static [&'static str],
    /// Bundles that the page loads only while the server is at work, or when something is wrong.
    pub(crate) later: &'static [&'static str],
}

/// The module that payers load.
pub(crate) const CHECKOUT: Module = Module {
    glue: "payment-checkout-wasm",
    package: "checkout-element",
    source: "element",
    folder: "element",
    at_once: &["payment-checkout.js", "element.js"],
    later: &["save-and-print.js", "diagnostics.js"],
};

/// The module that staff load. Payers never load it.
pub(crate) const STAFF: Module = Module {
    glue: "payment-operations-wasm",
    package: "staff-element",
    source: "staff-element",
    folder: "operations",
    at_once: &["payment-operations.js", "operations.js"],
    later: &["diagnostics.js"],
};

/// The gallery of screens, for developers and translators. No shop loads it.
pub(crate) const GALLERY: Module = Module {
    glue: "payment-gallery-wasm",
    package: "gallery",
    source: "gallery",
    folder: "gallery",
    at_once: &["gallery.js", "gallery.css"],
    later: &[],
};

/// Every one.
pub(crate) const ALL: [Module; 3] = [CHECKOUT, STAFF, GALLERY];

impl Module {
    /// The folder where pages find its files.
    pub(crate) fn output(&self) -> PathBuf {
        project::output(self.folder)
    }

    /// The folder of its hand-written modules.
    pub(crate) fn source(&self) -> PathBuf {
        project::root().join("www").join(self.source)
    }

    /// The files that esbuild makes of it, by their names in its folder.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &'static str> {
        self.at_once.iter().chain(self.later).copied()
    }

    /// The folder for the files of the earlier build steps.
    pub(crate) fn workbench(&self) -> PathBuf {
        project::output("wasm").join(self.source)
    }

    /// The file name of the wasm as cargo writes it.
    pub(crate) fn compiled_file(&self) -> String {
        format!("{}.wasm", self.package.replace('-', "_"))
    }

    /// The file name of the glue.
    pub(crate) fn glue_file(&self) -> String {
        format!("{}.js", self.glue)
    }

    /// The name of the wasm without its hash.
    pub(crate) fn name(&self) -> &'static str {
        self.glue.trim_end_matches("-wasm")
    }

    /// The file name of the wasm as wasm-bindgen writes it.
    pub(crate) fn wasm_file(&self) -> String {
        format!("{}_bg.wasm", self.glue)
    }
}
