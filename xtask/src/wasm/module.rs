//! The elements that there are, and the gallery: each a wasm of its own with the modules around it.

use crate::project;
use std::path::PathBuf;

/// An element as a page loads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Module {
    /// What the glue is called, `payment-checkout-wasm.js`, so that it is not mistaken for the
    /// element's own module.
    pub(crate) glue: &'static str,
    /// The feature of the root crate that exports the element's border.
    pub(crate) feature: &'static str,
    /// The folder of its files, in `www` as they are written and in `target` as they are loaded.
    pub(crate) folder: &'static str,
    /// The module that a page names in its script tag.
    pub(crate) entry: &'static str,
    /// Whether it has the modules that elements share.
    pub(crate) is_element: bool,
    /// Modules that the page loads only while the server is at work.
    pub(crate) later: &'static [&'static str],
}

/// What payers load.
pub(crate) const CHECKOUT: Module = Module {
    glue: "payment-checkout-wasm",
    feature: "element",
    folder: "element",
    entry: "payment-checkout.js",
    is_element: true,
    later: &["keep.js", "modules.js", "picture.js", "print.js"],
};

/// What staff load; payers never do.
pub(crate) const OPERATIONS: Module = Module {
    glue: "payment-operations-wasm",
    feature: "operations",
    folder: "operations",
    entry: "payment-operations.js",
    is_element: true,
    later: &[],
};

/// The screens on show, for whoever builds or translates them; no shop loads it.
pub(crate) const GALLERY: Module = Module {
    glue: "payment-gallery-wasm",
    feature: "gallery",
    folder: "gallery",
    entry: "gallery.js",
    // It takes the payer's style sheet from where the payer's element is.
    is_element: false,
    later: &[],
};

/// Every one.
pub(crate) const ALL: [Module; 3] = [CHECKOUT, OPERATIONS, GALLERY];

impl Module {
    /// Where pages find its files.
    pub(crate) fn output(&self) -> PathBuf {
        project::output(self.folder)
    }

    /// Where its hand-written modules are.
    pub(crate) fn source(&self) -> PathBuf {
        project::root().join("www").join(self.folder)
    }

    /// Where the modules are that elements share.
    pub(crate) fn shared() -> PathBuf {
        project::root().join("www/shared")
    }

    /// Where the steps before that keep theirs.
    pub(crate) fn workbench(&self) -> PathBuf {
        project::output("wasm").join(self.folder)
    }

    /// The file name of the glue.
    pub(crate) fn glue_file(&self) -> String {
        format!("{}.js", self.glue)
    }

    /// What the wasm is called, but for its hash.
    pub(crate) fn name(&self) -> &'static str {
        self.glue.trim_end_matches("-wasm")
    }

    /// The file name of the wasm as wasm-bindgen writes it.
    pub(crate) fn wasm_file(&self) -> String {
        format!("{}_bg.wasm", self.glue)
    }
}
