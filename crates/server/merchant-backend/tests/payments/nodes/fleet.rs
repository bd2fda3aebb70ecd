//! Three nodes of the shipped program on one PostgreSQL, behind a proxy, with a shop that signs its
//! orders.

use super::balancer::Balancer;
use crate::support::database;
use crate::support::order_token::{claims, sign};
use crate::support::payer::{Answer, Payer};
use crate::support::program::{Program, free_port, merchant_backend};
use crate::support::stack::{EVENTS_SECRET, ORDERS_SECRET, Stack};
use crate::support::wait::{until, until_some};
use reqwest::Url;
use serde_json::{Value, json};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use test_postgres::Link;

pub(crate) const NODES: usize = 3;

pub(crate) struct Fleet {
    /// The sandbox, the folder and the database; its own server is stopped.
    pub(crate) stack: Stack,
    /// The proxy's address.
    pub(crate) base: String,
    pub(crate) link: Link,
    ports: Vec<u16>,
    nodes: Vec<Option<Program>>,
    /// The program of each node. Another one counts from the node's next start.
    pub(crate) program: fn(usize) -> Command,
    events_url: Option<String>,
}

impl Fleet {
    pub(crate) async fn start() -> Self {
        Self::start_with(None, |_| merchant_backend()).await
    }

    /// Starts nodes that tell events, each by a program of its own.
    pub(crate) async fn start_with(
        events_url: Option<String>,
        program: fn(usize) -> Command,
    ) -> Self {
        assert!(
            database::is_server(),
            "several nodes need PostgreSQL: run `cargo xtask test --only postgres`"
        );
        let mut stack = Stack::start().await;
        stack.stop().await;
        // The first node makes the schema.
        stack.database = database::fresh(stack.directory.path()).await;
        let server = Url::parse(&stack.database).unwrap();
        let host = server.query_pairs().find(|(name, _)| name == "host");
        let host = host.unwrap().1.into_owned();
        let link = Link::open(stack.directory.path(), Path::new(&host)).unwrap();
        let ports: Vec<u16> = (0..NODES).map(|_| free_port()).collect();
        let base = Balancer::start(ports.clone()).await;
        let mut fleet = Self {
            stack,
            base: format!("{base}/api"),
            link,
            nodes: ports.iter().map(|_| None).collect(),
            ports,
            program,
            events_url,
        };
        for node in 0..NODES {
            fleet.start_node(node).await;
        }
        fleet
    }

    pub(crate) async fn start_node(&mut self, node: usize) {
        let database = Url::parse(&self.stack.database).unwrap();
        let database = self
            .link
            .address_of(database.path().trim_start_matches('/'));
        let log = self.log_of(node);
        let log = File::options().create(true).append(true).open(log);
        let log = log.unwrap();
        let mut command = (self.program)(node);
        command
            .stderr(Stdio::from(log.try_clone().unwrap()))
            .stdout(Stdio::from(log))
            .env("REDIRECT_ALLOW", "https://shop.example")
            .env("ORDERS_SECRET", ORDERS_SECRET);
        if let Some(url) = &self.events_url {
            command
                .env("EVENTS_URL", url)
                .env("EVENTS_SECRET", EVENTS_SECRET);
        }
        let port = self.ports[node];
        let program = Program::start_at(&self.stack, port, &self.base, &database, command);
        self.nodes[node] = Some(program.await);
    }

    /// Stops a node as an update does, and starts it again.
    pub(crate) async fn restart_node(&mut self, node: usize) {
        self.signal(node, "-TERM");
        self.ended(node).await;
        self.start_node(node).await;
    }

    fn log_of(&self, node: usize) -> PathBuf {
        self.stack.directory.path().join(format!("log-{node}"))
    }

    /// What the nodes logged that a person would have to look at.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let logs = (0..NODES).filter_map(|node| std::fs::read_to_string(self.log_of(node)).ok());
        let lines = logs.flat_map(|log| log.lines().map(str::to_owned).collect::<Vec<_>>());
        let is_wrong = |line: &String| {
            let words = ["\"ERROR\"", "\"alert\":true", "panicked"];
            words.iter().any(|word| line.contains(word))
        };
        lines.filter(is_wrong).collect()
    }

    /// Sends a signal to a node.
    pub(crate) fn signal(&self, node: usize, signal: &str) {
        let id = self.nodes[node].as_ref().unwrap().id().to_string();
        let done = Command::new("kill").args([signal, &id]).status();
        assert!(done.unwrap().success());
    }

    /// Waits for the end of a node that was told to stop.
    pub(crate) async fn ended(&mut self, node: usize) {
        let mut program = self.nodes[node].take().unwrap();
        let ended = until_some("the end", async || program.child.try_wait().unwrap());
        assert!(ended.await.success());
    }

    /// Kills a node without a warning.
    pub(crate) fn kill(&mut self, node: usize) {
        self.nodes[node] = None;
    }

    /// A browser at the proxy, with an order that the shop signed for it.
    pub(crate) fn shopper(&self, order_id: &str) -> Shopper {
        self.shopper_at(&self.base, order_id)
    }

    /// The address of one node.
    pub(crate) fn base_of(&self, node: usize) -> String {
        format!("http://127.0.0.1:{}/api", self.ports[node])
    }

    /// A browser at one node.
    pub(crate) fn shopper_of(&self, node: usize, order_id: &str) -> Shopper {
        self.shopper_at(&self.base_of(node), order_id)
    }

    pub(crate) fn shopper_at(&self, base: &str, order_id: &str) -> Shopper {
        let mut payer = Payer::new(&self.stack.client, base);
        order_id.clone_into(&mut payer.order_id);
        let token = sign(&claims(&self.base, order_id, 12_990));
        Shopper { payer, token }
    }

    /// The operations that the payment service has, by number.
    pub(crate) async fn authorized(&self) -> Vec<String> {
        let seen = self.stack.seen("POST").await;
        let number = |seen: &Value| {
            seen["merchant_operation_number"]
                .as_str()
                .map(str::to_owned)
        };
        seen.iter().filter_map(number).collect()
    }
}

impl Drop for Fleet {
    #[allow(
        clippy::print_stdout,
        reason = "a failed test says why its nodes failed"
    )]
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("the nodes logged:\n{}", self.complaints().join("\n"));
        }
    }
}

/// A payer with a signed order.
#[derive(Clone)]
pub(crate) struct Shopper {
    pub(crate) payer: Payer,
    token: String,
}

impl Shopper {
    /// Asks for a code, and keeps the cookie of the answer as a browser does.
    pub(crate) async fn asks(&mut self, key: &str) -> Answer {
        let method = json!({"method_name": "QR", "method_details": {}});
        self.asks_for(key, &method).await
    }

    /// Asks for installments instead of the operation with this number.
    pub(crate) async fn asks_for_installments(&mut self, key: &str, number: &str) -> Answer {
        let body = json!({"order": self.token, "payment_method": installments()});
        let answer = self.payer.replace(key, number, &body).await;
        self.payer.keep_cookie(&answer);
        answer
    }

    pub(crate) async fn asks_for(&mut self, key: &str, method: &Value) -> Answer {
        let body = json!({"order": self.token, "payment_method": method});
        let answer = self.payer.authorize(key, &body).await;
        self.payer.keep_cookie(&answer);
        answer
    }

    /// Repeats as the element does until there is a code; returns its number.
    pub(crate) async fn insists(&mut self, key: &str) -> String {
        until_some("a code", async || {
            let answer = self.asks(key).await;
            let is_code = answer.status == 200;
            if !is_code {
                assert!(!answer.header("retry-after").is_empty(), "{}", answer.text);
            }
            is_code.then(|| answer.number())
        })
        .await
    }

    /// Waits at the server until the operation has this state; every answer on the way is good.
    pub(crate) async fn waits_for(&self, number: &str, state: &str) {
        let Payer { base, order_id, .. } = &self.payer;
        until(&format!("{state} of {order_id} at {base}"), async || {
            let held = [("prefer", "wait=20")];
            let told = self.payer.status_of(number, "-", &held).await.state();
            told == state
        })
        .await;
    }
}

pub(crate) fn installments() -> Value {
    let details = json!({"redirect_url": "https://shop.example/back"});
    json!({"method_name": "INSTALLMENT", "method_details": details})
}
