//! The contract with the merchant's server is OpenAPI, by the schema of OpenAPI itself. Whether
//! the server keeps it is tested with the server.

use super::command::check;
use super::tally::Tally;
use crate::tools;
use anyhow::Result;

pub(crate) fn run() -> Result<Tally> {
    let mut validate = tools::test_packages()?.command("validate-api");
    check(validate.arg("../docs/openapi.yaml"))
}
