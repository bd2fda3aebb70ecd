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
    /// The files of which a page loads one, the usual one first. Each has everything that is needed at once.
    pub(crate) ways_in: &'static [&'static str],
    /// Bundles that the page loads only while the server is at work, or when something is wrong.
    pub(crate) later: &'static [&'static str],
    /// Files of texts, made by the build, of which a page loads those that it needs.
    pub(crate) texts: &'static [&'static str],
}

/// The module that payers load.
pub(crate) const CHECKOUT: Module = Module {
    glue: "payment-checkout-wasm",
    package: "checkout-element",
    source: "element",
    folder: "element",
    ways_in: &["payment-checkout.js", "element.js"],
    later: &["save-and-print.js", "diagnostics.js", "messages.js"],
    texts: &["texts-en.js", "texts-pt.js"],
};

/// The module that staff load. Payers never load it.
pub(crate) const STAFF: Module = Module {
    glue: "payment-operations-wasm",
    package: "staff-element",
    source: "staff-element",
    folder: "operations",
    ways_in: &["payment-operations.js", "operations.js"],
    later: &["diagnostics.js"],
    texts: &[],
};

/// The gallery of screens, for developers and translators. No shop loads it.
pub(crate) const GALLERY: Module = Module {
    glue: "payment-gallery-wasm",
    package: "gallery",
    source: "gallery",
    folder: "gallery",
    ways_in: &["gallery.js", "gallery.css"],
    later: &[],
    texts: &[],
};

/// Every one.
pub(crate) const ALL: [Module; 3] = [CHECKOUT, STAFF, GALLERY];

impl Module {
    /// The folder of its hand-written modules.
    pub(crate) fn source(&self) -> PathBuf {
        project::root().join("www").join(self.source)
    }

    /// The name of the wasm without its hash.
    pub(crate) fn name(&self) -> &'static str {
        self.glue.trim_end_matches("-wasm")
    }

    /// True for a file that every page of a shop loads before the element works.
    pub(crate) fn loads_at_once(&self, file: &str) -> bool {
        self.ways_in.first() == Some(&file) || file.ends_with(".wasm")
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
