//! Debian's packages, for programs that no other registry has.

use super::cargo_tool::find_on_path;
use crate::{child, say};
use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use test_postgres::Postgres;

/// True where packages can be installed without a question: on Debian, as root.
pub(crate) fn is_ours() -> bool {
    Path::new("/etc/debian_version").is_file() && rustix::process::geteuid().is_root()
}

/// Installs packages, and says so with the name of what they are for. The words are those of
/// `apt-get install`: packages, and options.
pub(super) fn install(what: &str, words: &[&str]) -> Result<()> {
    say::progress("tools", format!("{what} being installed (apt)"));
    apt(&["update", "--quiet"])?;
    apt(&[&["install", "--yes", "--quiet"], words].concat())
        .with_context(|| format!("`apt-get install {}` failed", words.join(" ")))
}

fn apt(arguments: &[&str]) -> Result<()> {
    let mut apt = Command::new("apt-get");
    apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    child::run_ok_quietly(&mut apt, "apt-get")
}

/// Installs Firefox and WebKit where that needs no question; `tests/engines/run.mjs` names those that are missing.
pub(crate) fn engines() -> Result<()> {
    let is_there = |program| find_on_path(program).is_some();
    // The window of WebKit needs a screen.
    let complete = ["firefox-esr", "WebKitWebDriver", "Xvfb"].map(is_there);
    if complete == [true; 3] || !is_ours() {
        return Ok(());
    }
    // Recommended are spelling, sounds and helpers of desktops.
    let packages = [
        "--no-install-recommends",
        "firefox-esr",
        "webkit2gtk-driver",
        "xvfb",
    ];
    install("Firefox and WebKit are", &packages)
}

/// The library that shows a program another time.
pub(crate) fn faketime() -> Result<PathBuf> {
    // Debian keeps it below a folder that is named after the processor.
    let find = || {
        let folders = fs::read_dir("/usr/lib").ok()?;
        let library = |folder: fs::DirEntry| folder.path().join("faketime/libfaketime.so.1");
        folders.flatten().map(library).find(|path| path.is_file())
    };
    found_or_installed(find, "faketime", &["faketime"])
}

/// Installs a C compiler for static programs, which the database's library is compiled with.
pub(crate) fn musl() -> Result<()> {
    found_or_installed(|| find_on_path("musl-gcc"), "musl-gcc", &["musl-tools"]).map(drop)
}

/// Starts an empty server of PostgreSQL.
pub(crate) fn postgres() -> Result<Postgres> {
    install_postgres()?;
    Postgres::start()
}

/// Installs PostgreSQL, unless it is there.
pub(crate) fn install_postgres() -> Result<()> {
    let packages = ["--no-install-recommends", "postgresql"];
    found_or_installed(test_postgres::programs, "PostgreSQL", &packages).map(drop)
}

fn found_or_installed(
    find: impl Fn() -> Option<PathBuf>,
    what: &str,
    words: &[&str],
) -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if is_ours() {
        install(&format!("{what} is"), words)?;
    }
    match (find(), words.last()) {
        (Some(found), _) => Ok(found),
        (None, package) => bail!(
            "there is no {what} (Debian: `apt-get install {}`)",
            package.unwrap_or(&what)
        ),
    }
}
