//! Steps of Node: types, lints and unit tests of TypeScript, JavaScript and CSS, the contract, and the documents. A warning is an error here.

use super::Selection;
use super::tally::{Tally, check, count};
use crate::tools::NodePackages;
use crate::{child, folders, project, tools};
use anyhow::{Result, bail};
use std::process::Command;

/// Modules that are checked together, as they run: in a browser, in Node, as the ground of the tests, as tests, and as pages
/// that use the package; those in a framework are among the files of their page.
const TYPED: [&str; 5] = [
    "../../www/tsconfig.json",
    "tsconfig.json",
    "../../tests/tsconfig.json",
    "../../tests/tsconfig.specs.json",
    "../../tests/package/types",
];

/// The modules of the elements as JavaScript, without their types.
const TRANSPILED: &str = "target/www-js";

/// Types, lints and formats, one lint for the oldest browsers, and tests of modules. Nothing here needs a wasm:
/// `www/modules.d.ts` declares what the modules take from a build.
pub(super) fn types_and_lints(_: &Selection) -> Result<Tally> {
    let mut tally = types()?;
    tally += lints()?;
    tally += module_tests()?;
    Ok(tally)
}

/// What a person who writes TypeScript or CSS calls again and again, each by itself.
pub(crate) fn front(what: &str) -> Result<bool> {
    let packages = tools::build_packages()?;
    match what {
        "types" => Ok(types()?.failed == 0),
        "lint" => Ok(lints()?.failed == 0),
        "format" => child::run(
            packages
                .command("biome")
                .args(["check", "--write", "../.."]),
        ),
        // Leaves the types out of the modules and runs their tests, again after each change.
        "watch" => {
            let folder = project::root().join(TRANSPILED);
            child::run(packages.script("transpile.mjs").arg(folder).arg("--test"))
        }
        other => bail!("`cargo xtask front` does not know `{other}`: types, lint, format or watch"),
    }
}

fn types() -> Result<Tally> {
    let packages = tools::build_packages()?;
    // Types of what the tests import.
    tools::test_packages()?;
    let mut tally = Tally::default();
    for project in TYPED {
        let mut types = packages.command("tsc");
        tally += check(types.args(["--project", project]))?;
    }
    Ok(tally)
}

fn lints() -> Result<Tally> {
    let packages = tools::build_packages()?;
    let mut lints = packages.command("biome");
    let mut tally = check(lints.args(["check", "--error-on-warnings", "../.."]))?;
    transpile(&packages)?;
    tally += old_browsers(&packages, &["crates/server/pay-page/src", TRANSPILED])?;
    let mut sheets = packages.command("stylelint");
    let sheets = sheets.args(["--config", "stylelint.config.mjs", "--max-warnings", "0"]);
    tally += check(sheets.arg("../../www/**/*.css"))?;
    Ok(tally)
}

/// Tests of modules that need no browser.
fn module_tests() -> Result<Tally> {
    let files = folders::files(&project::root().join("tests/modules"))?;
    let names = files.iter().filter_map(|file| file.to_str());
    let tests: Vec<&str> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    count(&mut node_tests(&tests))
}

/// Leaves the types out of the modules: the lint for older browsers and Node read JavaScript.
fn transpile(packages: &NodePackages) -> Result<()> {
    let folder = project::root().join(TRANSPILED);
    // What an earlier run wrote may have no source any more.
    folders::empty(&folder)?;
    child::run_ok(packages.script("transpile.mjs").arg(folder))
}

/// The lint for the oldest browsers that meet these files.
pub(super) fn old_browsers(packages: &NodePackages, files: &[&str]) -> Result<Tally> {
    let mut lint = packages.command("eslint");
    lint.args([
        "--config",
        "npm/tools/eslint.config.mjs",
        "--max-warnings",
        "0",
    ]);
    // It reads nothing outside of the folder that it runs in.
    check(lint.args(files).current_dir(project::root()))
}

/// The contract with the merchant's server is valid by the schema of OpenAPI itself. The server's own tests check
/// that the server keeps the contract.
pub(super) fn contract(_: &Selection) -> Result<Tally> {
    let mut validate = tools::test_packages()?.command("validate-api");
    check(validate.arg("../docs/openapi.yaml"))
}

/// The documents name and quote what is there, those in Spanish say what the English ones say, and nothing leads to a name
/// that is not ours.
pub(super) fn prose(_: &Selection) -> Result<Tally> {
    count(&mut node_tests(&[
        "tests/documents/documents.test.mjs",
        "tests/documents/languages.test.mjs",
        "tests/documents/names.test.mjs",
    ]))
}

/// How many files of tests Node runs at once. By itself it leaves a core free, so that on two cores each file waits for the
/// one before, and the longest of them wait for servers.
const FILES_AT_ONCE: &str = "--test-concurrency=3";

/// Node's own runner with these files of the repository.
pub(super) fn node_tests(files: &[&str]) -> Command {
    let mut command = Command::new("node");
    command
        .args(["--test", FILES_AT_ONCE, "--test-reporter", "tap"])
        .args(files.iter().map(|file| project::root().join(file)));
    command
}
