//! Pages in a browser that other programs than the demo's build: those of `trunk serve` beside the servers of the demo, which
//! are the demo's own, as README says it, and the shop of `examples/yew-shop`, as its README says it; and the site of
//! `cargo xtask site`, which asks no other host for anything.

use super::Selection;
use super::end_to_end::Playwright;
use super::servers::Servers;
use super::tally::{Tally, cargo, check, count};
use crate::servers::{self, Profile};
use crate::tools::toolchain::TARGET;
use crate::{folders, interrupt, package, project, say, site, tools};
use anyhow::{Context, Result, bail};
use demo_stack::child::Group;
use demo_stack::{Ports, http_status};
use fs_err as fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, thread};

/// How long Trunk may take to build a page and to serve it.
const PATIENCE: Duration = Duration::from_secs(600);

/// The port of `examples/yew-shop/Trunk.toml`.
const YEW_SHOP_PORT: u16 = 8090;

/// Takes a payment through the pages that Trunk builds and serves. Trunk takes minutes to build, so only
/// `--all` and `--only` install it; else the step is for those who have it.
pub(super) fn demo(selection: &Selection) -> Result<Tally> {
    let Some(mut trunk) = tools::trunk(selection.is_long("trunk"))? else {
        say::progress("trunk", "NOT TESTED: Trunk is not installed");
        return Ok(Tally::default());
    };
    let mut payment = selection.clone();
    payment.runner_arguments = [
        "qr.spec",
        "-g",
        "a payer walks from the shelf to the thanks",
    ]
    .map(str::to_owned)
    .to_vec();
    trunk.arg("serve");
    tested_in_browser(trunk, "trunk", Ports::DEMO.shop, "e2e", &payment)
}

/// Holds the shop in Yew, which is outside of the workspace, against format and lints, and takes a payment through it.
pub(super) fn yew_shop(selection: &Selection) -> Result<Tally> {
    let name = "yew-shop";
    let folder = project::root().join("examples").join(name);
    let built = project::output(name).join("cargo");
    let shop = |words: &str| {
        let mut command = cargo(words);
        command.current_dir(&folder).env("CARGO_TARGET_DIR", &built);
        command
    };
    let mut tally = check(&mut shop("fmt --check"))?;
    let mut lint = shop("clippy --locked --target");
    tally += check(lint.arg(TARGET).args(["--", "-D", "warnings"]))?;
    let mut trunk = tools::trunk(true)?.context("Trunk could not be installed")?;
    // Trunk would download the program that writes the glue.
    let glue = tools::wasm_bindgen()?;
    let mut path = vec![glue.parent().map(Path::to_owned).unwrap_or_default()];
    path.extend(env::var_os("PATH").iter().flat_map(env::split_paths));
    trunk
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", &built)
        .env("PATH", env::join_paths(path)?)
        .args(["serve", "--locked"]);
    tally += tested_in_browser(trunk, name, YEW_SHOP_PORT, name, selection)?;
    Ok(tally)
}

/// Runs tests of a project of Playwright while Trunk serves a page at this port.
fn tested_in_browser(
    mut trunk: Command,
    name: &str,
    port: u16,
    project: &str,
    selection: &Selection,
) -> Result<Tally> {
    let (browser, node) = (tools::browser()?, tools::test_packages()?);
    servers::build(Profile::Debug)?;
    let folder = project::output(name);
    fs::create_dir_all(&folder)?;
    Ports::DEMO.check(true)?;
    let mut servers = Servers::without_pages(&folder)?;
    let log = folder.join("trunk.log");
    let mut serving = Group::start_with_log(trunk.arg("--skip-version-check"), &log)?;
    let start = Instant::now();
    while http_status(port, "/") != Some(200) {
        interrupt::check()?;
        if serving.ended()?.is_some() || start.elapsed() > PATIENCE {
            bail!(
                "Trunk does not serve the page; its output is in {}",
                log.display()
            );
        }
        thread::sleep(Duration::from_millis(200));
    }
    let playwright = Playwright {
        node: &node,
        browser: &browser,
        folder,
        selection,
    };
    playwright.run(&mut servers, project, 1)
}

/// A path that a link from the top of the host would miss.
const SITE_BASE: &str = "/some/path/";

/// Builds the site below a path, and opens it.
pub(super) fn site(selection: &Selection) -> Result<Tally> {
    let node = tools::test_packages()?;
    let browser = tools::browser()?;
    package::build()?;
    let results = project::output("site-test");
    folders::empty(&results)?;
    let built = results.join("built");
    site::build(SITE_BASE, &built)?;
    let mut tests = node.command("playwright");
    tests.args(["test", "--project", "site", "--workers", "2"]);
    count(
        tests
            .args(&selection.runner_arguments)
            .env("CHROME", &browser.chrome)
            .env("CHROME_SHELL", &browser.shell)
            .env("SITE", &built)
            .env("SITE_BASE", SITE_BASE)
            .env("RESULTS", &results),
    )
}
