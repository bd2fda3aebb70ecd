//! The shop's pages as the merchant's server serves them: a folder with links to the sources in `www/demo` and to
//! the built elements. What is built or saved anew is served at once.

use crate::wasm::{CHECKOUT, Edition, GALLERY, STAFF};
use crate::{folders, project};
use anyhow::Result;
use fs_err as fs;
use fs_err::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The pages in `www/demo`, as `www/demo/index.html` lists them for Trunk.
pub(crate) const SOURCES: [&str; 6] = [
    "index.html",
    "help.html",
    "staff.html",
    "gallery.html",
    "shop",
    "staff",
];

/// Makes the folder anew, with the elements of an edition.
pub(super) fn link(folder: &Path, edition: Edition) -> Result<PathBuf> {
    let pages = folder.join("pages");
    folders::empty(&pages)?;
    let demo = project::root().join("www/demo");
    let sources = SOURCES.map(|name| (name, demo.join(name)));
    let built = [
        (CHECKOUT.folder, edition.output(&CHECKOUT)),
        (STAFF.folder, edition.output(&STAFF)),
        (GALLERY.folder, Edition::Development.output(&GALLERY)),
    ];
    for (name, to) in sources.into_iter().chain(built) {
        // An element that is built later is served from then on.
        if !to.exists() {
            fs::create_dir_all(&to)?;
        }
        symlink(&to, pages.join(name))?;
    }
    Ok(pages)
}
