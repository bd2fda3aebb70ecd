//! `cargo xtask bench staff`: measures the staff's search over 10,000 and over 100,000 operations in a
//! file, and over as many on PostgreSQL.

use anyhow::{Error, Result, bail};
use demo_stack::{child, say};
use fs_err as fs;
use std::path::Path;
use tokio::runtime::Runtime;
use xtask::measurement::{self, Database, Servers};
use xtask::project;

/// How many operations there are.
const FEW: u32 = 10_000;
const MANY: u32 = 100_000;

/// The merchant code of the stack, under which the operations are.
const MERCHANT_CODE: &str = "demo-merchant";

/// Fills a database for each size, measures, and prints the figures side by side.
pub(crate) fn run() -> Result<()> {
    let chrome = measurement::chrome()?;
    measurement::programs()?;
    measurement::package()?;
    let postgres = Database::start()?;
    let server = postgres.make("operations")?;
    let mut table = Table::default();
    for (count, server) in [(FEW, None), (MANY, None), (MANY, Some(server))] {
        let name = if server.is_some() { "postgres" } else { "file" };
        let folder = project::output("bench").join(format!("{name}-{count}"));
        fill(&folder, server.clone(), count)?;
        let mut servers = Servers::filled(folder, server)?;
        say::progress("bench", format!("measuring over {count} operations"));
        let mut script = servers.script("tests/bench/staff.mjs", &chrome)?;
        let mut figures = Vec::new();
        let done = child::run_lines(script.env("COUNT", count.to_string()), |line| {
            figures.extend(figure(line));
        })?;
        servers.check()?;
        if !done {
            bail!("the measurement ended too early; its own words are above");
        }
        table.columns.push(figures);
    }
    table.print();
    Ok(())
}

/// Fills this database, or a new file in the folder instead of the one of the last run.
fn fill(folder: &Path, server: Option<String>, count: u32) -> Result<()> {
    fs::create_dir_all(folder)?;
    let file = measurement::empty_database(folder)?;
    say::progress("bench", format!("{count} operations are being written"));
    let database = server.unwrap_or_else(|| file.display().to_string());
    let filled = merchant_backend::bench::fill(&database, MERCHANT_CODE, count);
    Runtime::new()?.block_on(filled).map_err(Error::msg)
}

/// A figure with its name.
type Figure = (String, f64);

/// Figures of a small file, a large one and a server, side by side.
#[derive(Default)]
struct Table {
    columns: Vec<Vec<Figure>>,
}

/// Reads `name<TAB>figure`; other lines are shown.
fn figure(line: &str) -> Option<Figure> {
    let read = line
        .split_once('\t')
        .and_then(|(name, figure)| Some((name.to_owned(), figure.parse().ok()?)));
    if read.is_none() {
        say!("{line}");
    }
    read
}

impl Table {
    /// Prints a line for each figure. The first ratio is that of the sizes, the second one that of the
    /// engines.
    fn print(&self) {
        say::heading("the staff's search, by how many operations there are, and where");
        say!(
            "{:<40} {:>10} {:>10} {:>7} {:>12} {:>7}",
            "",
            "10,000",
            "100,000",
            "ratio",
            "PostgreSQL",
            "ratio"
        );
        for (name, few) in self.columns.first().into_iter().flatten() {
            let (Some(many), Some(server)) = (self.find(1, name), self.find(2, name)) else {
                continue;
            };
            let (of_sizes, of_engines) = (many / few, server / many);
            say!(
                "{name:<40} {few:>10.2} {many:>10.2} {of_sizes:>7.2} {server:>12.2} {of_engines:>7.2}"
            );
        }
    }

    fn find(&self, column: usize, wanted: &str) -> Option<f64> {
        let found = self
            .columns
            .get(column)?
            .iter()
            .find(|(name, _)| name == wanted);
        found.map(|(_, figure)| *figure)
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, figure};

    #[test]
    fn figures_are_read_and_found_by_name() {
        assert_eq!(
            figure("first page, ms\t1.50"),
            Some(("first page, ms".to_owned(), 1.5))
        );
        assert_eq!(figure("a warning"), None);
        let mut table = Table::default();
        table.columns.push(vec![("a".to_owned(), 1.0)]);
        table
            .columns
            .push(vec![("b".to_owned(), 3.0), ("a".to_owned(), 2.0)]);
        assert_eq!(table.find(1, "a"), Some(2.0));
        assert_eq!(table.find(0, "b"), None);
        assert_eq!(table.find(2, "a"), None);
    }
}
