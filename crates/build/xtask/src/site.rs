//! `cargo xtask site`: the guides, the API and a playground with the element as it ships, as plain files in `target/site`.

use crate::{child, package, project, say, tools};
use anyhow::{Result, bail};
use std::path::Path;

/// Builds the site for the path that the words name, as in `--base /payment-checkout/`, or for the top of a host.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let base = match words {
        [] => "/",
        ["--base", base] => base,
        _ => bail!("`cargo xtask site` knows only `--base PATH`; see `--help`"),
    };
    if !base.starts_with('/') || !base.ends_with('/') {
        bail!("--base wants a path that begins and ends with `/`, as in `/payment-checkout/`");
    }
    package::build()?;
    let output = project::output("site");
    build(base, &output)?;
    say::progress(
        "site",
        format!("{} is ready to be published below {base}", output.display()),
    );
    Ok(())
}

/// Builds the site into a folder, with the package that was built last.
pub(crate) fn build(base: &str, output: &Path) -> Result<()> {
    let mut build = tools::site_packages()?.script("build.mjs");
    build
        .env("PACKAGE", package::folder())
        .env("SITE_BASE", base)
        .env("SITE_OUTPUT", output);
    child::run_ok(&mut build)
}
