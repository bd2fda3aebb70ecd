//! Payers who wait: each asks for the state again as soon as an answer comes.

use anyhow::{Result, bail};
use reqwest::Client;
use reqwest::header::COOKIE;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// A payer of the server, or of the bare route, who has no cookie.
#[derive(Clone)]
pub(super) struct Payer {
    pub(super) status: String,
    pub(super) cookie: String,
    /// Where the payer comes from, since the server holds a part of all requests for one address.
    pub(super) from: Ipv4Addr,
    /// The address that pays.
    pub(super) pay: String,
}

/// All payers who wait now.
pub(super) struct Crowd {
    waiting: JoinSet<()>,
    paid: Vec<Arc<Paid>>,
    answers: Arc<AtomicU64>,
    failures: Arc<AtomicU64>,
    gone: Arc<AtomicBool>,
}

/// When a payer saw the payment.
#[derive(Default)]
struct Paid(std::sync::Mutex<Option<Instant>>);

impl Crowd {
    /// Lets everybody wait.
    pub(super) fn wait(client: &Client, payers: &[Payer]) -> Self {
        let mut crowd = Self {
            waiting: JoinSet::new(),
            paid: Vec::new(),
            answers: Arc::default(),
            failures: Arc::default(),
            gone: Arc::default(),
        };
        for payer in payers {
            let paid = Arc::new(Paid::default());
            crowd.paid.push(Arc::clone(&paid));
            let (client, payer) = (client.clone(), payer.clone());
            let (answers, failures) = (Arc::clone(&crowd.answers), Arc::clone(&crowd.failures));
            let gone = Arc::clone(&crowd.gone);
            crowd.waiting.spawn(async move {
                while !gone.load(Ordering::Relaxed) {
                    let Some(text) = ask(&client, &payer, true).await else {
                        failures.fetch_add(1, Ordering::Relaxed);
                        tokio::time::sleep(Duration::from_secs(1)).await;
                        continue;
                    };
                    answers.fetch_add(1, Ordering::Relaxed);
                    if text.contains("AUTORIZADO") {
                        if let Ok(mut paid) = paid.0.lock() {
                            paid.get_or_insert_with(Instant::now);
                        }
                        return;
                    }
                }
            });
        }
        crowd
    }

    pub(super) fn answers(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
    }

    pub(super) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// When one of them saw the payment.
    pub(super) fn saw(&self, at: usize) -> Option<Instant> {
        self.paid[at].0.lock().ok().and_then(|seen| *seen)
    }

    /// Pays some of them, fifty a second; returns how long each waited for the answer.
    pub(super) async fn pay(
        &self,
        client: &Client,
        payers: &[Payer],
        which: std::ops::Range<usize>,
    ) -> Result<Vec<Duration>> {
        let mut begun = Vec::new();
        for at in which {
            let (payer, paid) = (&payers[at], &self.paid[at]);
            let start = Instant::now();
            self::paid(client, payer).await?;
            begun.push((start, Arc::clone(paid)));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let patience = Instant::now() + Duration::from_secs(120);
        let mut waits = Vec::new();
        for (start, paid) in begun {
            loop {
                let seen = paid.0.lock().ok().and_then(|seen| *seen);
                if let Some(seen) = seen {
                    waits.push(seen.saturating_duration_since(start));
                    break;
                }
                if Instant::now() > patience {
                    bail!("a payment was not seen within two minutes");
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(waits)
    }

    /// Everybody goes.
    pub(super) async fn go(mut self) {
        self.gone.store(true, Ordering::Relaxed);
        self.waiting.shutdown().await;
    }
}

/// Pays an operation.
pub(super) async fn paid(client: &Client, payer: &Payer) -> Result<()> {
    let answer = client.post(&payer.pay).send().await;
    let status = answer?.status();
    match status.is_success() {
        true => Ok(()),
        false => bail!("a payment was answered with {status}"),
    }
}

/// Asks for the state; `None` without a good answer.
async fn ask(client: &Client, payer: &Payer, wait: bool) -> Option<String> {
    let mut request = client
        .get(&payer.status)
        .header(COOKIE, &payer.cookie)
        .header("x-forwarded-for", payer.from.to_string());
    if wait {
        request = request.header("prefer", "wait=20");
    }
    let answer = request.send().await.ok()?;
    if !answer.status().is_success() {
        return None;
    }
    answer.text().await.ok()
}

/// How many answers a second some payers get who ask without a pause, and want none held.
pub(super) async fn hurry(client: &Client, payers: &[Payer], time: Duration) -> f64 {
    let answers = Arc::new(AtomicU64::new(0));
    let end = Instant::now() + time;
    let mut asking = JoinSet::new();
    for payer in payers {
        let (client, payer, answers) = (client.clone(), payer.clone(), Arc::clone(&answers));
        asking.spawn(async move {
            while Instant::now() < end {
                if ask(&client, &payer, false).await.is_some() {
                    answers.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    }
    asking.join_all().await;
    let answers = u32::try_from(answers.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
    f64::from(answers) / time.as_secs_f64()
}
