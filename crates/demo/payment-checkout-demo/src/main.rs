//! The demo as one program: a shop, its server, the payment service and a receiver of events, with the pages inside.
//!
//! The servers stay processes of their own, as they are for a merchant. Each is this program under another name: a link
//! in the demo's folder, by which the program knows what it is.

use anyhow::{Context, Result, bail};
use demo_stack::{OwnShop, Pages, Plan, Ports, Stack, say, watch, welcome};
use include_dir::{Dir, include_dir};
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The pages, the built elements, and `Trunk.toml` with their headers.
static FILES: Dir<'_> = include_dir!("$DEMO_PAGES");

const SERVERS: [&str; 3] = ["payment-sandbox", "demo-shop", "event-receiver"];
const FOLDER: &str = "payment-checkout-demo-data";

const HELP: &str = "\
payment-checkout-demo [--shop ADDRESS] [FOLDER]

A shop to click through, with its server, the payment service and a receiver of events, until Ctrl-C. It listens on
127.0.0.1, ports 8080 to 8083, and keeps its database, logs and pages in FOLDER (payment-checkout-demo-data).
No money moves.

--shop ADDRESS lets a shop of your own use the server, such as http://127.0.0.1:8000, and prints its settings.";

fn main() -> ExitCode {
    let name = env::args_os().next().map(PathBuf::from).unwrap_or_default();
    match name.file_name().and_then(|name| name.to_str()) {
        Some("payment-sandbox") => payment_sandbox::program(),
        Some("demo-shop") => demo_shop::program(),
        Some("event-receiver") => demo_shop::event_receiver::program(),
        _ => demo_stack::program(demo),
    }
}

fn demo(words: &[&str]) -> Result<ExitCode> {
    let (shop, words) = match words {
        ["--help" | "-h"] => {
            demo_stack::say!("{HELP}");
            return Ok(ExitCode::SUCCESS);
        }
        ["--version" | "-V"] => {
            demo_stack::say!("payment-checkout-demo {}", env!("CARGO_PKG_VERSION"));
            return Ok(ExitCode::SUCCESS);
        }
        ["--shop", address, rest @ ..] => (Some(*address), rest),
        rest => (None, rest),
    };
    let folder = match words {
        [] => Path::new(FOLDER),
        [folder] if !folder.starts_with('-') => Path::new(folder),
        _ => bail!("the demo takes `--shop ADDRESS`, then a folder, and nothing else; see --help"),
    };
    let folder = std::path::absolute(folder)?;
    unpack(&folder)
        .with_context(|| format!("the demo cannot use the folder {}", folder.display()))?;
    run(folder, shop)?;
    Ok(ExitCode::SUCCESS)
}

/// Starts the unpacked servers and pages, until Ctrl-C.
fn run(folder: PathBuf, shop: Option<&str>) -> Result<()> {
    let pages = folder.join("pages");
    let plan = Plan {
        own_shop: shop.map(OwnShop::parse).transpose()?,
        pages: Some(Pages {
            element: Some(pages.join("element")),
            headers: folder.join("Trunk.toml"),
            folder: pages,
        }),
        ..Plan::new(Ports::DEMO, folder.join("bin"), folder)
    };
    plan.ports.check(true)?;
    let mut stack = Stack::start(&plan)?;
    welcome(&plan, &stack, "the elements as they ship");
    watch(&mut stack, || ())?;
    say::progress("demo", "stopping the servers");
    Ok(())
}

/// Writes the pages and the links to the servers anew; the database and the secrets of the last time stay.
fn unpack(folder: &Path) -> Result<()> {
    if FILES.entries().is_empty() {
        bail!("this build has no pages inside; `cargo xtask release` builds it with them");
    }
    let programs = folder.join("bin");
    for old in [folder.join("pages"), programs.clone()] {
        if old.exists() {
            fs::remove_dir_all(old)?;
        }
    }
    fs::create_dir_all(&programs)?;
    FILES.extract(folder)?;
    let own = env::current_exe()?;
    for server in SERVERS {
        symlink(&own, programs.join(server))?;
    }
    Ok(())
}
