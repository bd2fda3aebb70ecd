//! `cargo xtask demo`: a shop to click through, until Ctrl-C.

use crate::stack::{self, OwnShop, Plan, Ports, Stack};
use crate::wasm::{Build, CHECKOUT, Edition};
use crate::{folders, interrupt, project, say, tools, wasm};
use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// What a person asked for.
pub(crate) struct Wish {
    /// A shop of the person's own, which uses the demo's server.
    pub(crate) own_shop: Option<OwnShop>,
    /// How many nodes of the server there are.
    pub(crate) nodes: u16,
    pub(crate) edition: Edition,
}

impl Wish {
    /// Reads `--shipped`, `--nodes N` and `--shop ADDRESS`.
    pub(crate) fn parse(flags: &[&str]) -> Result<Self> {
        let mut wish = Self {
            own_shop: None,
            nodes: 1,
            edition: Edition::Development,
        };
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            match *flag {
                "--shipped" => wish.edition = Edition::Shipped,
                "--nodes" => {
                    let count = flags
                        .next()
                        .context("--nodes wants a number, as in `--nodes 3`")?;
                    wish.nodes = stack::nodes(count)?;
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

/// How often the demo looks for changed sources.
const LOOK: Duration = Duration::from_millis(500);

/// Starts the demo on the addresses in the documentation, and builds the elements again when a source changes.
pub(crate) fn run(wish: &Wish) -> Result<()> {
    serve(&Plan {
        own_shop: wish.own_shop,
        nodes: wish.nodes,
        pages: Some(wish.edition),
        ..Plan::new(Ports::DEMO, project::output("demo"))
    })
}

/// Starts everything but the shop's pages, for `trunk serve` in another terminal.
pub(crate) fn run_for_trunk() -> Result<()> {
    serve(&Plan::new(Ports::DEMO, project::output("demo")))
}

/// Starts the demo with the programs and pages of a parcel.
pub(crate) fn run_parcel(folder: PathBuf, own_shop: Option<&str>) -> Result<()> {
    let plan = Plan {
        own_shop: own_shop.map(OwnShop::parse).transpose()?,
        pages: Some(Edition::Shipped),
        parcel: Some(folder.clone()),
        ..Plan::new(Ports::DEMO, folder)
    };
    plan.ports.check(true)?;
    let mut stack = Stack::start(&plan)?;
    welcome(&plan, &stack);
    watch(&mut stack, || ())?;
    say::progress("demo", "stopping the servers");
    Ok(())
}

/// Starts the servers at the ports of the end-to-end tests, for developers who write such a test.
pub(crate) fn run_for_tests() -> Result<()> {
    serve(&Plan {
        forget: true,
        pages: Some(Edition::Shipped),
        ..Plan::new(Ports::for_tests(), project::output("e2e"))
    })
}

fn serve(plan: &Plan) -> Result<()> {
    let start = Instant::now();
    plan.ports.check(plan.pages.is_some())?;
    let steps = if plan.pages.is_some() { 5 } else { 3 };
    say::step(1, steps, "tools are installed", "15 s the first time");
    tools::for_elements(plan.pages == Some(Edition::Shipped))?;
    let usual = "2 to 3 min the first time";
    say::step(2, steps, "the servers are compiled", usual);
    stack::build_servers(plan.profile)?;
    // What changes during the build is built again.
    let watched = match plan.pages {
        Some(Edition::Development) => watched()?,
        Some(Edition::Shipped) | None => Vec::new(),
    };
    let mut seen = newest(&watched);
    let mut build = None;
    if let Some(edition) = plan.pages {
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
    let mut stack = Stack::start(plan)?;
    welcome(plan, &stack);
    let took = say::duration(start.elapsed());
    say::progress("demo", format!("ready after {took}"));
    if let Some(build) = build {
        build.finish_others()?;
    }
    if plan.pages == Some(Edition::Shipped) {
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

/// Until Ctrl-C. A server that ends by itself is an error.
fn watch(stack: &mut Stack, mut each_time: impl FnMut()) -> Result<()> {
    while !interrupt::requested() {
        stack.check()?;
        thread::sleep(LOOK);
        each_time();
    }
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
    Ok(paths.map(|path| project::root().join(path)).collect())
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

fn welcome(plan: &Plan, stack: &Stack) {
    let password = &stack.staff_password;
    let Ports {
        shop,
        backend,
        sandbox,
        receiver,
    } = plan.ports;
    let accounts: Vec<&str> = stack::ACCOUNTS.iter().map(|(name, _)| *name).collect();
    let accounts = accounts.join(", ");
    let events = match plan.own_shop {
        Some(own) => format!("by POST to {}, of your shop", own.events()),
        None => format!("http://127.0.0.1:{receiver}/"),
    };
    let (open, edition) = match plan.pages {
        Some(Edition::Development) => (
            "The shop is open:      ",
            "the development edition of the elements",
        ),
        Some(Edition::Shipped) => ("The shop is open:      ", "the elements as they ship"),
        None => (
            "With `trunk serve`:    ",
            "the development edition of the elements",
        ),
    };
    say!(
        "
  {open} http://127.0.0.1:{shop}/ ({edition})
  Pay its QR codes here:  http://127.0.0.1:{sandbox}/phone
  The staff's element:    http://127.0.0.1:{shop}/staff.html#{password}
                          sign in as {accounts}: password {password}
  Every screen on show:   http://127.0.0.1:{shop}/gallery.html
  Events of the server:   {events}
  What the service saw:   http://127.0.0.1:{sandbox}/seen
  The merchant's server:  http://127.0.0.1:{backend}/healthz

  Logs and database:      {}
  Ctrl-C stops everything.
",
        plan.folder.display()
    );
    if plan.nodes > 1 {
        welcome_nodes(plan, stack);
    }
    if let Some(own_shop) = plan.own_shop {
        welcome_to(own_shop, stack);
    }
}

/// How to stop a node and see payers go on. PostgreSQL's data goes with the demo.
fn welcome_nodes(plan: &Plan, stack: &Stack) {
    say!(
        "  The server runs {} times, on one PostgreSQL. Kill any but the last, and payers go on:\n",
        plan.nodes
    );
    for (port, process) in stack.nodes() {
        say!("    kill -9 {process}    # the one at 127.0.0.1:{port}");
    }
    say!();
}

/// What the developer of a shop needs to know. The secrets are only of this machine's demo.
fn welcome_to(own_shop: OwnShop, stack: &Stack) {
    say!(
        "  Start your shop at {} in another terminal, with these settings
  (the guide `start.md` has three shops to begin with):

export ORDERS_SECRET={} EVENTS_SECRET={}
export SHOP_API_KEY={}
",
        own_shop.origin(),
        stack.orders_secret,
        stack.events_secret,
        stack.shop_key.as_deref().unwrap_or_default(),
    );
}
