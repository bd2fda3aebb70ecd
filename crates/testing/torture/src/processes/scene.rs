//! Where a story takes place, and the mishap that comes at one of its steps.

use super::node::{Node, clock_file};
use super::rows::Database;
use super::story_log::StoryLog;
use super::trouble::{Blow, Met, Mishap, Trouble};
use crate::answer::Answer;
use crate::receiver::Receiver;
use crate::request::Request;
use crate::service::Service;
use crate::shared::lock;
use anyhow::{Result, bail};
use reqwest::Client;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use test_postgres::Link;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// The nodes of an attempt, and their ways to the database.
pub(super) struct Nodes {
    pub(super) nodes: Vec<Node>,
    /// One for each node, or none if the database is a file.
    pub(super) links: Vec<Link>,
    /// The way by which this search reads the database, which no mishap cuts.
    pub(super) reader: Option<Link>,
    pub(super) folder: PathBuf,
    pub(super) log: StoryLog,
}

/// Where a story takes place.
#[derive(Clone)]
pub(super) struct Scene {
    /// The server's address with `/api`.
    pub(super) base: String,
    /// The browsers of payers and staff. A restart leaves no connection that they could use again.
    pub(super) client: Client,
    pub(super) service: Arc<Service>,
    pub(super) receiver: Arc<Receiver>,
    pub(super) database: Database,
    pub(super) nodes: Arc<Nodes>,
    pub(super) trouble: Trouble,
    pub(super) log: StoryLog,
    /// How many steps the story of this scene has begun.
    steps: Arc<AtomicUsize>,
    /// True once the mishap has begun.
    has_begun: Arc<AtomicBool>,
    mishap: Arc<Mutex<Option<JoinHandle<Result<()>>>>>,
    /// Told when the story has come to the step before a failover.
    pub(super) reached: Arc<Notify>,
    /// Told when the story goes on from there.
    pub(super) goes_on: Arc<Notify>,
}

impl Scene {
    /// A scene whose story has not begun.
    pub(super) fn new(
        base: String,
        client: Client,
        (service, receiver): (Arc<Service>, Arc<Receiver>),
        database: Database,
        (nodes, trouble): (Arc<Nodes>, Trouble),
    ) -> Self {
        Self {
            base,
            client,
            service,
            receiver,
            database,
            log: nodes.log.clone(),
            nodes,
            trouble,
            steps: Arc::default(),
            has_begun: Arc::default(),
            mishap: Arc::default(),
            reached: Arc::default(),
            goes_on: Arc::default(),
        }
    }

    /// The same place for another story at the same time, whose lines have a name.
    pub(super) fn beside(&self, name: &'static str) -> Self {
        Self {
            log: self.log.named(name),
            steps: Arc::default(),
            ..self.clone()
        }
    }

    /// How long anything may take to come to its end. One killed server on a file is back at once; what it could
    /// not write down, and what a node left that others have to take over, waits until its time is over.
    pub(super) fn bound(&self) -> Duration {
        let is_alone = matches!(self.database, Database::File(_));
        match self.trouble {
            Trouble::Blow {
                blow: Blow::Kill, ..
            }
            | Trouble::None
            | Trouble::Count
            | Trouble::Jump { .. } => Duration::from_secs(60),
            Trouble::Mishap { .. } if is_alone => Duration::from_secs(60),
            Trouble::Blow { .. } | Trouble::Mishap { .. } | Trouble::Failover { .. } => {
                Duration::from_secs(150)
            }
        }
    }

    /// Begins the next step of the story. Clocks jump here, and mishaps begin.
    pub(super) async fn step(&self, what: &str) -> Result<()> {
        let step = self.steps.fetch_add(1, Ordering::Relaxed);
        self.log.tell(&format!("step {step}: {what}"));
        match self.trouble {
            Trouble::Jump { seconds, step: at } if at == step => {
                std::fs::write(clock_file(&self.nodes.folder), format!("{seconds:+}\n"))?;
                self.log.tell(&format!("the clock jumps by {seconds} s"));
            }
            Trouble::Mishap {
                mishap,
                step: at,
                after_ms,
            } if at <= step && !self.has_begun.swap(true, Ordering::Relaxed) => {
                let nodes = Arc::clone(&self.nodes);
                let mut begun = lock(&self.mishap);
                *begun = Some(tokio::spawn(async move {
                    sleep(Duration::from_millis(after_ms)).await;
                    nodes.meet(mishap).await
                }));
            }
            Trouble::Failover { step: at, .. } if at == step => {
                self.has_begun.store(true, Ordering::Relaxed);
                self.reached.notify_one();
                self.goes_on.notified().await;
            }
            _ => {}
        }
        Ok(())
    }

    /// True once the mishap has begun.
    pub(super) fn has_mishap(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }

    /// Waits for the end of the mishap.
    pub(super) async fn mishap_ends(&self) -> Result<()> {
        let begun = lock(&self.mishap).take();
        match begun {
            Some(begun) => begun.await?,
            None => Ok(()),
        }
    }

    pub(super) async fn ask(&self, request: &Request) -> Result<Answer> {
        request.send_to(&self.client, &self.base).await
    }

    /// Repeats a request, as a browser does, until its answer is the wanted one.
    pub(super) async fn insist(
        &self,
        what: &str,
        mut ask: impl AsyncFnMut() -> Result<Answer>,
        wanted: impl Fn(&Answer) -> bool,
    ) -> Result<Answer> {
        let begun = Instant::now();
        let mut last = String::new();
        let mut pause = Duration::from_millis(150);
        loop {
            let told = match ask().await {
                Ok(answer) if wanted(&answer) => {
                    self.log.tell(&format!("{what}: {}", in_short(&answer)));
                    return Ok(answer);
                }
                Ok(answer) => in_short(&answer),
                Err(error) => format!("no answer ({error:#})"),
            };
            if told != last {
                self.log.tell(&format!("{what}: {told}, so far"));
                last = told;
            }
            if begun.elapsed() > self.bound() {
                bail!("{what} was wanted for {:?} in vain: {last}", self.bound());
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(2));
        }
    }
}

/// The status and the kind of the problem.
pub(super) fn in_short(answer: &Answer) -> String {
    let kind = answer.field("/type");
    let kind = kind.rsplit(':').next().unwrap_or_default();
    format!("{} {kind}", answer.status).trim_end().to_owned()
}

impl Nodes {
    fn met(&self, met: Met) -> impl Iterator<Item = &Node> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(move |(index, node)| met.contains(index).then_some(node))
    }

    fn links(&self, met: Met) -> impl Iterator<Item = &Link> {
        let links = self.links.iter().enumerate();
        links.filter_map(move |(index, link)| met.contains(index).then_some(link))
    }

    /// Lets a mishap happen to its end.
    async fn meet(&self, mishap: Mishap) -> Result<()> {
        self.log.tell(&mishap.to_string());
        match mishap {
            Mishap::Killed { met, away_ms } => {
                for node in self.met(met) {
                    node.end_and_hold("-KILL").await;
                }
                sleep(Duration::from_millis(away_ms)).await;
                self.met(met).for_each(Node::release);
            }
            Mishap::Halted { met, for_ms } => {
                for node in self.met(met) {
                    node.signal("-STOP").await;
                }
                sleep(Duration::from_millis(for_ms)).await;
                for node in self.met(met) {
                    node.signal("-CONT").await;
                }
            }
            Mishap::Cut { met, for_ms } => {
                self.links(met).for_each(Link::cut);
                sleep(Duration::from_millis(for_ms)).await;
                self.links(met).try_for_each(Link::heal)?;
            }
            Mishap::Slow {
                met,
                delay_ms,
                for_ms,
            } => {
                let delay = Duration::from_millis(delay_ms);
                self.links(met).for_each(|link| link.slow_down(delay));
                sleep(Duration::from_millis(for_ms)).await;
                self.links(met)
                    .for_each(|link| link.slow_down(Duration::ZERO));
            }
            Mishap::RollingRestart => {
                for node in self.met(Met::All) {
                    node.ends_by("-TERM").await;
                    node.listens(&self.folder, Duration::from_secs(60)).await?;
                }
            }
        }
        self.log.tell("it is over");
        Ok(())
    }
}
