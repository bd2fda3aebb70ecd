//! `cargo xtask bench payers`: what many payers who wait cost the server, beside a bare route.

use crate::postgres::Postgres;
use crate::stack::{self, Profile};
use crate::{child, project, say};
use anyhow::{Context, Result, bail};
use std::fs;
use std::process::Command;

const USUAL: u32 = 10_000;

/// The number of payers that the flags ask for.
pub(super) fn count(flags: &[&str]) -> Result<u32> {
    match flags {
        [] => Ok(USUAL),
        ["--count", number] => number
            .parse()
            .with_context(|| format!("--count is `{number}`: give a whole number")),
        _ => bail!("`bench payers` takes `--count NUMBER` and nothing else"),
    }
}

/// Builds the programs as a merchant runs them, and measures.
pub(super) fn run(count: u32) -> Result<()> {
    say::progress(
        "bench",
        "servers are built as a merchant runs them, optimized",
    );
    stack::build_servers(Profile::Release)?;
    let folder = project::output("bench").join("payers");
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    let programs = Profile::Release.folder()?;
    say::progress("bench", format!("{count} payers, about ten minutes"));
    let postgres = Postgres::start()?;
    let done = child::run(
        Command::new(programs.join("payers"))
            .arg(&programs)
            .arg(count.to_string())
            .arg(postgres.address())
            .current_dir(&folder),
    )?;
    if !done {
        bail!("the measurement ended too early; its own words are above");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn the_number_of_payers_is_a_flag() {
        assert_eq!(count(&[]).unwrap(), 10_000);
        assert_eq!(count(&["--count", "700"]).unwrap(), 700);
        assert!(count(&["--count", "many"]).is_err());
        assert!(count(&["700"]).is_err());
    }
}
