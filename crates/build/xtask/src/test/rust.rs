//! Steps of cargo: lints, and tests on this machine, on PostgreSQL and in a browser. A warning is an error here.

use super::Selection;
use super::programs::{self, Program};
use super::tally::{Tally, cargo, check, count};
use crate::tools::toolchain::TARGET;
use crate::{project, tools};
use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that need a system below them.
const NATIVE_ONLY: [&str; 12] = [
    "bench",
    "bindgen",
    "demo-shop",
    "demo-stack",
    "element-printer",
    "interfaces",
    "merchant-backend",
    "payment-checkout-demo",
    "payment-sandbox",
    "test-postgres",
    "torture",
    "xtask",
];

/// Tests that are about a file of SQLite, and say nothing of another database.
const ABOUT_FILES: [&str; 4] = [
    "startup::a_database_that_cannot_be_used_is_said_clearly",
    "startup::other_users_of_the_machine_cannot_read_the_database",
    "log::with_a_full_disk_below_log_and_database_every_payer_gets_an_answer",
    "readiness::without_room_on_the_disk_the_server_is_not_ready",
];

/// The lock files are up to date, so that every clone gets the tested versions.
pub(super) fn lock_file(_: &Selection) -> Result<Tally> {
    let mut tally = check(&mut cargo("update --workspace --locked --quiet"))?;
    tally += check(&mut cargo(
        "update --workspace --locked --quiet --manifest-path crates/testing/fuzz/Cargo.toml",
    ))?;
    Ok(tally)
}

/// All code has rustfmt's format.
pub(super) fn formatting(_: &Selection) -> Result<Tally> {
    check(&mut cargo("fmt --all --check"))
}

/// Words are written as dictionaries of common mistakes have them; `typos.toml` has the exceptions.
pub(super) fn spelling(_: &Selection) -> Result<Tally> {
    check(&mut Command::new(tools::typos().install()?))
}

/// Every crate, as it is compiled for this machine.
pub(super) fn lint(_: &Selection) -> Result<Tally> {
    check(&mut cargo(
        "clippy --workspace --all-targets --features merchant-backend/versions -- -D warnings",
    ))
}

/// The crates for browsers, and those inside of them.
pub(super) fn lint_wasm(_: &Selection) -> Result<Tally> {
    tools::for_wasm_lints()?;
    let mut tally = check(&mut cargo(
        "clippy --package payment-checkout --package browser-kit --package checkout-element \
         --package staff-element --package gallery --all-targets \
         --target wasm32-unknown-unknown -- -D warnings",
    ))?;
    tally += check(&mut cargo(
        "clippy --package payment-model --package checkout-flow --package staff-model \
         --target wasm32-unknown-unknown -- -D warnings",
    ))?;
    // The only crate with a feature of its own that pages may compile.
    tally += check(&mut cargo(
        "check --package payment-model --all-features --target wasm32-unknown-unknown",
    ))?;
    Ok(tally)
}

/// Broken links in the documentation of any crate are errors. `crates/testing/interfaces` compares the public items of some.
pub(super) fn documentation(_: &Selection) -> Result<Tally> {
    let mut tally = check(
        cargo("doc --no-deps --workspace --lib --bins --examples --quiet")
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    tally += count(&mut cargo("test --package interfaces"))?;
    Ok(tally)
}

/// `deny.toml` says which licences and sources a dependency may have.
pub(super) fn supply(_: &Selection) -> Result<Tally> {
    let program = tools::cargo_deny().install()?;
    check(Command::new(program).args(["--workspace", "check", "bans", "licenses", "sources"]))
}

/// Features are additive: each works by itself and without the others, natively and in a browser.
pub(super) fn features(_: &Selection) -> Result<Tally> {
    tools::for_wasm_lints()?;
    let program = tools::cargo_hack().install()?;
    let each_feature = || {
        let mut command = Command::new(&program);
        command.args(["hack", "check", "--each-feature", "--workspace"]);
        command
    };
    let mut tally = check(&mut each_feature())?;
    tally += check(
        each_feature()
            .args(NATIVE_ONLY.iter().flat_map(|name| ["--exclude", name]))
            .args(["--target", TARGET]),
    )?;
    tally += count(&mut cargo(
        "test --package payment-checkout --no-default-features --lib",
    ))?;
    Ok(tally)
}

/// Tests every crate, to the last test even when one fails; those for browsers as far as they need
/// none. What looks for lost money is a step of its own.
pub(super) fn native(_: &Selection) -> Result<Tally> {
    let mut tally = programs::run_all_but(&["torture"])?;
    tally += count(&mut cargo("tests --exclude torture --doc --no-fail-fast"))?;
    Ok(tally)
}

/// The model reads the same without its default feature, for which it is compiled once more.
pub(super) fn closed_model(_: &Selection) -> Result<Tally> {
    count(&mut cargo(
        "test --package payment-model --no-default-features --test shown",
    ))
}

/// A short run, with a fixed seed, of what looks for lost and doubled money.
pub(super) fn torture(_: &Selection) -> Result<Tally> {
    programs::run(|program| program.package == "torture", |_| {})
}

/// Tests the measurements' own code, which no check of a change waits for.
pub(super) fn bench(_: &Selection) -> Result<Tally> {
    count(&mut cargo("test --package bench"))
}

/// Runs the tests of the database and of whole nodes that are lost on PostgreSQL. All other payments are left to `--all`
/// and `--only`.
pub(super) fn postgres(selection: &Selection) -> Result<Tally> {
    tools::install_postgres()?;
    let faketime = tools::faketime()?;
    let of_server = |name: &'static str| {
        move |program: &Program| program.package == "merchant-backend" && program.target == name
    };
    let mut tally = programs::run(of_server("merchant_backend"), |tests| {
        tests.env("TEST_DATABASE", "postgres").arg("db::");
    })?;
    tally += programs::run(of_server("payments"), |nodes| {
        nodes
            .env("TEST_DATABASE", "postgres")
            .env("TEST_FAKETIME", &faketime)
            .arg("--include-ignored")
            .args(ABOUT_FILES.iter().flat_map(|name| ["--skip", name]));
        if !selection.is_long("postgres") {
            nodes.arg("nodes::");
        }
    })?;
    Ok(tally)
}

/// Tests of the component in headless Chromium, without servers.
pub(super) fn browser(_: &Selection) -> Result<Tally> {
    let runner = tools::wasm_test_runner()?;
    let browser = tools::browser()?;
    let settings = webdriver_settings(&browser.chrome)?;
    count(
        cargo("browser-tests --tests --no-fail-fast --target")
            .arg(TARGET)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
            .env("CHROMEDRIVER", browser.driver)
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", settings)
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            // Two cores and a cold start want more than the usual 20 s.
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120"),
    )
}

/// `tests/webdriver.json` with the path of the browser, which the driver may not find by itself.
fn webdriver_settings(chrome: &Path) -> Result<PathBuf> {
    let original = project::root().join("tests/webdriver.json");
    let text = fs::read(&original)?;
    let mut settings: Value =
        serde_json::from_slice(&text).context("tests/webdriver.json is not JSON")?;
    settings["goog:chromeOptions"]["binary"] = json!(chrome);
    let folder = project::output("browser");
    let copy = folder.join("webdriver.json");
    fs::create_dir_all(&folder).and_then(|()| fs::write(&copy, settings.to_string()))?;
    Ok(copy)
}
