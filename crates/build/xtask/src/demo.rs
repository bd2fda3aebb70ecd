//! `cargo xtask demo`: a shop to click through, until Ctrl-C.

use crate::servers::{self, Profile};
use crate::wasm::{Build, CHECKOUT, Edition};
use crate::{folders, project, say, tools, wasm};
use anyhow::{Context, Result, bail};
use demo_stack::{OwnShop, Plan, Ports, Stack, nodes, watch, welcome};
use fs_err as fs;
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

/// What a person asked for.
pub(crate) struct Wish {
    /// A shop of the person's own, which uses the demo's server.
    own_shop: Option<OwnShop>,
    /// How many nodes of the server there are.
    nodes: u16,
    /// The elements of the pages; `None` where something else serves the pages.
    edition: Option<Edition>,
}

impl Wish {
    /// Reads `--shipped`, `--nodes N` and `--shop ADDRESS`.
    pub(crate) fn parse(flags: &[&str]) -> Result<Self> {
        let mut wish = Self {
            own_shop: None,
            nodes: 1,
            edition: Some(Edition::Development),
        };
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            match *flag {
                "--shipped" => wish.edition = Some(Edition::Shipped),
                "--nodes" => {
                    let count = flags
                        .next()
                        .context("--nodes wants a number, as in `--nodes 3`")?;
                    wish.nodes = nodes(count)?;
                }
                "--shop" => {
                    let address = flags.next().context(
                        "--shop wants the address of your shop, as in `--shop http://127.0.0.1:8000`",
                    )?;
                    wish.own_shop = Some(OwnShop::parse(address)?);
                }
                other => bail!("`cargo xtask demo` does not know `{other}`; see `--help`"),
            }
        }
        Ok(wish)
    }
}

/// Starts the demo on the addresses in the documentation, and builds the elements again when a source changes.
pub(crate) fn run(wish: &Wish) -> Result<()> {
    serve(wish, Ports::DEMO, project::output("demo"), false)
}

/// Starts everything but the shop's pages, for `trunk serve` in another terminal.
pub(crate) fn run_for_trunk() -> Result<()> {
    let wish = Wish {
        own_shop: None,
        nodes: 1,
        edition: None,
    };
    serve(&wish, Ports::DEMO, project::output("demo"), false)
}

/// Starts the servers at the ports of the end-to-end tests, for developers who write such a test.
pub(crate) fn run_for_tests() -> Result<()> {
    let wish = Wish::parse(&["--shipped"])?;
    serve(&wish, Ports::for_tests(), project::output("e2e"), true)
}

/// Builds and starts the servers in a folder, without the orders of the last time if it is to `forget` them.
fn serve(wish: &Wish, ports: Ports, folder: PathBuf, forget: bool) -> Result<()> {
    let start = Instant::now();
    ports.check(wish.edition.is_some())?;
    let steps = if wish.edition.is_some() { 5 } else { 3 };
    say::step(1, steps, "tools are installed", "15 s the first time");
    tools::for_elements(wish.edition == Some(Edition::Shipped))?;
    let usual = "2 to 3 min the first time";
    say::step(2, steps, "the servers are compiled", usual);
    servers::build(Profile::Debug)?;
    // What changes during the build is built again.
    let watched = match wish.edition {
        Some(Edition::Development) => watched()?,
        Some(Edition::Shipped) | None => Vec::new(),
    };
    let mut seen = newest(&watched);
    let mut build = None;
    if let Some(edition) = wish.edition {
        let usual = match edition {
            Edition::Development => "1 min the first time",
            Edition::Shipped => "4 min the first time",
        };
        say::step(3, steps, "the elements are compiled", usual);
        let begun = Build::start(edition)?;
        say::step(4, steps, "the payer's element is made for browsers", "5 s");
        begun.finish(&CHECKOUT)?;
        build = Some(begun);
    }
    say::step(steps, steps, "the servers start", "2 s");
    // Several nodes share one PostgreSQL, which stops after them.
    let postgres = (wish.nodes > 1).then(tools::postgres).transpose()?;
    let plan = Plan {
        own_shop: wish.own_shop,
        nodes: wish.nodes,
        database: postgres.as_ref().map(|postgres| postgres.address()),
        forget,
        ..servers::plan(ports, folder, Profile::Debug, wish.edition)?
    };
    let mut stack = Stack::start(&plan)?;
    let elements = match wish.edition {
        Some(Edition::Shipped) => "the elements as they ship",
        _ => "the development edition of the elements",
    };
    welcome(&plan, &stack, elements);
    let took = say::duration(start.elapsed());
    say::progress("demo", format!("ready after {took}"));
    if let Some(build) = build {
        build.finish_others()?;
    }
    if wish.edition == Some(Edition::Shipped) {
        // The gallery is of no other edition.
        wasm::build(Edition::Development)?;
    }
    watch(&mut stack, || {
        let now = newest(&watched);
        if now != seen {
            seen = now;
            rebuild();
        }
    })?;
    say!();
    say::progress("demo", "stopping the servers");
    drop(stack);
    say::progress("demo", "stopped");
    Ok(())
}

/// Builds what changed, the payer's element first. After a mistake in a source the build before stays.
fn rebuild() {
    let start = Instant::now();
    say::progress("demo", "a source has changed");
    let built = Build::start(Edition::Development).and_then(|build| {
        build.finish(&CHECKOUT)?;
        let took = say::duration(start.elapsed());
        say::progress("demo", format!("built in {took}: reload the payer's page"));
        build.finish_others()
    });
    match built {
        Ok(()) => say::progress("demo", "all elements are built"),
        Err(error) => {
            say!("error: {error:#}");
            say::progress(
                "demo",
                "goes on with the build before; the next save builds again",
            );
        }
    }
}

/// The files and folders that Trunk watches, too.
fn watched() -> Result<Vec<PathBuf>> {
    let text = fs::read_to_string(project::root().join("Trunk.toml"));
    let settings: toml::Table = text?.parse()?;
    let list = settings.get("watch").and_then(|watch| watch.get("watch"));
    let list = list.and_then(toml::Value::as_array);
    let list = list.context("Trunk.toml has no list [watch] watch")?;
    let paths = list.iter().filter_map(toml::Value::as_str);
    let paths: Vec<_> = paths.map(|path| project::root().join(path)).collect();
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        bail!(
            "Trunk.toml watches {}, which is not there",
            missing.display()
        );
    }
    Ok(paths)
}

/// The time of the last change, and how many files there are.
fn newest(watched: &[PathBuf]) -> (Option<SystemTime>, usize) {
    let files = watched
        .iter()
        .flat_map(|path| folders::files(path).unwrap_or_default());
    let times: Vec<_> = files
        .filter_map(|file| fs::metadata(file).ok()?.modified().ok())
        .collect();
    (times.iter().max().copied(), times.len())
}
