//! The servers of a stack: the payment sandbox, a receiver of the merchant's events, and the merchant's server, which
//! also serves the shop's pages.

use crate::interrupt;
use crate::member::{Member, http_status};
use crate::plan::Plan;
use crate::say;
use crate::secret;
use crate::settings::{self, forget_orders};
use crate::staff::Staff;
use anyhow::{Result, bail, ensure};
use fs_err as fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use test_postgres::{Balancer, balance};

/// How long the servers may take until each has answered once.
const PATIENCE: Duration = Duration::from_secs(120);

/// The merchant's server with the demo's own routes.
const BACKEND: &str = "demo-shop";

/// The running servers. A drop stops them with all their children.
pub struct Stack {
    members: Vec<Member>,
    /// The nodes of the server, if there are several, each with its port.
    nodes: Vec<(u16, Member)>,
    /// True when the demo goes on without a node that a person killed.
    may_lose_nodes: bool,
    /// The addresses that are not a server's own. They close first.
    balancers: Vec<Balancer>,
    /// The password of the staff accounts.
    pub staff_password: String,
    /// The secret of a shop that signs its orders.
    pub orders_secret: String,
    /// The secret of whoever takes the events.
    pub events_secret: String,
    /// The program of the merchant's server with its settings, for its commands.
    pub program: Command,
    /// The API key of a shop that runs beside the demo.
    pub shop_key: Option<String>,
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
    ///
    /// # Errors
    /// Fails when a port is taken, a program is missing, or a server ends or does not answer in time. The error then has
    /// the last lines of that server's log.
    pub fn start(plan: &Plan) -> Result<Self> {
        let servers = &plan.programs;
        let folder = &plan.folder;
        fs::create_dir_all(folder)?;
        if plan.forget {
            forget_orders(folder)?;
        }
        plan.ports.check(plan.pages.is_some())?;
        let sandbox_token = secret::random()?;
        let sandbox = settings::sandbox(plan, &sandbox_token);
        let staff = Staff::hired(servers, folder)?;
        let receiver = settings::receiver(plan)?;
        ensure!(
            plan.nodes == 1 || plan.database.is_some(),
            "several nodes need a database that all of them reach; set Plan::database"
        );
        let password = staff.password.clone();
        let backend = |port: u16| {
            let mut command = settings::backend(plan, &sandbox_token, &staff)?;
            command.env("BACKEND_LISTEN", format!("127.0.0.1:{port}"));
            anyhow::Ok(command)
        };
        let ports = &plan.ports;
        let mut stack = Self {
            members: Vec::new(),
            nodes: Vec::new(),
            may_lose_nodes: !plan.forget,
            balancers: Vec::new(),
            staff_password: password,
            orders_secret: settings::orders_secret(plan)?,
            events_secret: settings::events_secret(plan)?,
            program: backend(ports.backend)?,
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
        if plan.pages.is_some() {
            let balancer = balance(ports.shop, of_nodes)?;
            stack.balancers.push(balancer);
            if http_status(ports.shop, "/") != Some(200) {
                bail!("the shop's page is not at http://127.0.0.1:{}/", ports.shop);
            }
        }
        Ok(stack)
    }

    /// The process of the merchant's server, for measurements.
    pub fn backend_process(&self) -> Option<u32> {
        let backend = self.members.iter().find(|member| member.name == BACKEND)?;
        Some(backend.process())
    }

    /// Looks whether all of them still run.
    ///
    /// # Errors
    /// The last lines of the first server that ended by itself.
    pub fn check(&mut self) -> Result<()> {
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
    pub fn nodes(&self) -> impl Iterator<Item = (u16, u32)> {
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
