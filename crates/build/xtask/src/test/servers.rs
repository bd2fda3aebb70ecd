//! The servers of an end-to-end run: some for each worker of Playwright, so that a test may turn the
//! service's clock and plan its faults without disturbing another one.

use crate::stack::{Plan, Ports, Stack};
use crate::wasm::Edition;
use crate::{interrupt, say};
use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;

/// The servers of all workers. Dropping it stops them.
pub(super) struct Servers(Vec<(Ports, Stack)>);

impl Servers {
    /// Starts the servers of each worker in turn, with empty databases: `nodes` nodes of the merchant's server, and
    /// pages with the edition `pages` of the elements.
    pub(super) fn start(folder: &Path, workers: usize, nodes: u16, pages: Edition) -> Result<Self> {
        let mut all = Vec::new();
        for worker in 1..=workers {
            interrupt::check()?;
            let folder = folder.join(format!("servers-{worker}"));
            let plan = Plan {
                nodes,
                forget: true,
                pages: Some(pages),
                ..Plan::new(Ports::for_tests(), folder)
            };
            all.push((plan.ports, Stack::start(&plan)?));
        }
        say::progress(
            "e2e",
            format!("logs and report are in {}", folder.display()),
        );
        Ok(Self(all))
    }

    /// Starts those of the demo, but for the pages, with an empty database.
    pub(super) fn without_pages(folder: &Path) -> Result<Self> {
        let plan = Plan {
            forget: true,
            ..Plan::new(Ports::DEMO, folder.to_owned())
        };
        Ok(Self(vec![(plan.ports, Stack::start(&plan)?)]))
    }

    /// Fails with the last words of the first server that ended by itself.
    pub(super) fn check(&mut self) -> Result<()> {
        self.0.iter_mut().try_for_each(|(_, stack)| stack.check())
    }

    /// The addresses by worker, as `tests/servers.mjs` reads them.
    pub(super) fn addresses(&self) -> Value {
        let address = |port: u16| format!("http://127.0.0.1:{port}");
        let one = |(ports, stack): &(Ports, Stack)| {
            json!({
                "shop": address(ports.shop),
                "backend": address(ports.backend),
                "sandbox": address(ports.sandbox),
                "receiver": address(ports.receiver),
                "staff_password": stack.staff_password,
                "orders_secret": stack.orders_secret,
            })
        };
        self.0.iter().map(one).collect()
    }
}
