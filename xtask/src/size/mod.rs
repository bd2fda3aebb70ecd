//! `cargo xtask size`: the downloads of a browser before the QR shows, and the package.

mod budget;
mod download;
mod parts;
mod share;

use crate::{package, project, say, wasm};
use anyhow::{Context, Result};
use budget::{Budget, limit};
use download::Download;
use std::fs;
use std::process::ExitCode;

/// Builds the package, prints each file's sizes and judges the sums.
pub(crate) fn run(top: bool) -> Result<ExitCode> {
    let fits = measure()?;
    if top {
        share::print(&wasm::with_names(&wasm::CHECKOUT)?)?;
    }
    Ok(if fits {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Does the same. True when everything is within its budget.
pub(crate) fn measure() -> Result<bool> {
    package::run()?;
    let budget = Budget::read()?;
    let before = budget.newest()?;
    // Only developers load the maps, only browsers whose scripts cannot make style sheets load
    // the sheets, and the lines of HTML are part of a page.
    let shipped = |module: wasm::Module| -> Result<Vec<Download>> {
        let mut files = Download::of_folder(&module.output())?;
        files.retain(|file| {
            ![".map", ".css", ".html"]
                .iter()
                .any(|end| file.name.ends_with(end))
        });
        Ok(files)
    };
    let (later, element): (Vec<_>, Vec<_>) = shipped(wasm::CHECKOUT)?
        .into_iter()
        .filter(|file| !other_way_in(&wasm::CHECKOUT, file))
        .partition(|file| !wasm::CHECKOUT.loads_at_once(&file.name));
    let mut operations = shipped(wasm::STAFF)?;
    operations.retain(|file| wasm::STAFF.loads_at_once(&file.name));
    let www = project::root().join("www");
    let mut shop = vec![Download::of_file(&www.join("index.html"))?];
    let own = www.join("shop");
    if own.is_dir() {
        shop.extend(Download::of_folder(&own)?);
    }
    let mut fits = table("the element", &element, before.element);
    files("what the element loads meanwhile", &later);
    let operations_before = before.operations.unwrap_or_default();
    fits &= table("the staff's element", &operations, operations_before);
    fits &= table("the demo shop around it", &shop, before.shop);
    say::heading("the package as npm packs it");
    let tarball = package::tarball()?;
    let packed = fs::metadata(&tarball).context("the package was not packed")?;
    let packed = usize::try_from(packed.len()).context("the package is too large to count")?;
    fits &= judge(packed, before.package.unwrap_or_default());
    budget.print_history();
    Ok(fits)
}

/// True for the way in that a page takes instead of the usual one.
fn other_way_in(module: &wasm::Module, file: &Download) -> bool {
    module.ways_in[1..].contains(&file.name.as_str())
}

/// Prints the files of one group and their sum. True when the sum is within the budget.
fn table(title: &str, group: &[Download], before: usize) -> bool {
    judge(files(title, group).brotli, before)
}

/// Prints a sum next to the previous one. True when it is within the budget.
fn judge(bytes: usize, before: usize) -> bool {
    let limit = limit(before);
    let fits = bytes <= limit;
    say!(
        "{} bytes; {} at the last measurement, and at most {}: {}",
        say::bytes(bytes),
        say::bytes(before),
        say::bytes(limit),
        if fits {
            "within the budget"
        } else {
            "OVER THE BUDGET; what is worth it gets a new entry in xtask/budget.toml"
        },
    );
    fits
}

/// Prints the files of one group and their sum, which it gives back.
fn files(title: &str, files: &[Download]) -> Download {
    say::heading(title);
    say!(
        "{:<34} {:>10} {:>10} {:>10}",
        "",
        "raw",
        "gzip 9",
        "brotli 11"
    );
    for file in files {
        say!("{}", row(&file.name, file));
    }
    let sum = Download::sum(files);
    say!("{}", row("in all", &sum));
    sum
}

fn row(name: &str, file: &Download) -> String {
    format!(
        "{name:<34} {:>10} {:>10} {:>10}",
        say::bytes(file.raw),
        say::bytes(file.gzip),
        say::bytes(file.brotli)
    )
}
