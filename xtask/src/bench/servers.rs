//! The real servers behind the measured pages, and the package of the working tree.

use crate::stack::{self, Plan, Ports, Profile, Stack};
use crate::tools::{Browser, Trunk};
use crate::{package, project, say, tools, wasm};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// The running servers of one measurement.
pub(super) struct Servers {
    stack: Stack,
    backend: String,
}

/// Builds the package of the working tree, as it would be published.
pub(super) fn package() -> Result<PathBuf> {
    wasm::build()?;
    package::assemble(&tools::for_build()?.node)?;
    Ok(package::folder())
}

impl Servers {
    /// Builds and starts them, without the orders of the last time.
    pub(super) fn start(measurement: &str) -> Result<Self> {
        Trunk::install()?;
        say::progress(
            "bench",
            "servers are built as a merchant runs them, optimized",
        );
        stack::build_servers(Profile::Release)?;
        let ports = Ports::for_tests();
        let stack = Stack::start(&Plan {
            ports,
            folder: project::output("bench").join(measurement),
            own_shop: None,
            nodes: 1,
            database: None,
            forget: true,
            watch: false,
            edition: wasm::Edition::Shipped,
            profile: Profile::Release,
        })?;
        Ok(Self {
            stack,
            backend: format!("http://127.0.0.1:{}", ports.backend),
        })
    }

    /// A script that measures with them and with this browser.
    pub(super) fn node(&self, script: &str, browser: &Browser) -> Command {
        let mut command = Command::new("node");
        command
            .arg(script)
            .env("BACKEND_URL", &self.backend)
            .env("CHROME", &browser.chrome);
        command
    }

    /// Fails when one of them ended by itself.
    pub(super) fn check(&mut self) -> Result<()> {
        self.stack.check()
    }
}
