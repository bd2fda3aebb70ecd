//! The requests of a run, one after the other, so that each effect has one cause.

use super::contract::query_names;
use super::effects::{Effects, cents};
use super::mutation::{Mutation, Supply};
use super::people::{People, Sender};
use super::scene::Scene;
use super::valid::{Address, addresses};
use super::{panics, verdict};
use crate::answer::Answer;
use crate::report::{Budget, Part};
use crate::request::{Request, any_client};
use crate::stack::Stack;
use anyhow::{Context, Result, anyhow};
use fastrand::Rng;
use merchant_backend::{Config, MethodDetails};
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::timeout;

/// A new scene is set up after so many requests.
const SCENE_EVERY: u64 = 30;
/// Requests are about the last scenes.
const SCENES: usize = 8;
const PATIENCE: Duration = Duration::from_secs(30);
/// A method whose details have an address of the server.
const METHOD_DETAILS: &str = r#"{"CASHCODE": {"callback_url": "{callback_url}"}}"#;

/// What is wrong, and what shows it.
type Wrong = (String, Vec<String>);

pub(super) struct Run {
    pub(super) stack: Stack,
    /// The server's copy of the element.
    _element: TempDir,
    pub(super) people: People,
    pub(super) scenes: Vec<Scene>,
    pub(super) effects: Effects,
    pub(super) random: Rng,
    /// The number of the last entry of the journal that was looked at.
    seq: u64,
    pub(super) keys: u64,
    /// Every address, and how often it was tried.
    pub(super) addresses: Vec<(Address, u64)>,
    /// How often each status was answered.
    pub(super) statuses: BTreeMap<u16, u64>,
    /// What was tried and found; of equal findings only the first.
    pub(super) part: Part,
    panics: panics::Watch,
}

impl Run {
    pub(super) async fn start(seed: u64, part: Part) -> Result<Self> {
        let panics = panics::Watch::begin();
        let element = tempfile::tempdir()?;
        std::fs::write(element.path().join("element.js"), "export {};")?;
        let details = MethodDetails::parse(METHOD_DETAILS).map_err(|wrong| anyhow!("{wrong}"))?;
        let stack = Stack::start_with(|config| configure(config, element.path(), details)).await?;
        let people = People::arrive(&stack).await?;
        Ok(Self {
            stack,
            _element: element,
            people,
            scenes: Vec::new(),
            effects: Effects::default(),
            random: Rng::with_seed(seed),
            seq: 0,
            keys: 0,
            addresses: addresses().into_iter().map(|one| (one, 0)).collect(),
            statuses: BTreeMap::new(),
            part,
            panics,
        })
    }

    /// Sends so many generated requests, or fewer if the time is over.
    pub(super) async fn torment(&mut self, times: u64, budget: &Budget) -> Result<()> {
        for _ in 0..times {
            if budget.is_spent() || self.part.has_enough() {
                break;
            }
            if self.part.times.is_multiple_of(SCENE_EVERY) {
                self.set_up().await?;
            }
            self.keys += 1;
            self.part.times += 1;
            self.torment_once().await?;
        }
        Ok(())
    }

    async fn torment_once(&mut self) -> Result<()> {
        let first = self.scenes.len().saturating_sub(SCENES);
        // A valid request of the wrong person is the most dangerous one.
        let is_stolen = self.random.u8(..3) == 0;
        let moves_money = is_stolen || self.random.u8(..6) == 0;
        // A password costs more than everything else.
        let signs_in = self.random.u8(..5) == 0;
        let may_be_sent = |address: &Address| {
            (!moves_money || address.moves_money()) && (signs_in || !address.signs_in())
        };
        let all = self.addresses.iter_mut();
        let all: Vec<_> = all.filter(|(address, _)| may_be_sent(address)).collect();
        let (address, times) = self.random.choice(all).context("no address")?;
        *times += 1;
        let address = address.clone();
        let (method, path) = (&address.method, &address.path);
        let scenes = first..self.scenes.len();
        let moved = |at: &usize| self.scenes[*at].is_moved_by(method, path);
        let fitting: Vec<usize> = scenes.clone().filter(moved).collect();
        let fitting = self.random.choice(fitting).filter(|_| moves_money);
        let at = fitting.unwrap_or_else(|| self.random.usize(scenes));
        let count = match self.random.u8(..10) {
            _ if is_stolen => 0,
            0 => 0,
            1..=5 => 1,
            6..=8 => 2,
            _ => 3,
        };
        let mut changes: Vec<_> = (0..count)
            .map(|_| Mutation::draw(&mut self.random))
            .collect();
        if is_stolen {
            changes.push(Mutation::other_sender(&mut self.random));
        }
        let mut plain = self.valid(&address, at);
        plain.from = match self.random.u8(..4) {
            0 => Ipv4Addr::LOCALHOST,
            _ => any_client(&mut self.random),
        };
        let supply = self.supply();
        let request = changed(&plain, &changes, &supply);
        let wrong = self.send(&request).await?;
        for (what, story) in wrong {
            let place = format!("{method} {path}: {what}");
            if self.part.has_found(&place) {
                continue;
            }
            let shortest = self.shrunk(&plain, &changes, &supply, &what).await?;
            self.report(place, &shortest, story);
        }
        Ok(())
    }

    /// The request that needs the fewest of the changes for the same fault.
    async fn shrunk(
        &mut self,
        plain: &Request,
        changes: &[Mutation],
        supply: &Supply,
        what: &str,
    ) -> Result<Request> {
        let mut needed = changes.to_vec();
        for at in (0..changes.len()).rev() {
            let mut fewer = needed.clone();
            fewer.remove(at);
            let request = changed(plain, &fewer, supply);
            let wrong = self.send(&request).await?;
            if wrong.iter().any(|(again, _)| again == what) {
                needed = fewer;
            }
        }
        Ok(changed(plain, &needed, supply))
    }

    pub(super) fn report(&mut self, what: String, request: &Request, mut story: Vec<String>) {
        story.insert(0, request.to_string().replace('\n', "\n  "));
        self.part.finds(what, story);
    }

    /// Sends a request; returns what is wrong with its answer and with its effects.
    async fn send(&mut self, request: &Request) -> Result<Vec<Wrong>> {
        if request.to_http().is_err() {
            // HTTP has no such request, so that no server gets it.
            *self.statuses.entry(0).or_default() += 1;
            return Ok(Vec::new());
        }
        self.effects.expect(request);
        let answer = timeout(PATIENCE, self.stack.send(request)).await;
        let mut wrong = Vec::new();
        match answer {
            Err(_) => wrong.push(("a request is not answered in 30 s".to_owned(), Vec::new())),
            Ok(Err(error)) => {
                wrong.push(("an answer breaks off".to_owned(), vec![error.to_string()]));
            }
            Ok(Ok(answer)) => {
                *self.statuses.entry(answer.status).or_default() += 1;
                self.learn(request, &answer);
                if let Some(what) = verdict::of(request, &answer) {
                    wrong.push((what, vec![format!("answer {answer}")]));
                }
            }
        }
        for panic in self.panics.take() {
            wrong.push((format!("a panic: {panic}"), Vec::new()));
        }
        wrong.extend(self.effects_of(request).await?);
        Ok(wrong)
    }

    /// What is wrong with the effects of a request, each with the entry of the journal.
    pub(super) async fn effects_of(&mut self, request: &Request) -> Result<Vec<Wrong>> {
        let entries = self.stack.service.journal(self.seq).await?;
        if let Some(last) = entries.last() {
            self.seq = last["seq"].as_u64().context("an entry without a number")?;
        }
        let wrong = entries.iter().filter_map(|entry| {
            let what = self
                .effects
                .judge(entry, request, &self.scenes, &self.people);
            what.map(|what| (what, vec![entry.to_string()]))
        });
        Ok(wrong.collect())
    }

    /// A page that was renewed has another address. An order that only its shop had signed costs what a program says that
    /// gives it to the server first.
    fn learn(&mut self, request: &Request, answer: &Answer) {
        if !answer.text.starts_with("{\"order_id\"") {
            return;
        }
        let body = answer.json();
        let scene = self.scenes.iter_mut().rev();
        if let Some(scene) = scene
            .take(2 * SCENES)
            .find(|scene| body["order_id"] == scene.order_id.as_str())
        {
            scene.note_page(&body["pay_url"]);
            let given: Option<Value> = serde_json::from_slice(&request.body).ok();
            if let Some(amount) = given.and_then(|given| cents(&given["amount"])) {
                scene.amount = amount;
            }
        }
    }

    fn supply(&self) -> Supply {
        let first = self.scenes.len().saturating_sub(SCENES);
        let scenes = || self.scenes.iter().skip(first);
        let mut proofs = Vec::new();
        for (sender, times) in Sender::WEIGHTED {
            let proof = |scene| self.people.proof(sender, scene);
            let mut own: Vec<_> = scenes().filter_map(proof).collect();
            // Staff and programs have one for all orders, payers one for each.
            own.dedup();
            proofs.extend(std::iter::repeat_n(own, times));
        }
        let names = scenes().flat_map(|scene| scene.facts.values());
        Supply {
            proofs,
            names: names.filter(|name| name.len() > 3).cloned().collect(),
            queries: query_names(),
            host: self.stack.authority().to_owned(),
        }
    }

    fn valid(&mut self, address: &Address, at: usize) -> Request {
        let scene = &self.scenes[at];
        let mut facts = scene.facts.clone();
        facts.set("key", &format!("k{}", self.keys));
        let (sender, mut request) = address.valid(&facts, &mut self.random);
        if let Some((name, value)) = self.people.proof(sender, scene) {
            request = request.with(name, &value);
        }
        if request.method != "GET" && request.path.starts_with("/api/pay") {
            request = request.with("origin", "null");
        }
        request
    }
}

/// The page of an order has the element's files, and nobody waits long.
fn configure(config: &mut Config, element: &Path, details: MethodDetails) {
    config.method_details = details;
    config.pay_page_element = Some(element.to_path_buf());
    config.queries_per_second = 10_000;
    config.release_after = Duration::ZERO;
    let timing = &mut config.timing;
    timing.longest_poll = Duration::from_millis(50);
    timing.query_interval = Duration::from_millis(20);
    timing.result_interval = Duration::from_millis(20);
}

fn changed(plain: &Request, changes: &[Mutation], supply: &Supply) -> Request {
    let mut request = plain.clone();
    for change in changes {
        change.apply(&mut request, supply);
    }
    request
}
