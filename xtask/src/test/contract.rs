//! Checks that the contract with the merchant's server is valid by the schema of `OpenAPI` itself.
//! The server's own tests check that the server keeps the contract.

use super::command::check;
use super::tally::Tally;
use crate::tools;
use anyhow::Result;

pub(crate) fn run() -> Result<Tally> {
    let mut validate = tools::test_packages()?.command("validate-api");
    check(validate.arg("../docs/openapi.yaml"))
}
