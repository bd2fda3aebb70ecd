//! Builds the elements, and the gallery of screens, as the files that a page loads.
//!
//! There are two editions with the same file names, brands and integrity. Both: cargo compiles,
//! wasm-bindgen writes the glue, which gets brands of its own and the hash of its wasm, and esbuild bundles it
//! with the modules of `www`. The shipped edition also has its own standard library, short names, and wasm-opt, which takes
//! minutes; the development edition keeps the messages of panics and takes seconds.

mod assemble;
mod compile;
mod glue;
mod imports;
mod module;
mod optimize;

use crate::tools::BuildTools;
use crate::{folders, project, say, tools};
use anyhow::{Context, Result, anyhow};
use fs_err::{self as fs, File};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

pub(crate) use module::{CHECKOUT, GALLERY, Module, STAFF};

/// For whom the elements are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edition {
    /// For people who work on the project.
    Development,
    /// For payers and staff: as small as possible. A panic in it is a trap without a message.
    Shipped,
}

impl Edition {
    /// The modules of this edition. No shop loads the gallery, so it is built for development only.
    pub(crate) fn modules(self) -> &'static [Module] {
        match self {
            Self::Development => &module::ALL,
            Self::Shipped => &[CHECKOUT, STAFF],
        }
    }

    /// The folder where pages find the files of a module.
    pub(crate) fn output(self, module: &Module) -> PathBuf {
        self.folder().join(module.folder)
    }

    /// The file name of the wasm of a module.
    pub(crate) fn wasm_file(self, module: &Module) -> Result<String> {
        let folder = self.output(module);
        let names = folders::files(&folder)?;
        let mut names = names.iter().filter_map(|file| file.file_name()?.to_str());
        let wasm = names.find(|name| name.ends_with(".wasm"));
        wasm.map(str::to_owned)
            .with_context(|| format!("{} has no wasm", folder.display()))
    }

    fn folder(self) -> PathBuf {
        match self {
            Self::Development => project::output("development"),
            Self::Shipped => project::output(""),
        }
    }

    /// The folder of cargo's profile.
    fn profile(self) -> &'static str {
        match self {
            Self::Development => "debug",
            Self::Shipped => "wasm-release",
        }
    }
}

/// Builds the modules of an edition, but only those that changed.
pub(crate) fn build(edition: Edition) -> Result<()> {
    Build::start(edition)?.finish_all(edition.modules())
}

/// A build of one edition. It has its turn as long as it lives: a demo that watches its sources and a test
/// may build in the same clone.
pub(crate) struct Build {
    edition: Edition,
    tools: BuildTools,
    _turn: File,
}

impl Build {
    /// Installs the tools, waits for the turn, and compiles all modules.
    pub(crate) fn start(edition: Edition) -> Result<Self> {
        let tools = tools::for_build(edition == Edition::Shipped)?;
        let turn = turn(&edition.folder().join("wasm"))?;
        match edition {
            Edition::Development => compile::development()?,
            Edition::Shipped => edition.modules().iter().try_for_each(compile::shipped)?,
        }
        Ok(Self {
            edition,
            tools,
            _turn: turn,
        })
    }

    /// Makes the files of one module.
    pub(crate) fn finish(&self, module: &Module) -> Result<()> {
        let start = Instant::now();
        let work = self.work(module);
        fs::create_dir_all(&work)?;
        let compiled = compile::compiled(module, self.edition.profile())?;
        let recipe = recipe(&compiled)?;
        let fresh = fs::read_to_string(work.join("recipe")).is_ok_and(|noted| noted == recipe);
        if !fresh {
            // Without this mark the folder counts as unfinished.
            drop(fs::remove_file(work.join("recipe")));
            fs::copy(&compiled, work.join("compiled.wasm"))?;
            self.process(module)?;
            fs::write(work.join("recipe"), &recipe)?;
        }
        assemble::run(self, module)?;
        let folder = self.edition.output(module);
        let folder = folder.strip_prefix(project::root()).unwrap_or(&folder);
        let state = if fresh { "up to date" } else { "built" };
        let took = say::duration(start.elapsed());
        say::progress("wasm", format!("{} is {state} ({took})", folder.display()));
        Ok(())
    }

    /// Makes the files of all modules but the payer's element.
    pub(crate) fn finish_others(self) -> Result<()> {
        let others = |module: &&Module| **module != CHECKOUT;
        let others: Vec<_> = self.edition.modules().iter().filter(others).collect();
        self.finish_all(others)
    }

    /// Makes the files of these modules at the same time, since most steps keep one core busy.
    fn finish_all<'a>(&self, modules: impl IntoIterator<Item = &'a Module>) -> Result<()> {
        thread::scope(|scope| {
            let modules = modules.into_iter();
            let started: Vec<_> = modules
                .map(|module| scope.spawn(move || self.finish(module)))
                .collect();
            started.into_iter().try_for_each(|one| {
                let failed = || anyhow!("the building of a module failed");
                one.join().unwrap_or_else(|_| Err(failed()))
            })
        })
    }

    /// The steps from the compiled wasm to the finished one and its glue.
    fn process(&self, module: &Module) -> Result<()> {
        glue::write(self, module)?;
        let work = self.work(module);
        match self.edition {
            Edition::Development => {
                fs::copy(work.join(module.wasm_file()), work.join("finished.wasm"))?;
            }
            Edition::Shipped => {
                optimize::shorten_names(&self.tools, &work, module)?;
                say::progress("wasm", "wasm-opt makes the wasm small (usually 20 s)");
                optimize::run(&self.tools, &work, module)?;
            }
        }
        glue::adapt(self, module)?;
        Ok(())
    }

    /// The folder for the files of the earlier steps.
    fn work(&self, module: &Module) -> PathBuf {
        self.edition.folder().join("wasm").join(module.source)
    }
}

/// Waits until no other build runs. The lock lasts as long as the file is open.
fn turn(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder)?;
    let file = File::create(folder.join("lock"))?;
    file.lock().context("could not wait for another build")?;
    Ok(file)
}

/// The hash of all inputs of a finished wasm and its glue: the compiled wasm, and what the steps read.
fn recipe(compiled: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    let mut files = folders::files(&project::root().join("crates/build/xtask/src/wasm"))?;
    let others = ["Cargo.toml", "package-lock.json"];
    files.extend(others.map(|file| project::root().join(file)));
    files.push(compiled.to_owned());
    for file in files {
        hash.update(fs::read(&file)?);
    }
    let digits = hash.finalize();
    Ok(digits.iter().map(|byte| format!("{byte:02x}")).collect())
}
