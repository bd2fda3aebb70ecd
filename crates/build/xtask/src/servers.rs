//! Builds the native servers for the chores, and plans them with the pages of an edition of the elements.

use crate::wasm::{CHECKOUT, Edition};
use crate::{child, pages, project, say};
use anyhow::Result;
use demo_stack::{Pages, Plan, Ports};
use fs_err as fs;
use std::path::PathBuf;
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
        let pages = pages::link(&folder, edition)?;
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
