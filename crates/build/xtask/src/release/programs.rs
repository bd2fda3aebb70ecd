//! The programs of a release, compiled so that they run on any machine of their kind.

use crate::tools::{self, toolchain};
use crate::wasm::{self, CHECKOUT, Edition, GALLERY, STAFF};
use crate::{child, folders, project, servers};
use anyhow::{Context, Result};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;

/// A program that was built.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) path: PathBuf,
}

/// The packages whose programs are published, and these programs.
const PROGRAMS: [(&str, &str); 3] = [
    ("merchant-backend", "merchant-backend"),
    ("payment-sandbox", "payment-sandbox"),
    ("payment-checkout-demo", "payment-checkout-demo"),
];

/// The kind of machine for which is built: this one's. On Linux the programs are static, and need no library of the
/// machine.
pub(super) fn target() -> Result<String> {
    let said = child::output(Command::new("rustc").arg("-vV"))
        .context("rustc does not say what it builds for")?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not name its host")?;
    Ok(host.replace("-linux-gnu", "-linux-musl"))
}

/// Compiles the programs.
pub(super) fn build(target: &str) -> Result<Vec<Program>> {
    toolchain::add_target(target)?;
    if target.ends_with("-musl") {
        tools::musl()?;
    }
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--locked", "--target", target]);
    build.env("CARGO_ENCODED_RUSTFLAGS", toolchain::short_paths()?);
    for (package, program) in PROGRAMS {
        build.args(["--package", package, "--bin", program]);
    }
    child::run_ok_quietly(
        build.env("DEMO_PAGES", pages()?),
        "the programs are compiled",
    )?;
    let folder = project::cargo_target()?.join(target).join("release");
    let programs = PROGRAMS.map(|(_, name)| Program {
        name,
        path: folder.join(name),
    });
    Ok(programs.into())
}

/// The files inside the demo: its pages, the elements as they ship, and the headers of the pages.
fn pages() -> Result<PathBuf> {
    // The gallery is of this edition only.
    wasm::build(Edition::Development)?;
    let folder = project::output("release-pages");
    folders::empty(&folder)?;
    for name in servers::PAGES {
        let (from, to) = (
            project::root().join("www/demo").join(name),
            folder.join("pages").join(name),
        );
        if from.is_dir() {
            folders::copy(&from, &to)?;
        } else {
            fs::create_dir_all(folder.join("pages"))?;
            fs::copy(from, to)?;
        }
    }
    for (module, edition) in [
        (&CHECKOUT, Edition::Shipped),
        (&STAFF, Edition::Shipped),
        (&GALLERY, Edition::Development),
    ] {
        folders::copy(
            &edition.output(module),
            &folder.join("pages").join(module.folder),
        )?;
    }
    fs::copy(
        project::root().join("Trunk.toml"),
        folder.join("Trunk.toml"),
    )?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What tests and measurements ask of our own crates.
    const OF_TESTS: [&str; 4] = ["bench", "fixtures", "planted", "typescript"];

    #[test]
    fn no_published_program_and_no_server_of_the_demo_has_a_feature_of_tests() {
        let mut tree = Command::new(env!("CARGO"));
        tree.args("tree --locked --edges normal --prefix none --format {f}|{p}".split(' '));
        for (package, _) in PROGRAMS.iter().chain(&[("demo-shop", "demo-shop")]) {
            tree.args(["--package", package]);
        }
        let tree = child::output(&mut tree).unwrap();
        let own = format!(" v{} (", project::VERSION);
        let features = tree.lines().filter(|line| line.contains(&own));
        let features = features.filter_map(|line| line.split_once('|'));
        let mut seen = 0;
        for (features, package) in features {
            seen += 1;
            let found = features.split(',').find(|name| OF_TESTS.contains(name));
            assert_eq!(found, None, "{package}");
        }
        assert!(seen > 5, "the server has crates of its own: {tree}");
    }
}
