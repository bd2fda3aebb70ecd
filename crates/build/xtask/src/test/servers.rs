//! The servers of an end-to-end run: some for each worker of Playwright, so that a test may turn the
//! service's clock and plan its faults without disturbing another one.

use crate::servers::{self, Profile};
use crate::wasm::Edition;
use crate::{interrupt, say, tools};
use anyhow::Result;
use demo_stack::{Plan, Ports, Stack};
use serde_json::{Map, Value, json};
use std::path::Path;
use test_postgres::Postgres;

/// The servers of all workers. Dropping it stops them.
pub(super) struct Servers(Vec<OfWorker>);

struct OfWorker {
    ports: Ports,
    stack: Stack,
    /// Several nodes share it, and it stops after them.
    _postgres: Option<Postgres>,
}

impl Servers {
    /// Starts the servers of each worker in turn, with empty databases: `nodes` nodes of the merchant's server, and
    /// pages with the edition `pages` of the elements.
    pub(super) fn start(folder: &Path, workers: usize, nodes: u16, pages: Edition) -> Result<Self> {
        let mut all = Vec::new();
        for worker in 1..=workers {
            interrupt::check()?;
            let folder = folder.join(format!("servers-{worker}"));
            let postgres = (nodes > 1).then(tools::postgres).transpose()?;
            let plan = Plan {
                nodes,
                database: postgres.as_ref().map(Postgres::address),
                forget: true,
                ..servers::plan(Ports::for_tests(), folder, Profile::Debug, Some(pages))?
            };
            all.push(OfWorker {
                ports: plan.ports,
                stack: Stack::start(&plan)?,
                _postgres: postgres,
            });
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
            ..servers::plan(Ports::DEMO, folder.to_owned(), Profile::Debug, None)?
        };
        Ok(Self(vec![OfWorker {
            ports: plan.ports,
            stack: Stack::start(&plan)?,
            _postgres: None,
        }]))
    }

    /// Fails with the last words of the first server that ended by itself.
    pub(super) fn check(&mut self) -> Result<()> {
        let mut all = self.0.iter_mut();
        all.try_for_each(|worker| worker.stack.check())
    }

    /// The addresses by worker, as `tests/servers.mjs` reads them.
    pub(super) fn addresses(&self) -> Value {
        let address = |port: u16| format!("http://127.0.0.1:{port}");
        let one = |OfWorker { ports, stack, .. }: &OfWorker| {
            let settings = stack.program.get_envs().filter_map(|(name, value)| {
                Some((name.to_str()?.to_owned(), value?.to_str()?.into()))
            });
            json!({
                "shop": address(ports.shop),
                "backend": address(ports.backend),
                "sandbox": address(ports.sandbox),
                "receiver": address(ports.receiver),
                "staff_password": stack.staff_password,
                "orders_secret": stack.orders_secret,
                "program": stack.program.get_program().to_string_lossy(),
                "settings": settings.collect::<Map<_, _>>(),
            })
        };
        self.0.iter().map(one).collect()
    }
}
