//! The program of the servers, and what this machine has to torment them.

use super::trouble::{Blow, Trouble};
use crate::settings::accounts;
use anyhow::{Context as _, Result, ensure};
use clap::Parser as _;
use merchant_backend::{OwnRoutes, Settings};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::AtomicU64;
use test_postgres::Postgres;
use tokio::sync::Mutex;

/// The word that makes this search's program the server that it searches.
pub const SERVER: &str = "server";

/// The places in which distributions have libfaketime.
const FAKETIME: [&str; 4] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib64/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
];

/// The programs and texts that all attempts share.
pub(super) struct Machine {
    /// The shop's program.
    pub(super) program: PathBuf,
    pub(super) staff: String,
    /// The library that makes clocks jump, where it is installed.
    pub(super) faketime: Option<PathBuf>,
    /// The server of all databases, where it is installed.
    pub(super) postgres: Option<Postgres>,
    /// Held while a copy of it is made, since it makes few at once.
    pub(super) copies: Mutex<()>,
    /// How many databases it has got.
    pub(super) databases: AtomicU64,
}

impl Machine {
    /// Looks what is installed, and starts PostgreSQL.
    pub(super) fn with(program: PathBuf) -> Result<Self> {
        // The error only says that a provider is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let faketime = FAKETIME.iter().map(PathBuf::from);
        let is_installed = test_postgres::programs().is_some();
        Ok(Self {
            program,
            staff: accounts()?,
            faketime: faketime.into_iter().find(|file| file.exists()),
            postgres: is_installed.then(Postgres::start).transpose()?,
            copies: Mutex::new(()),
            databases: AtomicU64::new(0),
        })
    }
}

/// Runs the demo's shop with the settings of its environment, as its own program does. The program of this search is
/// the server, too, so that no other one has to be compiled and found.
#[must_use]
pub fn serve() -> ExitCode {
    let settings = Settings::parse_from(std::env::args().skip(1));
    merchant_backend::run(&settings, |orders| {
        let api = demo_shop::routes(orders)?;
        let pages = demo_shop::pages()?;
        Ok(OwnRoutes { api, pages })
    })
}

/// A path of this program. Where the system has a folder of processes, it stays the same program when another one is
/// compiled in its place.
pub(super) fn own_program() -> Result<PathBuf> {
    let own = PathBuf::from(format!("/proc/{}/exe", std::process::id()));
    if own.exists() {
        return Ok(own);
    }
    Ok(std::env::current_exe()?)
}

/// Whether this machine lets a program be traced.
pub(super) fn traces() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let count = Trouble::Blow {
        blow: Blow::InputOutputError,
        call: "fsync",
        at: 1,
    };
    let mut words = count.words(folder.path()).into_iter();
    let program = words.next().context("no words of a command")?;
    let done = Command::new(program)
        .args(words)
        .arg("true")
        .stdin(Stdio::null())
        .output()
        .context("strace does not start")?;
    let told = String::from_utf8_lossy(&done.stderr);
    ensure!(
        done.status.success() && told.trim().is_empty(),
        "strace may not trace here: {}",
        told.trim()
    );
    Ok(())
}
