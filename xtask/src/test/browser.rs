//! Tests of the component that run inside a browser, without servers.

use super::command::{cargo, count};
use super::tally::Tally;
use crate::{project, tools};
use anyhow::Result;

/// Runs them in headless Chromium; `tests/webdriver.json` says how that is started.
pub(crate) fn run() -> Result<Tally> {
    let runner = tools::wasm_test_runner()?;
    let browser = tools::browser()?;
    let settings = project::root().join("tests/webdriver.json");
    count(
        cargo("test --package payment-checkout --tests --no-fail-fast")
            .args(["--target", "wasm32-unknown-unknown"])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
            .env("CHROMEDRIVER", browser.driver)
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", settings)
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            // Two cores and a cold start want more than the usual 20 s.
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120"),
    )
}
