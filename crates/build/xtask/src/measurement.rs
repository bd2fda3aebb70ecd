//! The tools, programs and servers that `crates/testing/bench` measures, as the other chores build them.

use crate::servers::{self, Profile};
use crate::wasm::Edition;
use crate::{package, project, say, tools};
use anyhow::{Context, Result};
use demo_stack::{Pages, Plan, Ports, Stack};
use std::path::{Path, PathBuf};
use std::process::Command;
use test_postgres::Postgres;

/// The installed Chromium; the npm packages of the tests drive it.
pub fn chrome() -> Result<PathBuf> {
    let browser = tools::browser()?;
    tools::test_packages()?;
    Ok(browser.chrome)
}

/// Builds the npm package of the working tree, as it would be published, and returns its folder.
pub fn package() -> Result<PathBuf> {
    package::build()?;
    Ok(package::folder())
}

/// Builds the servers as merchants run them, and returns the folder of the programs.
pub fn programs() -> Result<PathBuf> {
    say::progress("bench", "the optimized servers are being built");
    servers::build(Profile::Release)?;
    Profile::Release.folder()
}

/// The file with the orders of servers that keep their things in this folder, without those of the last time.
pub fn empty_database(folder: &Path) -> Result<PathBuf> {
    demo_stack::forget_orders(folder)?;
    Ok(demo_stack::database(folder))
}

/// An empty PostgreSQL server, which stops when it is dropped.
pub struct Database(Postgres);

impl Database {
    /// Starts it.
    pub fn start() -> Result<Self> {
        tools::postgres().map(Self)
    }

    /// Makes a database in it, and returns its address.
    pub fn make(&self, name: &str) -> Result<String> {
        self.0.database(name)
    }
}

/// The demo's servers, optimized, with the shipped elements. They stop when they are dropped.
pub struct Servers {
    stack: Stack,
    ports: Ports,
}

impl Servers {
    /// Starts them without orders, in a folder of `target/bench`.
    pub fn empty(name: &str) -> Result<Self> {
        Self::start(project::output("bench").join(name), None, true)
    }

    /// Starts them on the database of a folder as it is, or on one at an address.
    pub fn filled(folder: PathBuf, database: Option<String>) -> Result<Self> {
        Self::start(folder, database, false)
    }

    fn start(folder: PathBuf, database: Option<String>, forget: bool) -> Result<Self> {
        let ports = Ports::for_tests();
        let mut plan = servers::plan(ports, folder, Profile::Release, Some(Edition::Shipped))?;
        // What is measured of the server's own page is how it pays without scripts.
        plan.pages = plan.pages.map(|pages| Pages {
            element: None,
            ..pages
        });
        let stack = Stack::start(&Plan {
            database,
            forget,
            ..plan
        })?;
        Ok(Self { stack, ports })
    }

    /// A script in Node that measures with them and with this browser.
    pub fn script(&self, script: &str, chrome: &Path) -> Result<Command> {
        let process = self.stack.backend_process();
        let process = process.context("the merchant's server does not run")?;
        let address = |port: u16| format!("http://127.0.0.1:{port}");
        let mut command = Command::new("node");
        command
            .arg(project::root().join(script))
            .env("SHOP_URL", address(self.ports.shop))
            .env("BACKEND_URL", address(self.ports.backend))
            .env("BACKEND_PROCESS", process.to_string())
            .env("STAFF_PASSWORD", &self.stack.staff_password)
            .env("ORDERS_SECRET", &self.stack.orders_secret)
            .env("CHROME", chrome);
        Ok(command)
    }

    /// Checks that all of them still run.
    pub fn check(&mut self) -> Result<()> {
        self.stack.check()
    }
}
