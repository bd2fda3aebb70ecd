//! The measurement.

use super::crowd::{Crowd, Payer, hurry, paid};
use super::programs::{Program, signed};
use anyhow::{Context, Result, bail};
use demo_stack::say;
use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, SET_COOKIE};
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How long nothing happens while the processor time is counted.
const QUIET: Duration = Duration::from_secs(40);
/// How many payers pay, with a notification and without.
const PAYING: usize = 300;
/// How many payers ask without a pause.
const HURRIED: usize = 64;
/// How many authorizations run at once.
const AT_ONCE: usize = 32;

/// The measurements of one program.
pub(super) struct Figures {
    pub(super) bytes_a_payer: f64,
    pub(super) processor: f64,
    pub(super) answers_a_second: f64,
    pub(super) notified: Vec<Duration>,
    pub(super) unnotified: Vec<Duration>,
    pub(super) hurried: f64,
    pub(super) failures: u64,
    /// How long all needed for their codes.
    pub(super) begun: Option<Duration>,
}

/// Measures the server at each place, which has a name, a database and a number of nodes, and a bare route at last;
/// returns the names and the figures.
pub(super) async fn measure<'a>(
    programs: &Path,
    count: usize,
    places: &[(&'a str, String, usize)],
) -> Result<Vec<(&'a str, Figures)>> {
    if count < 2 * PAYING + HURRIED {
        bail!("give `--count` at least {}", 2 * PAYING + HURRIED);
    }
    // The client panics without one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .timeout(Duration::from_secs(60))
        .pool_max_idle_per_host(usize::MAX)
        .build()?;
    let mut columns = Vec::new();
    for (name, database, nodes) in places {
        let figures = at(&client, programs, count, database, *nodes).await?;
        columns.push((*name, figures));
    }
    say::progress(
        "payers",
        format!("{count} payers of a bare route that holds requests"),
    );
    let bare = Program::bare()?;
    bare.ready(&client).await?;
    let payers: Vec<Payer> = (0..count).map(|n| of_bare_route(&bare, n)).collect();
    columns.push((
        "a bare route",
        figures(&client, &[bare], &payers, None).await?,
    ));
    Ok(columns)
}

/// The figures of servers on one database. A payer begins at one of them and waits at the next.
async fn at(
    client: &Client,
    programs: &Path,
    count: usize,
    database: &str,
    nodes: usize,
) -> Result<Figures> {
    let sandbox = Program::sandbox(programs)?;
    sandbox.ready(client).await?;
    let mut servers: Vec<Program> = Vec::new();
    for _ in 0..nodes {
        let server = Program::server(programs, &sandbox, database, servers.first())?;
        server.ready(client).await?;
        servers.push(server);
    }
    say::progress(
        "payers",
        format!("{count} payers begin to pay at {nodes} of the server"),
    );
    let start = Instant::now();
    let payers = begin(client, &servers, &sandbox, count).await?;
    let begun = start.elapsed();
    let mut figures = figures(client, &servers, &payers, Some(&sandbox)).await?;
    figures.begun = Some(begun);
    Ok(figures)
}

/// An address of its own for each payer.
fn address(n: usize) -> Ipv4Addr {
    let [.., b, c, d] = n.to_be_bytes();
    Ipv4Addr::new(10, b, c, d)
}

fn of_bare_route(bare: &Program, n: usize) -> Payer {
    Payer {
        status: format!("{}/poll/{n}", bare.address),
        cookie: "a=b".to_owned(),
        from: address(n),
        pay: format!("{}/pay/{n}", bare.address),
    }
}

/// Authorizes an operation for each payer.
pub(super) async fn begin(
    client: &Client,
    servers: &[Program],
    sandbox: &Program,
    count: usize,
) -> Result<Vec<Payer>> {
    let mut payers = Vec::with_capacity(count);
    let mut running = JoinSet::new();
    for n in 0..count {
        if running.len() >= AT_ONCE {
            payers.extend(joined(running.join_next().await)?);
        }
        let (first, next) = (
            &servers[n % servers.len()],
            &servers[(n + 1) % servers.len()],
        );
        let body = json!({"order": signed(&servers[0], &format!("A-{n}")),
            "payment_method": {"method_name": "QR", "method_details": {}}});
        let request = client
            .post(format!("{}/api/charges", first.address))
            .header(CONTENT_TYPE, "application/json")
            .header("idempotency-key", format!("\"{n}\""))
            .body(body.to_string());
        let (server, sandbox) = (next.address.clone(), sandbox.address.clone());
        running.spawn(async move {
            let answer = request.send().await?;
            let cookie = answer
                .headers()
                .get(SET_COOKIE)
                .and_then(|cookie| cookie.to_str().ok());
            let cookie = cookie.and_then(|cookie| cookie.split(';').next());
            let cookie = cookie.unwrap_or_default().to_owned();
            let text = answer.text().await?;
            let body: Value = serde_json::from_str(&text)?;
            let number = body["merchant_operation_number"].as_str();
            let number = number.with_context(|| format!("an attempt was answered with {text}"))?;
            Ok(Payer {
                from: address(n),
                status: format!("{server}/api/charges/shop/{number}/-"),
                cookie,
                pay: format!("{sandbox}/sandbox/operations/{number}/pay"),
            })
        });
    }
    while let Some(one) = running.join_next().await {
        payers.extend(joined(Some(one))?);
    }
    Ok(payers)
}

fn joined(one: Option<Result<Result<Payer>, tokio::task::JoinError>>) -> Result<Option<Payer>> {
    let Some(one) = one else { return Ok(None) };
    one?.map(Some)
}

/// Lets the payers wait at a program, and measures it. With a sandbox, some payments come with a
/// notification and some without.
async fn figures(
    client: &Client,
    programs: &[Program],
    payers: &[Payer],
    sandbox: Option<&Program>,
) -> Result<Figures> {
    let hurried = &payers[..HURRIED];
    for payer in hurried {
        paid(client, payer).await?;
    }
    let hurried = hurry(client, hurried, Duration::from_secs(8)).await;
    let memory = || programs.iter().map(Program::memory).sum::<Result<f64, _>>();
    let processor = || {
        programs
            .iter()
            .map(Program::processor)
            .sum::<Result<Duration, _>>()
    };
    let before = memory()?;
    let payers = &payers[HURRIED..];
    let crowd = Crowd::wait(client, payers);
    // Everybody is connected, and has waited once to the end.
    tokio::time::sleep(Duration::from_secs(25)).await;
    let after = memory()?;
    say::progress("payers", "they wait");
    let (answers, used) = (crowd.answers(), processor()?);
    tokio::time::sleep(QUIET).await;
    let answered = crowd.answers().saturating_sub(answers);
    let used = processor()?.saturating_sub(used);
    say::progress("payers", "some of them pay");
    let notified = crowd.pay(client, payers, 0..PAYING).await?;
    let unnotified = match sandbox {
        None => Vec::new(),
        Some(sandbox) => {
            lose_notifications(client, sandbox).await?;
            crowd.pay(client, payers, PAYING..2 * PAYING).await?
        }
    };
    let failures = crowd.failures();
    crowd.go().await;
    let each = f64::from(u32::try_from(payers.len()).unwrap_or(u32::MAX));
    Ok(Figures {
        bytes_a_payer: (after - before) / each,
        processor: used.as_secs_f64() / QUIET.as_secs_f64() * 100.0,
        answers_a_second: f64::from(u32::try_from(answered).unwrap_or(u32::MAX))
            / QUIET.as_secs_f64(),
        notified,
        unnotified,
        hurried,
        failures,
        begun: None,
    })
}

async fn lose_notifications(client: &Client, sandbox: &Program) -> Result<()> {
    let faults =
        json!([{"method": "POST", "path": "/", "times": 1_000_000, "kind": "lose_notification"}]);
    let answer = client
        .put(format!("{}/sandbox/faults", sandbox.address))
        .header(CONTENT_TYPE, "application/json")
        .body(faults.to_string())
        .send()
        .await?;
    match answer.status().is_success() {
        true => Ok(()),
        false => bail!("{}", answer.text().await.unwrap_or_default()),
    }
}
