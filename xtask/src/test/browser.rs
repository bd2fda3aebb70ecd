//! Tests of the component that run inside a browser, without servers.

use super::command::{cargo, count};
use super::tally::Tally;
use crate::{project, tools};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs them in headless Chromium; `tests/webdriver.json` has its settings.
pub(crate) fn run() -> Result<Tally> {
    let runner = tools::wasm_test_runner()?;
    let browser = tools::browser()?;
    let settings = settings(&browser.chrome)?;
    count(
        cargo("test --package browser-kit --package payment-checkout --package staff-element")
            .args(["--tests", "--no-fail-fast"])
            .args(["--target", "wasm32-unknown-unknown"])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
            .env("CHROMEDRIVER", browser.driver)
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", settings)
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            // Two cores and a cold start want more than the usual 20 s.
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120"),
    )
}

/// `tests/webdriver.json` with the path of the browser, which the driver may not find by itself.
fn settings(chrome: &Path) -> Result<PathBuf> {
    let original = project::root().join("tests/webdriver.json");
    let text =
        fs::read(&original).with_context(|| format!("could not read {}", original.display()))?;
    let mut settings: Value =
        serde_json::from_slice(&text).context("tests/webdriver.json is not JSON")?;
    settings
        .pointer_mut("/goog:chromeOptions")
        .and_then(Value::as_object_mut)
        .context("tests/webdriver.json lacks goog:chromeOptions")?
        .insert("binary".to_owned(), json!(chrome));
    let folder = project::output("browser");
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    let copy = folder.join("webdriver.json");
    fs::write(&copy, settings.to_string())
        .with_context(|| format!("could not write {}", copy.display()))?;
    Ok(copy)
}
