//! `cargo xtask bench staff`: measures the staff's search over 10,000 and over 100,000 operations in a
//! file, and over as many on PostgreSQL.

mod table;

use crate::postgres::Postgres;
use crate::stack::{self, Plan, Ports, Profile, Stack};
use crate::tools::Trunk;
use crate::{child, project, say, tools, wasm};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use table::Table;

/// How many operations there are.
const FEW: u32 = 10_000;
const MANY: u32 = 100_000;

/// The merchant code of the stack, under which the operations are.
const MERCHANT_CODE: &str = "demo-merchant";

/// Fills a database for each size, measures, and prints the figures side by side.
pub(super) fn run() -> Result<()> {
    let browser = tools::browser()?;
    tools::test_packages()?;
    Trunk::install()?;
    say::progress(
        "bench",
        "servers are built as a merchant runs them, optimized",
    );
    stack::build_servers(Profile::Release)?;
    wasm::build()?;
    let postgres = Postgres::start()?;
    let mut table = Table::default();
    for (count, server) in [(FEW, None), (MANY, None), (MANY, Some(&postgres))] {
        let name = if server.is_some() { "postgres" } else { "file" };
        let folder = project::output("bench").join(format!("{name}-{count}"));
        let database = server.map(Postgres::address);
        fill(&folder, database.as_deref(), count)?;
        let plan = Plan {
            ports: Ports::for_tests(),
            folder,
            own_shop: None,
            nodes: 1,
            database,
            // A filled file stays.
            forget: false,
            watch: false,
            edition: wasm::Edition::Shipped,
            profile: Profile::Release,
        };
        let mut stack = Stack::start(&plan)?;
        say::progress("bench", format!("measuring over {count} operations"));
        let process = stack.backend_process().context("no demo-shop runs")?;
        let address = |port: u16| format!("http://127.0.0.1:{port}");
        let mut figures = Vec::new();
        let done = child::run_and_see(
            Command::new("node")
                .arg("tests/bench/staff.mjs")
                .env("SHOP_URL", address(plan.ports.shop))
                .env("BACKEND_URL", address(plan.ports.backend))
                .env("BACKEND_PROCESS", process.to_string())
                .env("STAFF_PASSWORD", &stack.staff_password)
                .env("CHROME", &browser.chrome)
                .env("COUNT", count.to_string()),
            |line| figures.extend(table::figure(line)),
        )?;
        stack.check()?;
        if !done {
            bail!("the measurement ended too early; its own words are above");
        }
        table.add(figures);
    }
    table.print();
    Ok(())
}

/// Fills this database, or a new file in the folder instead of the one of the last run.
fn fill(folder: &Path, database: Option<&str>, count: u32) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    stack::forget_orders(folder)?;
    say::progress("bench", format!("{count} operations are being written"));
    child::must(
        Command::new(Profile::Release.folder()?.join("fill-operations"))
            .arg(database.map_or_else(|| stack::database(folder).into(), OsString::from))
            .arg(MERCHANT_CODE)
            .arg(count.to_string()),
    )
}
