//! `cargo xtask demo`: a shop to click through, until Ctrl-C.

use crate::stack::{self, OwnShop, Plan, Ports, Profile, Stack};
use crate::tools::Trunk;
use crate::{interrupt, project, say, wasm};
use anyhow::Result;
use std::thread;
use std::time::Duration;

/// Starts the demo on the addresses in the documentation, for a developer's own shop too if there
/// is one, with so many nodes of the server.
pub(crate) fn run(own_shop: Option<OwnShop>, nodes: u16) -> Result<()> {
    let plan = Plan {
        ports: Ports::DEMO,
        folder: project::output("demo"),
        own_shop,
        nodes,
        database: None,
        forget: false,
        watch: true,
        edition: wasm::Edition::Shipped,
        profile: Profile::Debug,
    };
    serve(&plan)
}

/// Starts the same servers at the ports of the end-to-end tests, for developers who write such a
/// test.
pub(crate) fn run_for_tests() -> Result<()> {
    let plan = Plan {
        ports: Ports::for_tests(),
        folder: project::output("e2e"),
        own_shop: None,
        nodes: 1,
        database: None,
        forget: true,
        watch: true,
        edition: wasm::Edition::Shipped,
        profile: Profile::Debug,
    };
    serve(&plan)
}

fn serve(plan: &Plan) -> Result<()> {
    plan.ports.check()?;
    Trunk::install()?;
    stack::build_servers(Profile::Debug)?;
    wasm::build()?;
    say::progress("demo", "the servers are starting");
    let mut stack = Stack::start(plan)?;
    // The output of the first build of the pages is not needed.
    drop(stack.news_of_the_shop());
    welcome(plan, &stack.staff_password);
    if plan.nodes > 1 {
        welcome_nodes(plan, &stack);
    }
    if let Some(own_shop) = plan.own_shop {
        welcome_to(own_shop, &stack);
    }
    while !interrupt::requested() {
        stack.check()?;
        for line in stack.news_of_the_shop() {
            say::progress("shop", line);
        }
        thread::sleep(Duration::from_millis(200));
    }
    say!();
    say::progress("demo", "stopping the servers");
    drop(stack);
    say::progress("demo", "stopped");
    Ok(())
}

fn welcome(plan: &Plan, password: &str) {
    let Ports {
        shop,
        backend,
        sandbox,
        receiver,
    } = plan.ports;
    let accounts: Vec<&str> = stack::ACCOUNTS.iter().map(|(name, _)| *name).collect();
    let accounts = accounts.join(", ");
    let told = match plan.own_shop {
        Some(own) => format!("by POST to {}, of your shop", own.events()),
        None => format!("http://127.0.0.1:{receiver}/"),
    };
    say!(
        "
  The shop is open:       http://127.0.0.1:{shop}/
  Pay its QR codes here:  http://127.0.0.1:{sandbox}/phone
  The staff's element:    http://127.0.0.1:{shop}/staff.html
                          sign in as {accounts}: password {password}
  Every screen on show:   http://127.0.0.1:{shop}/gallery.html
  What the shop was told: {told}
  What the service saw:   http://127.0.0.1:{sandbox}/sandbox/journal
  The merchant's server:  http://127.0.0.1:{backend}/healthz

  Logs and database:      {}
  Ctrl-C stops everything.
",
        plan.folder.display()
    );
}

/// The words for those who want to see a node go. PostgreSQL's data goes with the demo.
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

/// The words for the developer of a shop. The secrets are of this machine's demo alone.
fn welcome_to(own_shop: OwnShop, stack: &Stack) {
    say!(
        "  Start your shop at {} in another terminal, with these settings
  (docs/start.md has three shops to begin with):

export ORDERS_SECRET={} EVENTS_SECRET={}
",
        own_shop.origin(),
        stack.orders_secret,
        stack.events_secret,
    );
}
