//! A story with a trouble, from its first process to the last check.

use super::calls::{Counts, count, has_failed_calls};
use super::checker::check;
use super::failover;
use super::machine::Machine;
use super::node::{Node, Setup, clock_file};
use super::rows::{Database, drop_database};
use super::scene::{Nodes, Scene};
use super::story::Story;
use super::story_log::StoryLog;
use super::trouble::Trouble;
use crate::receiver::Receiver;
use crate::service::Service;
use anyhow::{Context as _, Result};
use reqwest::Client;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use test_postgres::{Balancer, Link, balance, free_port};

/// How many nodes share a database of PostgreSQL.
pub(super) const NODES: usize = 2;
/// A server that was halted answers after this time at the latest, or its client asks again as a browser would.
const PATIENCE: Duration = Duration::from_secs(25);
/// The pauses of the payment service before it sends a notification again.
const NOTIFICATION_PAUSES: [Duration; 4] = [Duration::from_millis(300); 4];

/// A story with a trouble.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    pub(super) story: Story,
    pub(super) trouble: Trouble,
    /// False for one server on a file, true for nodes on PostgreSQL.
    pub(super) is_on_postgres: bool,
}

/// What an attempt told.
pub(super) struct Outcome {
    pub(super) attempt: Attempt,
    pub(super) lines: Vec<String>,
    pub(super) broken: Vec<String>,
    /// The calls until the server listened, and all of them; only where they were counted.
    pub(super) calls: (Counts, Counts),
    /// False when the trouble met nobody: the story ended earlier than when its calls were counted.
    pub(super) has_met: bool,
}

/// Where an attempt keeps its orders.
struct Store {
    database: Database,
    /// The address for each node.
    addresses: Vec<String>,
    links: Vec<Link>,
    reader: Option<Link>,
    /// The server and the name of a database that is to be removed.
    removed: Option<(String, String)>,
}

impl Store {
    fn file(folder: &Path) -> Self {
        let file = folder.join("shop.sqlite");
        Self {
            addresses: vec![file.display().to_string()],
            database: Database::File(file),
            links: Vec::new(),
            reader: None,
            removed: None,
        }
    }

    async fn server(folder: &Path, machine: &Arc<Machine>) -> Result<Self> {
        let (machine, folder) = (Arc::clone(machine), folder.to_owned());
        // The commands of PostgreSQL would hold up the other attempts.
        let made = tokio::task::spawn_blocking(move || {
            let postgres = machine.postgres.as_ref();
            let postgres = postgres.context("PostgreSQL is not installed")?;
            let number = machine.databases.fetch_add(1, Ordering::Relaxed);
            let name = format!("attempt_{number}");
            postgres.database(&name)?;
            let link = |own: String| {
                let own = folder.join(own);
                std::fs::create_dir(&own)?;
                postgres.link(&own)
            };
            let links = (0..NODES).map(|node| link(format!("link-{node}")));
            let links: Vec<Link> = links.collect::<Result<_>>()?;
            let reader = link("reader".to_owned())?;
            Ok(Self {
                database: Database::Server {
                    address: reader.address_of(&name),
                    name: name.clone(),
                },
                addresses: links.iter().map(|link| link.address_of(&name)).collect(),
                links,
                reader: Some(reader),
                removed: Some((postgres.address(), name)),
            })
        });
        made.await?
    }
}

impl Attempt {
    /// Plays it. An error says why this machine could not.
    pub(super) async fn play(self, machine: &Arc<Machine>) -> Result<Outcome> {
        let folder = tempfile::tempdir()?;
        let folder = folder.path();
        std::fs::write(folder.join("staff.toml"), &machine.staff)?;
        let has_jump = matches!(self.trouble, Trouble::Jump { .. });
        if has_jump {
            std::fs::write(clock_file(folder), "+0\n")?;
        }
        let log = StoryLog::new();
        let service = Service::start_with(|setup| setup.retry_pauses = NOTIFICATION_PAUSES.into());
        let service = Arc::new(service.await?);
        let receiver = Arc::new(Receiver::start(self.story.refusals()).await?);
        let store = if self.is_on_postgres {
            Store::server(folder, machine).await?
        } else {
            Store::file(folder)
        };
        let ports: Vec<u16> = store.addresses.iter().map(|_| free_port()).collect();
        // One server needs no balancer, which would blur when it takes connections.
        let balancer = (ports.len() > 1).then(|| balance(0, ports.clone()));
        let balancer = balancer.transpose()?;
        let first = ports.first().copied().unwrap_or_default();
        let port = balancer.as_ref().map_or(first, Balancer::port);
        let base = format!("http://127.0.0.1:{port}/api");
        let mut nodes = Vec::new();
        for (index, (port, address)) in ports.into_iter().zip(store.addresses).enumerate() {
            nodes.push(Node::start(Setup {
                program: machine.program.clone(),
                folder: folder.to_owned(),
                index,
                port,
                base: base.clone(),
                address,
                database: store.database.clone(),
                service: Arc::clone(&service),
                receiver_url: receiver.url.clone(),
                trouble: self.trouble,
                faketime: machine.faketime.clone().filter(|_| has_jump),
                log: log.clone(),
            })?);
        }
        let nodes = Arc::new(Nodes {
            nodes,
            links: store.links,
            reader: store.reader,
            folder: folder.to_owned(),
            log: log.clone(),
        });
        let client = Client::builder()
            .pool_max_idle_per_host(0)
            .timeout(PATIENCE)
            .build()?;
        let people = (service, receiver);
        let place = (Arc::clone(&nodes), self.trouble);
        let scene = Scene::new(base, client, people, store.database, place);
        for node in &nodes.nodes {
            node.listens(folder, scene.bound()).await?;
        }
        let before = count(folder);
        let mut standby = None;
        if let Trouble::Failover { lost_ms, .. } = self.trouble {
            let lost = Duration::from_millis(lost_ms);
            let played = failover::play(&scene, self.story, machine, lost);
            standby = Some(played.await?);
        } else {
            match self.story.play(&scene).await {
                Ok(payers) => check(&scene, &payers).await?,
                Err(error) => log.broken(format!("{error:#}")),
            }
        }
        let calls = (before, count(folder));
        let deaths: u32 = nodes.nodes.iter().map(Node::deaths).sum();
        for node in &nodes.nodes {
            node.end().await;
        }
        drop(standby);
        if let Some((server, name)) = store.removed {
            drop_database(&server, &name).await?;
        }
        let (lines, broken) = log.take();
        let has_met = match self.trouble {
            trouble if trouble.is_kill_at_call() => deaths > 0,
            Trouble::Blow { .. } => has_failed_calls(folder),
            Trouble::Mishap { .. } | Trouble::Failover { .. } => scene.has_mishap(),
            _ => true,
        };
        Ok(Outcome {
            attempt: self,
            lines,
            broken,
            calls,
            has_met,
        })
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.is_on_postgres {
            "nodes on PostgreSQL"
        } else {
            "a server on SQLite"
        };
        write!(f, "{place}, {}; {}", self.story, self.trouble)
    }
}
