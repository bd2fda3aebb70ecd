//! A standby takes the place of the database, and lacks the last commits.
//!
//! The nodes are stopped and told so as `docs/production.md` says. Nothing older may move money then, before people have
//! compared the database with the payment service.

use super::machine::{Machine, SERVER};
use super::node::Node;
use super::people::{Payer, Staff};
use super::rows::{Database, Rows};
use super::scene::Scene;
use super::story::Story;
use crate::service::{Operation, Service};
use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use test_postgres::{Link, Postgres};
use tokio::process::Command;
use tokio::task::{spawn_blocking, spawn_local};
use tokio::time::{sleep, timeout};

/// How long payers and staff go on asking before people have compared.
const UNCOMPARED: Duration = Duration::from_secs(10);
/// A request that left a node before its end arrives within this time.
const ON_ITS_WAY: Duration = Duration::from_millis(200);

/// Plays a story. The standby has what was committed when the story came to its step, and takes over `lost` later.
/// Returns the standby, which the nodes need as long as they run.
pub(super) async fn play(
    scene: &Scene,
    story: Story,
    machine: &Arc<Machine>,
    lost: Duration,
) -> Result<Postgres> {
    let Database::Server { name, .. } = &scene.database else {
        bail!("a file has no standby");
    };
    let payer = Payer::orders(scene).await?;
    let (place, own) = (scene.clone(), payer.clone());
    let playing = spawn_local(async move { story.goes_on(&place, &own).await });
    timeout(scene.bound(), scene.reached.notified()).await?;
    let copied = Arc::clone(machine);
    let alone = machine.copies.lock().await;
    let standby = spawn_blocking(move || {
        let postgres = copied.postgres.as_ref();
        postgres
            .context("PostgreSQL is not installed")?
            .copy_with("")
    });
    let standby: Postgres = standby.await??;
    drop(alone);
    let address = standby.address_of(name);
    scene.log.tell("the standby has all that is committed now");
    scene.goes_on.notify_one();
    sleep(lost).await;

    let (nodes, links) = (&scene.nodes.nodes, &scene.nodes);
    hold(nodes, "-KILL").await;
    let links = || links.links.iter().chain(&links.reader);
    links().for_each(Link::cut);
    links().for_each(|link| link.lead_to(standby.sockets()));
    command(machine, &address, &["restored"]).await?;
    sleep(ON_ITS_WAY).await;
    let before = Seen::of(&scene.service).await?;
    links().try_for_each(Link::heal)?;
    nodes.iter().for_each(Node::release);
    scene.log.tell("the standby has taken over");
    let mut staff = Staff::signs_in(scene).await?;
    let begun = Instant::now();
    while begun.elapsed() < UNCOMPARED {
        payer.asks_anew(scene).await;
        for number in before.operations.keys() {
            staff.gives_back(number).await;
        }
        sleep(Duration::from_secs(2)).await;
    }
    let after = Seen::of(&scene.service).await?;
    playing.abort();
    for broken in after.moved_since(&before) {
        scene
            .log
            .broken(format!("{broken}, before people have compared"));
    }

    hold(nodes, "-TERM").await;
    command(machine, &address, &["restored", "--compared"]).await?;
    nodes.iter().for_each(Node::release);
    scene.log.tell("people have compared");
    let begun = Instant::now();
    let mut unknown = unknown(scene).await?;
    while !unknown.is_empty() && begun.elapsed() < scene.bound() {
        sleep(Duration::from_millis(400)).await;
        unknown = self::unknown(scene).await?;
    }
    for broken in unknown {
        scene.log.broken(broken);
    }
    for broken in Seen::of(&scene.service).await?.moved_since(&after) {
        scene.log.broken(format!("{broken}, by nobody"));
    }
    Ok(standby)
}

async fn hold(nodes: &[Node], signal: &str) {
    for node in nodes {
        node.end_and_hold(signal).await;
    }
}

/// Runs a command of the server on a database.
async fn command(machine: &Machine, address: &str, words: &[&str]) -> Result<()> {
    let mut command = Command::new(&machine.program);
    command.arg(SERVER).args(words);
    let done = command.env_clear().env("DATABASE", address).output();
    let done = done.await?;
    let told = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "{words:?}: {}", told.trim());
    Ok(())
}

/// What the payment service has at a moment.
struct Seen {
    operations: BTreeMap<String, Operation>,
    refunds: usize,
}

impl Seen {
    async fn of(service: &Service) -> Result<Self> {
        let operations = service.operations().await?.into_iter();
        let journal = service.journal(0).await?;
        let refunds = journal
            .iter()
            .filter_map(|entry| entry["refunds"].as_array());
        Ok(Self {
            operations: operations.map(|one| (one.number.clone(), one)).collect(),
            refunds: refunds.map(Vec::<Value>::len).sum(),
        })
    }

    /// What nobody may do since the earlier moment.
    fn moved_since(&self, before: &Self) -> Vec<String> {
        let mut moved = Vec::new();
        for (number, now) in &self.operations {
            match before.operations.get(number) {
                None => moved.push(format!("an older order got a new operation, {number}")),
                Some(before) if before.is_paid() && !now.is_paid() => {
                    moved.push(format!("the payment {number} was given back"));
                }
                Some(_) => {}
            }
        }
        if self.refunds > before.refunds {
            let more = self.refunds - before.refunds;
            moved.push(format!("{more} refunds of older payments left"));
        }
        moved
    }
}

/// The payments whose operation the server knows, and whose order does not count as paid.
async fn unknown(scene: &Scene) -> Result<Vec<String>> {
    let rows = Rows::read(&scene.database).await?;
    let mut unknown = Vec::new();
    for operation in scene.service.operations().await? {
        let row = rows
            .operations
            .iter()
            .find(|row| row.number == operation.number);
        let is_known = row.is_some_and(|row| row.phase == "known" && !row.order_is_paid);
        if is_known && operation.is_paid() {
            unknown.push(format!(
                "{} is paid, and its order is not",
                operation.number
            ));
        }
    }
    Ok(unknown)
}
