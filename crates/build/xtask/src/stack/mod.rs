//! The servers of the demo and of the end-to-end tests: payment sandbox, receiver of the merchant's
//! events, the merchant's server, which also serves the shop's pages.
//!
//! It builds, starts, watches and stops them, with their settings, secrets and ports. It knows no
//! test and no chore.

mod member;
mod nodes;
mod own_shop;
mod pages;
mod ports;
mod secret;
mod settings;
mod staff;

pub(crate) use nodes::nodes;
pub(crate) use own_shop::OwnShop;
pub(crate) use pages::SOURCES as PAGE_SOURCES;
pub(crate) use ports::Ports;
pub(crate) use settings::{database, forget_orders};
pub(crate) use staff::ACCOUNTS;

use crate::wasm::{CHECKOUT, Edition};
use crate::{child, http, interrupt, project, say, tools};
use anyhow::{Result, bail};
use fs_err as fs;
use member::Member;
use staff::Staff;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use test_postgres::{Balancer, Postgres, balance};

/// How long the servers may take until each has answered once.
const PATIENCE: Duration = Duration::from_secs(120);

/// The merchant's server with the demo's own routes.
const BACKEND: &str = "demo-shop";

/// The settings that differ between the demo and the tests.
pub(crate) struct Plan {
    pub(crate) ports: Ports,
    /// The database, the secrets, the logs and the pages of this stack.
    pub(crate) folder: PathBuf,
    /// A shop beside this one, which signs its orders and takes the events.
    pub(crate) own_shop: Option<OwnShop>,
    /// How many nodes of the merchant's server there are. Several share one PostgreSQL, whose data
    /// goes with them.
    pub(crate) nodes: u16,
    /// The address of a database of the caller's instead of a file in the folder.
    pub(crate) database: Option<String>,
    /// Starts without the orders of the last time.
    pub(crate) forget: bool,
    /// The elements of the pages that the merchant's server serves; `None` if it serves no pages.
    pub(crate) pages: Option<Edition>,
    /// The folder of a parcel, with built programs in `bin`, pages in `pages` and their headers in `Trunk.toml`, instead
    /// of what this clone builds.
    pub(crate) parcel: Option<PathBuf>,
    /// False to have the server's own page of an order without the element, also beside pages.
    pub(crate) element_on_pay_page: bool,
    /// How the native servers were built.
    pub(crate) profile: Profile,
}

impl Plan {
    /// One node with its own database and without pages, which keeps the orders of the last time.
    pub(crate) fn new(ports: Ports, folder: PathBuf) -> Self {
        Self {
            ports,
            folder,
            own_shop: None,
            nodes: 1,
            database: None,
            forget: false,
            pages: None,
            parcel: None,
            element_on_pay_page: true,
            profile: Profile::Debug,
        }
    }
}

/// The build of the native servers: quick, or as merchants run them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Debug,
    Release,
}

impl Profile {
    /// The folder where cargo puts the builds of this profile.
    pub(crate) fn folder(self) -> Result<PathBuf> {
        let name = match self {
            Self::Debug => "debug",
            Self::Release => "release",
        };
        Ok(project::cargo_target()?.join(name))
    }
}

/// The running servers. A drop stops them with all their children.
pub(crate) struct Stack {
    members: Vec<Member>,
    /// The nodes of the server, if there are several, each with its port.
    nodes: Vec<(u16, Member)>,
    /// True when the demo goes on without a node that a person killed.
    may_lose_nodes: bool,
    /// The addresses that are not a server's own. They close first.
    balancers: Vec<Balancer>,
    /// Stops after those that use it.
    _postgres: Option<Postgres>,
    /// The password of the staff accounts.
    pub(crate) staff_password: String,
    /// The secret of a shop that signs its orders.
    pub(crate) orders_secret: String,
    /// The secret of whoever takes the events.
    pub(crate) events_secret: String,
    /// The API key of a shop that runs beside the demo.
    pub(crate) shop_key: Option<String>,
}

/// Builds the native servers with the features that the native tests have compiled them with (`.cargo/config.toml`).
pub(crate) fn build_tested_servers() -> Result<()> {
    say::progress("servers", "the programs of the workspace are being built");
    child::run_ok(Command::new("cargo").arg("test-servers"))
}

/// Builds the native servers and nothing else.
pub(crate) fn build_servers(profile: Profile) -> Result<()> {
    let mut command = Command::new("cargo");
    command
        .args(["build", "--package", "payment-sandbox"])
        .args(["--package", "demo-shop", "--bins"]);
    if profile == Profile::Release {
        command.arg("--release");
    }
    child::run_ok_quietly(&mut command, "the servers are compiled")
}

/// Makes an API key that may do everything, by the program with the settings of the running server.
fn new_key(mut program: Command) -> Result<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let name = format!("shop-{}", now.as_secs());
    let may = "order,read,cancel,refund,resend";
    program.args(["key", "new", "--name", &name, "--may", may]);
    let made = program.output()?;
    if !made.status.success() {
        bail!(
            "no API key was made: {}",
            String::from_utf8_lossy(&made.stderr).trim()
        );
    }
    Ok(String::from_utf8(made.stdout)?.trim().to_owned())
}

impl Stack {
    /// Starts the servers and waits until each answers.
    pub(crate) fn start(plan: &Plan) -> Result<Self> {
        let servers = match &plan.parcel {
            Some(parcel) => parcel.join("bin"),
            None => plan.profile.folder()?,
        };
        let folder = &plan.folder;
        fs::create_dir_all(folder)?;
        if plan.forget {
            forget_orders(folder)?;
        }
        plan.ports.check(plan.pages.is_some())?;
        let pages = match (&plan.parcel, plan.pages) {
            (Some(parcel), _) => Some(parcel.join("pages")),
            (None, Some(edition)) => Some(pages::link(folder, edition)?),
            (None, None) => None,
        };
        let headers = plan.parcel.as_deref().unwrap_or(project::root());
        let headers = headers.join("Trunk.toml");
        let sandbox_token = secret::random()?;
        let sandbox = settings::sandbox(&servers, plan, &sandbox_token);
        let staff = Staff::hired(&servers, folder)?;
        let receiver = settings::receiver(&servers, plan)?;
        let postgres = (plan.nodes > 1).then(tools::postgres).transpose()?;
        let shared = postgres.as_ref().map(Postgres::address);
        let database = shared.or_else(|| plan.database.clone());
        let password = staff.password.clone();
        let backend = |port: u16| {
            let mut command = settings::backend(&servers, plan, &sandbox_token, &staff)?;
            command.env("BACKEND_LISTEN", format!("127.0.0.1:{port}"));
            if let Some(database) = &database {
                command.env("DATABASE", database);
            }
            if let Some(pages) = &pages {
                command.env("SHOP_PAGES", pages);
                command.env("SHOP_HEADERS", &headers);
                if plan.element_on_pay_page {
                    command.env("PAY_PAGE_ELEMENT", pages.join(CHECKOUT.folder));
                }
            }
            anyhow::Ok(command)
        };
        let ports = &plan.ports;
        let mut stack = Self {
            members: Vec::new(),
            nodes: Vec::new(),
            may_lose_nodes: !plan.forget,
            balancers: Vec::new(),
            _postgres: postgres,
            staff_password: password,
            orders_secret: settings::orders_secret(plan)?,
            events_secret: settings::events_secret(plan)?,
            shop_key: None,
        };
        stack.add("payment-sandbox", ports.sandbox, "/healthz", sandbox, plan)?;
        stack.add("event-receiver", ports.receiver, "/healthz", receiver, plan)?;
        let mut of_nodes = vec![ports.backend];
        if plan.nodes == 1 {
            let command = backend(ports.backend)?;
            stack.add(BACKEND, ports.backend, "/healthz", command, plan)?;
        } else {
            of_nodes = ports.of_nodes().take(plan.nodes.into()).collect();
            for (port, node) in of_nodes.iter().zip(1..) {
                let name = format!("{BACKEND}-{node}");
                let log = plan.folder.join(format!("{name}.log"));
                let member = Member::start(&name, *port, "/healthz", backend(*port)?, log)?;
                stack.nodes.push((*port, member));
            }
            let balancer = balance(ports.backend, of_nodes.clone())?;
            stack.balancers.push(balancer);
        }
        stack.wait_until_ready()?;
        if plan.own_shop.is_some() {
            stack.shop_key = Some(new_key(backend(ports.backend)?)?);
        }
        if pages.is_some() {
            let balancer = balance(ports.shop, of_nodes)?;
            stack.balancers.push(balancer);
            if http::status(ports.shop, "/") != Some(200) {
                bail!("the shop's page is not at http://127.0.0.1:{}/", ports.shop);
            }
        }
        Ok(stack)
    }

    /// The process of the merchant's server, for measurements.
    pub(crate) fn backend_process(&self) -> Option<u32> {
        let backend = self.members.iter().find(|member| member.name == BACKEND)?;
        Some(backend.process())
    }

    /// Fails with the last lines of the first server that ended by itself.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.members.iter_mut().try_for_each(Member::check)?;
        let mut ended = None;
        self.nodes.retain_mut(|(port, node)| match node.check() {
            Ok(()) => true,
            Err(error) => {
                say::progress("nodes", format!("the one at 127.0.0.1:{port} has ended"));
                ended = Some(error);
                false
            }
        });
        match ended {
            Some(error) if self.nodes.is_empty() || !self.may_lose_nodes => Err(error),
            _ => Ok(()),
        }
    }

    /// The nodes of the server, with their ports and processes.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (u16, u32)> {
        self.nodes
            .iter()
            .map(|(port, node)| (*port, node.process()))
    }

    fn add(
        &mut self,
        name: &'static str,
        port: u16,
        path: &'static str,
        command: Command,
        plan: &Plan,
    ) -> Result<()> {
        let log = plan.folder.join(format!("{name}.log"));
        self.members
            .push(Member::start(name, port, path, command, log)?);
        Ok(())
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let start = Instant::now();
        loop {
            self.check()?;
            interrupt::check()?;
            let nodes = self.nodes.iter().map(|(_, node)| node);
            let mut all = self.members.iter().chain(nodes);
            let Some(late) = all.find(|member| !member.answers()) else {
                return Ok(());
            };
            if start.elapsed() > PATIENCE {
                bail!(
                    "{} did not answer within {}; {}",
                    late.name,
                    say::duration(PATIENCE),
                    late.last_words()
                );
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        self.balancers.clear();
        // All get the signal first, so that they stop at the same time.
        let nodes = self.nodes.iter().map(|(_, node)| node);
        for member in self.members.iter().chain(nodes) {
            member.ask_to_stop();
        }
        self.members.clear();
        self.nodes.clear();
    }
}
