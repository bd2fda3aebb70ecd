//! `cargo xtask bench desks`: what desks of staff that follow the changes cost the server, beside as many payers who wait,
//! and whether payers wait longer because of them.

use super::crowd::{Crowd, Payer, paid};
use super::figures::begin;
use super::programs::Program;
use super::table::spread;
use anyhow::{Context, Error, Result, bail};
use demo_stack::say;
use fs_err as fs;
use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How many desks follow, and how many payers wait.
const COUNT: usize = 200;
/// The payments of each part of the measurement, one after the other.
const PAYMENTS: usize = 30;
const PAYMENT_INTERVAL: Duration = Duration::from_secs(1);
/// Everybody is connected, and has waited once to the end.
const SETTLING: Duration = Duration::from_secs(25);
/// One session may have so many desks.
const DESKS_PER_ACCOUNT: usize = 4;
const PASSWORD: &str = "a password of measurements";

/// When a desk was told of each payment first.
type Told = Arc<Mutex<Vec<(String, Instant)>>>;

/// A part of the measurement.
struct Part {
    name: &'static str,
    /// Of a core, in percent.
    processor: f64,
    payers_wait: Vec<Duration>,
    desks_wait: Vec<Duration>,
}

/// Measures one server on a file, and prints the figures.
pub(super) async fn measure(programs: &Path, folder: &Path) -> Result<()> {
    // The client panics without one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .timeout(Duration::from_secs(60))
        .pool_max_idle_per_host(usize::MAX)
        .build()?;
    let staff = folder.join("staff.toml");
    let hash = merchant_backend::hash_password(PASSWORD).map_err(Error::msg)?;
    let accounts = COUNT / DESKS_PER_ACCOUNT;
    let account = |n| format!("[[account]]\nname = \"eva{n}\"\npassword_hash = \"{hash}\"\n");
    fs::write(&staff, (0..accounts).map(account).collect::<String>())?;
    let staff = staff.display().to_string();
    let sandbox = Program::sandbox(programs)?;
    sandbox.ready(&client).await?;
    let database = folder.join("desks.sqlite").display().to_string();
    let settings = [("STAFF_FILE", &*staff)];
    let server = Program::server_with(programs, &sandbox, &database, None, &settings)?;
    server.ready(&client).await?;
    say::progress(
        "bench",
        format!("{COUNT} desks sign in, and {COUNT} payers begin"),
    );
    let mut cookies = Vec::with_capacity(COUNT);
    for n in 0..accounts {
        let cookie = sign_in(&client, &server, n).await?;
        cookies.extend(std::iter::repeat_n(cookie, DESKS_PER_ACCOUNT));
    }
    let servers = [server];
    let payers = begin(&client, &servers, &sandbox, COUNT + 4 * PAYMENTS).await?;
    let [server] = &servers;
    let (waiting, others) = payers.split_at(COUNT);
    let (first, others) = others.split_at(PAYMENTS);
    let mut parts = Vec::new();
    for (name, has_payers, has_desks, paying) in [
        ("nobody", false, false, first),
        ("200 payers", true, false, &others[..PAYMENTS]),
        ("200 desks", false, true, &others[PAYMENTS..2 * PAYMENTS]),
        ("both", true, true, &others[2 * PAYMENTS..]),
    ] {
        say::progress("bench", name);
        // Whoever pays waits too, so that each part has the same payments.
        let mut crowd = paying.to_vec();
        if has_payers {
            crowd.extend_from_slice(waiting);
        }
        let crowd = Crowd::wait(&client, &crowd);
        let desks: &[String] = if has_desks { &cookies } else { &[] };
        let desks = Desks::follow(&client, server, desks);
        tokio::time::sleep(SETTLING).await;
        let (start, used) = (Instant::now(), server.processor()?);
        let mut paid_at = Vec::with_capacity(paying.len());
        for payer in paying {
            paid_at.push((number(payer), Instant::now()));
            paid(&client, payer).await?;
            tokio::time::sleep(PAYMENT_INTERVAL).await;
        }
        let processor = server.processor()?.saturating_sub(used).as_secs_f64();
        let processor = processor / start.elapsed().as_secs_f64() * 100.0;
        let failures = crowd.failures();
        let waits = paid_at.iter().enumerate();
        let payers_wait = waits.filter_map(|(at, (_, paid_at))| Some(crowd.saw(at)? - *paid_at));
        let payers_wait = payers_wait.collect();
        crowd.go().await;
        let desks_wait = desks.go(&paid_at.into_iter().collect()).await;
        if failures > 0 {
            bail!("{failures} requests of payers had no good answer");
        }
        parts.push(Part {
            name,
            processor,
            payers_wait,
            desks_wait,
        });
    }
    print(&parts);
    Ok(())
}

fn print(parts: &[Part]) {
    say::heading("what desks cost a server, with a payment a second");
    say!(
        "| | processor, % of a core | payment to the payer, median / 99 %, ms | payment to a desk, median / 99 %, ms |\n|---|---:|---:|---:|"
    );
    for part in parts {
        let (payers, desks) = (
            spread(part.payers_wait.clone()),
            spread(part.desks_wait.clone()),
        );
        say!(
            "| {} | {:.1} | {payers} | {desks} |",
            part.name,
            part.processor
        );
    }
}

/// The number of a payer's operation.
fn number(payer: &Payer) -> String {
    let mut parts = payer.status.rsplit('/');
    parts.nth(1).unwrap_or_default().to_owned()
}

/// Signs an account in from an address of its own, and returns the cookie.
async fn sign_in(client: &Client, server: &Program, n: usize) -> Result<String> {
    let body = json!({"name": format!("eva{n}"), "password": PASSWORD}).to_string();
    let answer = client
        .post(format!("{}/api/staff/session", server.address))
        .header(CONTENT_TYPE, "application/json")
        .header("x-forwarded-for", format!("10.1.0.{n}"))
        .body(body)
        .send()
        .await?;
    if !answer.status().is_success() {
        bail!("a sign-in was answered with {}", answer.text().await?);
    }
    let cookie = answer.headers().get(SET_COOKIE);
    let cookie = cookie.and_then(|cookie| cookie.to_str().ok()?.split(';').next());
    Ok(cookie.context("a sign-in without a cookie")?.to_owned())
}

/// Desks that follow the changes.
struct Desks {
    following: JoinSet<()>,
    told: Vec<Told>,
}

impl Desks {
    fn follow(client: &Client, server: &Program, cookies: &[String]) -> Self {
        let mut desks = Self {
            following: JoinSet::new(),
            told: Vec::new(),
        };
        for cookie in cookies {
            let told = Told::default();
            desks.told.push(Arc::clone(&told));
            let (client, cookie) = (client.clone(), cookie.clone());
            let url = format!("{}/api/staff/news", server.address);
            desks.following.spawn(async move {
                let mut next = String::new();
                loop {
                    next = match ask(&client, &url, &cookie, &next).await {
                        Some(news) => {
                            note(&told, &news);
                            news["next"].as_str().unwrap_or_default().to_owned()
                        }
                        None => {
                            tokio::time::sleep(Duration::from_secs(1)).await;
                            next
                        }
                    };
                }
            });
        }
        desks
    }

    /// Everybody goes; returns how long each desk waited for each of these payments.
    async fn go(mut self, paid_at: &HashMap<String, Instant>) -> Vec<Duration> {
        self.following.shutdown().await;
        let mut waits = Vec::new();
        for told in &self.told {
            let told = told.lock().unwrap_or_else(PoisonError::into_inner);
            let mut first = HashSet::new();
            for (number, at) in told.iter() {
                if first.insert(number)
                    && let Some(paid_at) = paid_at.get(number)
                {
                    waits.push(at.saturating_duration_since(*paid_at));
                }
            }
        }
        waits
    }
}

async fn ask(client: &Client, url: &str, cookie: &str, after: &str) -> Option<Value> {
    let request = client.get(format!("{url}?after={after}"));
    let request = request.header(COOKIE, cookie).header("prefer", "wait=20");
    let answer = request.send().await.ok()?;
    if !answer.status().is_success() {
        return None;
    }
    serde_json::from_str(&answer.text().await.ok()?).ok()
}

fn note(told: &Told, news: &Value) {
    let at = Instant::now();
    let rows = news["operations"].as_array().into_iter().flatten();
    let paid = rows.filter(|row| row["outcome"] == "paid");
    let numbers = paid.filter_map(|row| row["merchant_operation_number"].as_str());
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
    told.extend(numbers.map(|number| (number.to_owned(), at)));
}
