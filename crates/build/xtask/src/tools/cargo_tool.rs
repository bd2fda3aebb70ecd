//! A command-line tool that cargo builds, once per user, into a folder named by its version.

use crate::{child, project, say};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// One tool at one version.
pub(crate) struct CargoTool {
    /// The crate that it comes in.
    pub(crate) package: &'static str,
    /// The program whose version is asked for.
    pub(crate) program: &'static str,
    pub(crate) version: String,
    /// Further flags of `cargo install`, such as `--locked`, which takes the authors' lock file.
    pub(crate) flags: &'static [&'static str],
    /// The usual time of the build on two cores, which is printed while the person waits.
    pub(crate) minutes: u8,
}

impl CargoTool {
    /// The program's path: on the PATH, in the cache, or newly built.
    pub(crate) fn install(&self) -> Result<PathBuf> {
        let on_path = Path::new(self.program);
        if self.answers(on_path) {
            // A bare name would suffice to run it, but other programs of its folder are needed too.
            if let Some(found) = find_on_path(self.program) {
                return Ok(found);
            }
        }
        let folder = self.folder()?;
        let cached = folder.join("bin").join(self.program);
        if !self.answers(&cached) {
            self.build(&folder)?;
        }
        Ok(cached)
    }

    fn answers(&self, program: &Path) -> bool {
        let says_version = |command: &mut Command| {
            child::output(command.arg("--version"))
                .is_some_and(|said| said.split_whitespace().nth(1) == Some(&self.version))
        };
        // Some programs of cargo answer only as their subcommand.
        let subcommand = self.program.strip_prefix("cargo-");
        says_version(&mut Command::new(program))
            || subcommand.is_some_and(|name| says_version(Command::new(program).arg(name)))
    }

    fn folder(&self) -> Result<PathBuf> {
        let name = format!("{}-{}", self.program, self.version);
        Ok(project::cache()?.join("tools").join(name))
    }

    fn build(&self, folder: &Path) -> Result<()> {
        let title = format!("{} {}", self.program, self.version);
        say::progress(
            "tools",
            format!("{title} is being built (about {} min, once)", self.minutes),
        );
        let start = Instant::now();
        let mut install = Command::new("cargo");
        install
            .args(["install", self.package, "--version"])
            .arg(&self.version)
            .arg("--root")
            .arg(folder)
            .args(self.flags)
            // Outside of the repository the repository's cargo configuration does not apply, and
            // without these variables neither do its target folder and flags. rustup passes the
            // pinned toolchain on in a variable.
            .current_dir(std::env::temp_dir())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET")
            .env_remove("RUSTFLAGS")
            // A tool runs for seconds. Its authors' best optimization takes minutes to build.
            .envs([
                ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
                ("CARGO_PROFILE_RELEASE_LTO", "off"),
                ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
                ("CARGO_PROFILE_RELEASE_STRIP", "debuginfo"),
            ]);
        child::run_ok_quietly(&mut install, &title).with_context(|| {
            format!(
                "{title} could not be installed; try `cargo install {} --version {} {}` by hand, \
                 one on the PATH is used as well",
                self.package,
                self.version,
                self.flags.join(" "),
            )
        })?;
        say::progress(
            "tools",
            format!("{title} built in {}", say::duration(start.elapsed())),
        );
        Ok(())
    }
}

/// Finds `program` on the PATH.
pub(crate) fn find_on_path(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
}
