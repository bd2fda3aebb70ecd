//! Trunk, which builds and serves the demo's pages.

use super::cargo_tool::CargoTool;
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// Trunk, installed.
pub(crate) struct Trunk {
    program: PathBuf,
}

impl Trunk {
    /// Installs it unless it is there.
    pub(crate) fn install() -> Result<Self> {
        let program = CargoTool {
            package: "trunk",
            program: "trunk",
            // 0.22 needs a newer Rust than rust-toolchain.toml pins.
            version: "0.21.14".to_owned(),
            locked: true,
            usual_time: "about 7 min on two cores",
        }
        .install()?;
        Ok(Self { program })
    }

    /// `trunk <subcommand>`, without its own news.
    pub(crate) fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args([subcommand, "--skip-version-check", "--color", "never"])
            // Trunk refuses to start with NO_COLOR=1, a usual setting.
            .env_remove("NO_COLOR")
            // A compile error needs no trace of Trunk's own stack.
            .env("RUST_BACKTRACE", "0");
        command
    }
}
