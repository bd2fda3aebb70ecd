//! `cargo xtask bench payers`: what many payers who wait cost the server, on a file, on PostgreSQL and as three nodes
//! there, beside a bare route of the same framework that holds requests.

mod bare;
mod crowd;
mod desks;
mod figures;
mod programs;
mod table;

pub(crate) use bare::serve as serve_bare_route;

use anyhow::{Context, Result, bail};
use demo_stack::{child, say};
use fs_err as fs;
use std::path::PathBuf;
use std::process::Command;
use tokio::runtime::Runtime;
use xtask::measurement::{self, Database};
use xtask::project;

const USUAL: usize = 10_000;

/// The number of payers that the flags ask for.
pub(crate) fn count(flags: &[&str]) -> Result<usize> {
    match flags {
        [] => Ok(USUAL),
        ["--count", number] => number
            .parse()
            .with_context(|| format!("--count is `{number}`: give a whole number")),
        _ => bail!("`bench payers` takes `--count NUMBER` and nothing else"),
    }
}

/// Builds the servers, and measures what desks of staff cost one of them beside as many payers.
pub(crate) fn run_desks() -> Result<()> {
    let (programs, folder) = prepared("desks")?;
    Runtime::new()?.block_on(desks::measure(&programs, &folder))
}

/// The folder of the optimized programs, and an empty one for databases.
fn prepared(name: &str) -> Result<(PathBuf, PathBuf)> {
    let programs = measurement::programs()?;
    // Without a shop around it.
    let mut server = Command::new("cargo");
    child::run_ok(server.args(["build", "--release", "--package", "merchant-backend"]))?;
    let folder = project::output("bench").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok((programs, folder))
}

/// Builds the servers, measures them and prints the figures.
pub(crate) fn run(count: usize) -> Result<()> {
    let (programs, folder) = prepared("payers")?;
    let postgres = Database::start()?;
    let file = folder.join("payers.sqlite").display().to_string();
    let places = [
        ("SQLite", file, 1),
        ("PostgreSQL", postgres.make("one_node")?, 1),
        ("three nodes", postgres.make("three_nodes")?, 3),
    ];
    say::progress("bench", format!("{count} payers, about ten minutes"));
    let columns = Runtime::new()?.block_on(figures::measure(&programs, count, &places))?;
    table::print(count, &columns);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn the_number_of_payers_is_a_flag() {
        assert_eq!(count(&[]).unwrap(), 10_000);
        assert_eq!(count(&["--count", "700"]).unwrap(), 700);
        assert!(count(&["--count", "many"]).is_err());
        assert!(count(&["700"]).is_err());
    }
}
