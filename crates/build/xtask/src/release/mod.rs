//! `cargo xtask release`: everything that a release publishes, in `target/release-files`.

mod notes;
mod programs;
pub(crate) mod publish;

use crate::package::licences;
use crate::tools;
use crate::{child, folders, package, project, say};
use anyhow::{Context, Result, ensure};
use fs_err as fs;
use programs::Program;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files for containers, which take the programs of this release.
const CONTAINER_FILES: [&str; 4] = [
    "compose.yaml",
    "Containerfile.server",
    "Containerfile.sandbox",
    "Containerfile.demo",
];

/// What the operator of a server needs beside the program.
const OPERATORS_FILES: [&str; 2] = ["merchant-backend.service", "alerts.yml"];

/// The programs of which the contents are listed, by the folders of their packages.
const LISTED: [&str; 3] = [
    "merchant-backend",
    "payment-sandbox",
    "payment-checkout-demo",
];

/// The name of such a list beside a manifest.
const CONTENTS: &str = "release-contents";

/// The folder with all files of a release.
pub(crate) fn folder() -> PathBuf {
    project::output("release-files")
}

/// Makes everything anew.
pub(crate) fn run() -> Result<()> {
    let folder = folder();
    folders::empty(&folder)?;
    let steps = 6;
    say::step(1, steps, "the notes are taken from the changelog", "1 s");
    fs::write(folder.join("notes.md"), notes::of_this_version()?)?;
    say::step(2, steps, "the npm package is made", "5 min the first time");
    package::run()?;
    fs::copy(
        package::tarball()?,
        folder.join(file_name(&package::tarball()?)),
    )?;
    say::step(
        3,
        steps,
        "the programs are compiled",
        "10 min the first time",
    );
    let target = programs::target()?;
    let built = programs::build(&target)?;
    let packed = built
        .iter()
        .map(|program| pack(program, &target, &folder))
        .collect::<Result<Vec<_>>>()?;
    say::step(4, steps, "the packages of the sandbox are made", "2 s");
    sandbox_packages(&packed, &folder)?;
    say::step(
        5,
        steps,
        "the crates are packed and compiled as published",
        "5 min",
    );
    crates()?;
    say::step(
        6,
        steps,
        "contents and checksums are listed",
        "3 min the first time",
    );
    contents(&folder, &target)?;
    containers(&folder)?;
    fs::write(folder.join("SHA256SUMS"), checksums(&folder)?)?;
    say::progress("release", format!("all files are in {}", folder.display()));
    Ok(())
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Packs a program with the licences and what its operator needs, and returns the program in its packed folder.
fn pack(program: &Program, target: &str, folder: &Path) -> Result<PathBuf> {
    let name = format!("{}-{}-{target}", program.name, project::VERSION);
    let packed = project::output("release-work").join(&name);
    folders::empty(&packed)?;
    fs::copy(&program.path, packed.join(program.name))?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(project::root().join(licence), packed.join(licence))?;
    }
    let mut licences = licences::of_program(program.name)?;
    if program.name == "payment-checkout-demo" {
        licences.push_str(&format!("\n{}", licences::of_elements()?));
    }
    fs::write(packed.join("THIRD-PARTY-LICENSES.txt"), licences)?;
    if program.name == "merchant-backend" {
        for name in OPERATORS_FILES {
            fs::copy(project::root().join("deploy").join(name), packed.join(name))?;
        }
    }
    let mut tar = Command::new("tar");
    tar.args(["--owner=0", "--group=0", "--sort=name", "-czf"]);
    tar.arg(folder.join(format!("{name}.tar.gz"))).arg("-C");
    child::run_ok(tar.arg(project::output("release-work")).arg(&name))?;
    Ok(packed.join(program.name))
}

/// Packs the sandbox for npm, with the licences that are beside it.
fn sandbox_packages(programs: &[PathBuf], folder: &Path) -> Result<()> {
    let sandbox = programs
        .iter()
        .find(|program| program.ends_with("payment-sandbox"));
    let sandbox = sandbox.context("the sandbox was not built")?;
    let mut pack = Command::new("node");
    pack.arg(project::root().join("npm/sandbox/pack.mjs"));
    child::run_ok(pack.arg(sandbox).arg(project::VERSION).arg(folder))
}

/// Packs the crates as crates.io takes them, and compiles what was packed. `cargo publish` sends them from the sources.
fn crates() -> Result<()> {
    let mut publish = Command::new("cargo");
    publish.args(["publish", "--workspace", "--dry-run", "--locked"]);
    child::run_ok_quietly(&mut publish, "cargo publish --dry-run")
}

/// A list of everything inside each program, in the form of CycloneDX.
fn contents(folder: &Path, target: &str) -> Result<()> {
    let mut list = Command::new(tools::cargo_cyclonedx().install()?);
    list.args(["cyclonedx", "--format", "json", "--target", target])
        .args(["--override-filename", CONTENTS]);
    child::run_ok_quietly(&mut list, "cargo cyclonedx")?;
    // It writes one beside each manifest of the workspace.
    let name = format!("{CONTENTS}.json");
    let mut written = 0;
    for package in packages()? {
        let made = package.join(&name);
        let published = package.file_name().and_then(|folder| folder.to_str());
        if let Some(package) = published.filter(|package| LISTED.contains(package)) {
            // The folder of this machine says nothing to others.
            let root = project::root().display().to_string();
            let text = fs::read_to_string(&made)?.replace(&root, "");
            fs::write(folder.join(format!("{package}.cdx.json")), text)?;
            written += 1;
        }
        if made.exists() {
            fs::remove_file(made)?;
        }
    }
    ensure!(
        written == LISTED.len(),
        "the contents of {written} programs were listed, and there are {}: a package has another folder",
        LISTED.len()
    );
    Ok(())
}

/// The folders of the workspace's packages.
fn packages() -> Result<Vec<PathBuf>> {
    let mut ask = Command::new("cargo");
    ask.args(["metadata", "--format-version", "1", "--no-deps"]);
    let said = child::output(&mut ask).context("cargo did not describe its packages")?;
    let metadata: serde_json::Value = serde_json::from_str(&said)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifests = packages.filter_map(|package| package["manifest_path"].as_str());
    let folders = manifests.filter_map(|manifest| Path::new(manifest).parent());
    Ok(folders.map(Path::to_path_buf).collect())
}

/// Adds the files for containers, and builds the images where a builder is installed.
fn containers(folder: &Path) -> Result<()> {
    for name in CONTAINER_FILES {
        fs::copy(project::root().join("deploy").join(name), folder.join(name))?;
    }
    // A client without its service builds nothing.
    let builds = |name: &&str| child::output(Command::new(name).arg("info")).is_some();
    let Some(builder) = ["podman", "docker"].into_iter().find(builds) else {
        say::progress(
            "release",
            "no images were built: neither podman nor docker works here; the Containerfiles are among the files",
        );
        return Ok(());
    };
    for part in ["server", "sandbox", "demo"] {
        let mut build = Command::new(builder);
        build.args([
            "build",
            "--tag",
            // Without its place an image is looked for at registries, too.
            &format!("localhost/payment-checkout-{part}:{}", project::VERSION),
        ]);
        build
            .arg("--file")
            .arg(folder.join(format!("Containerfile.{part}")));
        child::run_ok(build.arg(folder))?;
    }
    Ok(())
}

/// The lines that `sha256sum --check` reads.
fn checksums(folder: &Path) -> Result<String> {
    let mut lines = String::new();
    for file in folders::files(folder)? {
        let content = fs::read(&file)?;
        let name = file
            .strip_prefix(folder)
            .context("a file outside of its folder")?;
        let digest = Sha256::digest(&content);
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        lines.push_str(&format!("{digits}  {}\n", name.display()));
    }
    Ok(lines)
}
