//! Debian's packages, for programs that no other registry has.

use crate::{child, say};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::{Command, Stdio};

/// True where packages can be installed without a question: on Debian, as root.
pub(super) fn is_ours() -> bool {
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
    apt.args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdout(Stdio::null());
    child::must(&mut apt)
}
