//! The accounts of the demo's staff.

use crate::secret;
use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The staff of the demo shop: the name and the permissions of each account.
pub(crate) const ACCOUNTS: [(&str, &str); 4] = [
    ("ana", "permissions = [\"cancel\", \"refund\", \"link\"]"),
    ("bea", "permissions = [\"cancel\", \"refund\", \"link\"]"),
    (
        "luis",
        "permissions = [\"refund\", \"link\"]\nrefund_limit = 5000",
    ),
    ("mira", "permissions = []"),
];

/// The staff file of a stack, and the one password of all its accounts.
pub(crate) struct Staff {
    pub(crate) file: PathBuf,
    pub(crate) password: String,
}

impl Staff {
    /// Writes the staff file into the stack's folder. The password stays the same, so that a
    /// browser can store it.
    pub(crate) fn hired(servers: &Path, folder: &Path) -> Result<Self> {
        let secret = secret::kept(&folder.join("staff.key"))?;
        // 64 bits, in groups that can be typed.
        let password = [&secret[..4], &secret[4..8], &secret[8..12], &secret[12..16]].join("-");
        let hash = hash(servers, &password)?;
        let account = |(name, more): &(&str, &str)| {
            format!("[[account]]\nname = \"{name}\"\npassword_hash = \"{hash}\"\n{more}\n")
        };
        let text: Vec<String> = ACCOUNTS.iter().map(account).collect();
        let file = folder.join("staff.toml");
        fs::write(&file, text.join("\n"))?;
        Ok(Self { file, password })
    }
}

/// Lets the backend itself make the line that it will read.
fn hash(servers: &Path, password: &str) -> Result<String> {
    let mut child = Command::new(servers.join("demo-shop"))
        .arg("hash-password")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("demo-shop could not be started")?;
    if let Some(mut input) = child.stdin.take() {
        writeln!(input, "{password}").context("demo-shop did not take the password")?;
    }
    let output = child.wait_with_output().context("demo-shop did not end")?;
    if !output.status.success() {
        bail!("demo-shop hash-password failed; its own words are above");
    }
    let line = String::from_utf8(output.stdout).context("the hash is no text")?;
    Ok(line.trim().to_owned())
}
