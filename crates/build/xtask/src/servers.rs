//! Builds the native servers for the chores, and plans them with the pages of an edition of the elements.

use crate::wasm::{CHECKOUT, Edition, GALLERY, STAFF};
use crate::{child, folders, project, say};
use anyhow::Result;
use demo_stack::{Pages, Plan, Ports};
use fs_err as fs;
use fs_err::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The build of the native servers: quick, or as merchants run them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Debug,
    Release,
}

impl Profile {
    /// The folder where cargo puts the builds of this profile.
    pub(crate) fn folder(self) -> Result<PathBuf> {
        let name = match self {
            Self::Debug => "debug",
            Self::Release => "release",
        };
        Ok(project::cargo_target()?.join(name))
    }
}

/// Builds the native servers with the features that the native tests have compiled them with (`.cargo/config.toml`).
pub(crate) fn build_tested() -> Result<()> {
    say::progress("servers", "the programs of the workspace are being built");
    child::run_ok(Command::new("cargo").arg("test-servers"))
}

/// Builds the native servers and nothing else.
pub(crate) fn build(profile: Profile) -> Result<()> {
    let mut command = Command::new("cargo");
    command
        .args(["build", "--package", "payment-sandbox"])
        .args(["--package", "demo-shop", "--bins"]);
    if profile == Profile::Release {
        command.arg("--release");
    }
    child::run_ok_quietly(&mut command, "the servers are compiled")
}

/// Servers that were built with this profile. With an edition, the merchant's server serves the shop's pages, and its own
/// page of an order has the element.
pub(crate) fn plan(
    ports: Ports,
    folder: PathBuf,
    profile: Profile,
    edition: Option<Edition>,
) -> Result<Plan> {
    let pages = edition.map(|edition| {
        fs::create_dir_all(&folder)?;
        let pages = link_pages(&folder, edition)?;
        anyhow::Ok(Pages {
            element: Some(pages.join(CHECKOUT.folder)),
            headers: project::root().join("Trunk.toml"),
            folder: pages,
        })
    });
    Ok(Plan {
        pages: pages.transpose()?,
        ..Plan::new(ports, profile.folder()?, folder)
    })
}

/// The pages in `www/demo`, as `www/demo/index.html` lists them for Trunk.
pub(crate) const PAGES: [&str; 6] = [
    "index.html",
    "help.html",
    "staff.html",
    "gallery.html",
    "shop",
    "staff",
];

/// Makes the folder of the pages anew: links to their sources and to the elements of an edition, so that what is built or
/// saved anew is served at once.
fn link_pages(folder: &Path, edition: Edition) -> Result<PathBuf> {
    let pages = folder.join("pages");
    folders::empty(&pages)?;
    let demo = project::root().join("www/demo");
    let sources = PAGES.map(|name| (name, demo.join(name)));
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
