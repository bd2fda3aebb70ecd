//! The browsers beside Chromium in which the tests pay: Firefox and WebKit, which Debian has, and two
//! old Chromiums from npm. None of them is needed to work on the project.

use super::cargo_tool::find_on_path;
use super::node_packages::NodePackages;
use super::{debian, node_packages};
use crate::{child, project, say};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// One browser.
pub(crate) struct Engine {
    /// As `tests/engines/support/engine.mjs` calls it.
    pub(crate) name: &'static str,
    /// The browser, or its driver.
    pub(crate) program: PathBuf,
    /// True for one that is new enough to run the wasm.
    pub(crate) pays: bool,
}

/// An engine of Debian's.
struct Packaged {
    name: &'static str,
    /// The first of them starts it.
    programs: &'static [&'static str],
    packages: &'static [&'static str],
}

/// A Chromium in a package of npm's, compressed.
struct Old {
    name: &'static str,
    /// Where it lies in `node_modules`.
    file: &'static str,
    pays: bool,
}

const PACKAGED: [Packaged; 2] = [
    Packaged {
        name: "firefox",
        programs: &["firefox-esr"],
        packages: &["firefox-esr"],
    },
    Packaged {
        name: "webkit",
        // Its window needs a screen.
        programs: &["WebKitWebDriver", "Xvfb"],
        packages: &["webkit2gtk-driver", "xvfb"],
    },
];

const OLD: [Old; 2] = [
    Old {
        name: "chromium-103",
        file: "@sparticuz/chromium/bin/chromium.br",
        pays: true,
    },
    Old {
        name: "chromium-92",
        file: "chrome-aws-lambda/bin/chromium.br",
        pays: false,
    },
];

/// Installs the engines that can be had without a question, and names the others.
pub(crate) fn install() -> Result<Vec<Engine>> {
    let node = node_packages::engine_packages()?;
    install_packages()?;
    let mut found = Vec::new();
    let packaged = PACKAGED.iter().map(|engine| (engine.name, engine.find()));
    let old = OLD.iter().map(|engine| (engine.name, engine.find(&node)));
    for (name, engine) in packaged.chain(old) {
        match engine {
            Ok(engine) => found.push(engine),
            // Where they can be installed an absent one is a fault.
            Err(reason) if debian::is_ours() => return Err(reason.context(name)),
            Err(reason) => say::progress("engines", format!("NOT TESTED: {name}: {reason:#}")),
        }
    }
    Ok(found)
}

fn install_packages() -> Result<()> {
    let missing: Vec<&Packaged> = PACKAGED
        .iter()
        .filter(|engine| !engine.is_there())
        .collect();
    if missing.is_empty() || !debian::is_ours() {
        return Ok(());
    }
    // Recommended are spelling, sounds and helpers of desktops.
    let mut words = vec!["--no-install-recommends"];
    words.extend(missing.iter().flat_map(|engine| engine.packages));
    let names: Vec<&str> = missing.iter().map(|engine| engine.name).collect();
    let start = Instant::now();
    debian::install(&format!("{} are", names.join(" and ")), &words)?;
    say::progress(
        "tools",
        format!("installed in {}", say::duration(start.elapsed())),
    );
    Ok(())
}

impl Packaged {
    fn is_there(&self) -> bool {
        self.programs
            .iter()
            .all(|program| find_on_path(program).is_some())
    }

    fn find(&self) -> Result<Engine> {
        let all: Option<Vec<PathBuf>> = self
            .programs
            .iter()
            .map(|program| find_on_path(program))
            .collect();
        let program = all
            .and_then(|all| all.into_iter().next())
            .with_context(|| {
                format!(
                    "install it (Debian: `apt-get install {}`)",
                    self.packages.join(" ")
                )
            })?;
        Ok(Engine {
            name: self.name,
            program,
            pays: true,
        })
    }
}

impl Old {
    fn find(&self, node: &NodePackages) -> Result<Engine> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            bail!("there are builds of it for Linux on x86-64 alone");
        }
        let folder = project::cache()?.join("tools").join(self.name);
        let program = folder.join("chromium");
        if !program.is_file() {
            say::progress("tools", format!("{} is being unpacked", self.name));
            fs::create_dir_all(&folder)
                .with_context(|| format!("could not make {}", folder.display()))?;
            child::must(
                node.script("unpack.mjs")
                    .arg(node.file(self.file))
                    .arg(&program),
            )?;
        }
        let libraries = child::answer(Command::new("ldd").arg(&program)).unwrap_or_default();
        let missing: Vec<&str> = libraries
            .lines()
            .filter(|line| line.ends_with("not found"))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        if !missing.is_empty() {
            bail!(
                "these libraries are missing, which Debian's Chromium needs too: {}",
                missing.join(" ")
            );
        }
        Ok(Engine {
            name: self.name,
            program,
            pays: self.pays,
        })
    }
}
