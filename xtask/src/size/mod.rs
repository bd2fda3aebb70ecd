//! `cargo xtask size`: what the browser downloads until the QR shows.

mod budget;
mod download;
mod share;

use crate::{project, say, wasm};
use anyhow::Result;
use budget::Budget;
use download::Download;
use std::process::ExitCode;

/// Builds the element, prints each file's sizes and judges the sums.
pub(crate) fn run(top: bool) -> Result<ExitCode> {
    wasm::build()?;
    let budget = Budget::read()?;
    let element = Download::of_folder(&wasm::CHECKOUT.output())?;
    let (later, element): (Vec<_>, Vec<_>) = element
        .into_iter()
        .partition(|file| wasm::CHECKOUT.later.contains(&file.name.as_str()));
    let operations = Download::of_folder(&wasm::OPERATIONS.output())?;
    let www = project::root().join("www");
    let mut shop = vec![Download::of_file(&www.join("index.html"))?];
    let own = www.join("shop");
    if own.is_dir() {
        shop.extend(Download::of_folder(&own)?);
    }
    let element_fits = table("the element", &element, budget.element);
    files("what the element loads meanwhile", &later);
    let operations_fits = table("the staff's element", &operations, budget.operations);
    let shop_fits = table("the demo shop around it", &shop, budget.shop);
    budget.print_history();
    if top {
        share::print(&wasm::with_names(&wasm::CHECKOUT)?)?;
    }
    Ok(if element_fits && operations_fits && shop_fits {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Prints the files of one group and their sum; gives back whether that is within the budget.
fn table(title: &str, group: &[Download], budget: usize) -> bool {
    let sum = files(title, group);
    let percent = sum.brotli * 100 / budget.max(1);
    let fits = sum.brotli <= budget;
    say!(
        "{} of {} bytes ({percent} %): {}",
        say::bytes(sum.brotli),
        say::bytes(budget),
        if fits {
            "within the budget"
        } else {
            "OVER THE BUDGET"
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
