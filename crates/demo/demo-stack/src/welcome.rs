//! What a person at the terminal reads of a running demo, and how it goes on until Ctrl-C.

use crate::interrupt;
use crate::own_shop::OwnShop;
use crate::plan::Plan;
use crate::ports::Ports;
use crate::say;
use crate::stack::Stack;
use crate::staff;
use anyhow::Result;
use std::thread;
use std::time::Duration;

/// How often a running demo is looked after.
const LOOK: Duration = Duration::from_millis(500);

/// Goes on until Ctrl-C, and calls `each_time` twice a second. A server that ends by itself is an error.
///
/// # Errors
/// The last words of the server that ended.
pub fn watch(stack: &mut Stack, mut each_time: impl FnMut()) -> Result<()> {
    while !interrupt::requested() {
        stack.check()?;
        thread::sleep(LOOK);
        each_time();
    }
    Ok(())
}

/// Says where everything is. `elements` says which edition of the elements the pages have.
pub fn welcome(plan: &Plan, stack: &Stack, elements: &str) {
    let password = &stack.staff_password;
    let Ports {
        shop,
        backend,
        sandbox,
        receiver,
    } = plan.ports;
    let accounts: Vec<&str> = staff::ACCOUNTS.iter().map(|(name, _)| *name).collect();
    let accounts = accounts.join(", ");
    let events = match plan.own_shop {
        Some(own) => format!("by POST to {}, of your shop", own.events()),
        None => format!("http://127.0.0.1:{receiver}/"),
    };
    let open = match plan.pages {
        Some(_) => "The shop is open:      ",
        None => "With `trunk serve`:    ",
    };
    say!(
        "
  {open} http://127.0.0.1:{shop}/ ({elements})
  Pay its QR codes here:  http://127.0.0.1:{sandbox}/phone
  The staff's element:    http://127.0.0.1:{shop}/staff.html#{password}
                          sign in as {accounts}: password {password}
                          (no second factor is required here: STAFF_SECOND_FACTOR=optional)
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
