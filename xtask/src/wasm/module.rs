//! The elements that there are, and the gallery: each a wasm of its own with the modules around it.

use crate::project;
use std::path::PathBuf;

/// An element as a page loads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Module {
    /// The name of the glue, as in `payment-checkout-wasm.js`. It differs from the name of the
    /// element's own module, so that nobody confuses the two.
    pub(crate) glue: &'static str,
    /// The feature of the root crate that exports the element's border.
    pub(crate) feature: &'static str,
    /// The folder of its files, in `www` as they are written and in `target` as they are loaded.
    pub(crate) folder: &'static str,
    /// The module that a page names in its script tag.
    pub(crate) entry: &'static str,
    /// True when it needs the modules that elements share.
    pub(crate) is_element: bool,
    /// Modules that the page loads only while the server is at work.
    pub(crate) later: &'static [&'static str],
}

/// The module that payers load.
pub(crate) const CHECKOUT: Module = Module {
    glue: "payment-checkout-wasm",
    feature: "element",
    folder: "element",
    entry: "payment-checkout.js",
    is_element: true,
    later: &["keep.js", "modules.js", "picture.js", "print.js"],
};

/// The module that staff load. Payers never load it.
pub(crate) const OPERATIONS: Module = Module {
    glue: "payment-operations-wasm",
    feature: "operations",
    folder: "operations",
    entry: "payment-operations.js",
    is_element: true,
    later: &[],
};

/// The gallery of screens, for developers and translators. No shop loads it.
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
    /// The folder where pages find its files.
    pub(crate) fn output(&self) -> PathBuf {
        project::output(self.folder)
    }

    /// The folder of its hand-written modules.
    pub(crate) fn source(&self) -> PathBuf {
        project::root().join("www").join(self.folder)
    }

    /// The folder of the modules that elements share.
    pub(crate) fn shared() -> PathBuf {
        project::root().join("www/shared")
    }

    /// The folder for the files of the earlier build steps.
    pub(crate) fn workbench(&self) -> PathBuf {
        project::output("wasm").join(self.folder)
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
