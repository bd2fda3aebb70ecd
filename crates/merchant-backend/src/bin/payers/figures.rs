//! The measurement, and its table.

use crate::crowd::{Crowd, Payer, hurry};
use crate::programs::{Program, signed};
use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, SET_COOKIE};
use serde_json::{Value, json};
use std::io::Write;
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
struct Figures {
    bytes_a_payer: f64,
    processor: f64,
    answers_a_second: f64,
    notified: Vec<Duration>,
    unnotified: Vec<Duration>,
    hurried: f64,
    failures: u64,
}

pub(super) async fn measure(programs: &Path, count: usize) -> Result<(), String> {
    if count < 2 * PAYING + HURRIED {
        return Err(format!("COUNT must be at least {}", 2 * PAYING + HURRIED));
    }
    // The client panics without one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .timeout(Duration::from_secs(60))
        .pool_max_idle_per_host(usize::MAX)
        .build()
        .map_err(|error| error.to_string())?;
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    say(&format!(
        "{count} payers of a bare route that holds requests"
    ));
    let bare = Program::bare()?;
    bare.ready(&client).await?;
    let payers: Vec<Payer> = (0..count).map(|n| of_bare_route(&bare, n)).collect();
    let plain = figures(&client, &bare, &payers, None).await?;
    drop(bare);

    let sandbox = Program::sandbox(programs)?;
    sandbox.ready(&client).await?;
    let server = Program::server(programs, &sandbox, &folder)?;
    server.ready(&client).await?;
    say(&format!("{count} payers begin to pay at the server"));
    let start = Instant::now();
    let payers = begin(&client, &server, &sandbox, count).await?;
    let begun = start.elapsed();
    let ours = figures(&client, &server, &payers, Some(&sandbox)).await?;
    table(count, begun, &ours, &plain);
    Ok(())
}

fn of_bare_route(bare: &Program, n: usize) -> Payer {
    Payer {
        status: format!("{}/poll/{n}", bare.address),
        cookie: "a=b".to_owned(),
        pay: format!("{}/pay/{n}", bare.address),
    }
}

/// Authorizes an operation for each payer.
async fn begin(
    client: &Client,
    server: &Program,
    sandbox: &Program,
    count: usize,
) -> Result<Vec<Payer>, String> {
    let mut payers = Vec::with_capacity(count);
    let mut running = JoinSet::new();
    for n in 0..count {
        if running.len() >= AT_ONCE {
            payers.extend(joined(running.join_next().await)?);
        }
        let body = json!({"order": signed(server, &format!("A-{n}")),
            "payment_method": {"method_name": "QR", "method_details": {}}});
        let request = client
            .post(format!("{}/api/charges", server.address))
            .header(CONTENT_TYPE, "application/json")
            .header("idempotency-key", format!("\"{n}\""))
            .body(body.to_string());
        let (server, sandbox) = (server.address.clone(), sandbox.address.clone());
        running.spawn(async move {
            let answer = request.send().await.map_err(|error| error.to_string())?;
            let cookie = answer
                .headers()
                .get(SET_COOKIE)
                .and_then(|cookie| cookie.to_str().ok());
            let cookie = cookie.and_then(|cookie| cookie.split(';').next());
            let cookie = cookie.unwrap_or_default().to_owned();
            let text = answer.text().await.map_err(|error| error.to_string())?;
            let body: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            let number = body["merchant_operation_number"].as_str();
            let number = number.ok_or_else(|| format!("an attempt was answered with {text}"))?;
            Ok(Payer {
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

fn joined(
    one: Option<Result<Result<Payer, String>, tokio::task::JoinError>>,
) -> Result<Option<Payer>, String> {
    let Some(one) = one else { return Ok(None) };
    one.map_err(|error| error.to_string())?.map(Some)
}

/// Lets the payers wait at a program, and measures it. With a sandbox, some payments are told by a
/// notification and some are not.
async fn figures(
    client: &Client,
    program: &Program,
    payers: &[Payer],
    sandbox: Option<&Program>,
) -> Result<Figures, String> {
    let before = program.memory()?;
    let crowd = Crowd::wait(client, payers);
    // Everybody is connected, and has waited once to the end.
    tokio::time::sleep(Duration::from_secs(25)).await;
    let after = program.memory()?;
    say("they wait");
    let (answers, processor) = (crowd.answers(), program.processor()?);
    tokio::time::sleep(QUIET).await;
    let answered = crowd.answers().saturating_sub(answers);
    let processor = program.processor()?.saturating_sub(processor);
    say("some of them pay");
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
    tokio::time::sleep(Duration::from_secs(2)).await;
    let hurried = hurry(client, &payers[..HURRIED], Duration::from_secs(8)).await;
    let each = f64::from(u32::try_from(payers.len()).unwrap_or(u32::MAX));
    Ok(Figures {
        bytes_a_payer: (after - before) / each,
        processor: processor.as_secs_f64() / QUIET.as_secs_f64() * 100.0,
        answers_a_second: f64::from(u32::try_from(answered).unwrap_or(u32::MAX))
            / QUIET.as_secs_f64(),
        notified,
        unnotified,
        hurried,
        failures,
    })
}

async fn lose_notifications(client: &Client, sandbox: &Program) -> Result<(), String> {
    let faults =
        json!([{"method": "POST", "path": "/", "times": 1_000_000, "kind": "lose_notification"}]);
    let answer = client
        .put(format!("{}/sandbox/faults", sandbox.address))
        .header(CONTENT_TYPE, "application/json")
        .body(faults.to_string())
        .send()
        .await
        .map_err(|error| error.to_string())?;
    match answer.status().is_success() {
        true => Ok(()),
        false => Err(answer.text().await.unwrap_or_default()),
    }
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "payers: {text}");
}

/// The median and the 99th of a hundred, in milliseconds.
fn spread(mut waits: Vec<Duration>) -> String {
    waits.sort();
    let at = |percent: usize| waits.get((waits.len() * percent / 100).min(waits.len() - 1));
    match (waits.is_empty(), at(50), at(99)) {
        (false, Some(median), Some(worst)) => {
            format!("{} / {}", median.as_millis(), worst.as_millis())
        }
        _ => "–".to_owned(),
    }
}

fn table(count: usize, begun: Duration, ours: &Figures, bare: &Figures) {
    let each = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let mut text =
        format!("| {count} payers | the server | a bare route | ratio |\n|---|---:|---:|---:|\n");
    let mut row = |name: &str, ours: f64, bare: f64, digits: usize| {
        text += &format!(
            "| {name} | {ours:.digits$} | {bare:.digits$} | {:.2} |\n",
            ours / bare
        );
    };
    row(
        "memory for each, KiB",
        ours.bytes_a_payer / 1024.0,
        bare.bytes_a_payer / 1024.0,
        1,
    );
    row(
        "processor while nothing happens, % of a core",
        ours.processor,
        bare.processor,
        1,
    );
    row(
        "answers a second to those who wait",
        ours.answers_a_second,
        bare.answers_a_second,
        0,
    );
    row(
        "answers a second to 64 who do not wait",
        ours.hurried,
        bare.hurried,
        0,
    );
    text += &format!(
        "| from the payment to the answer, median / 99 %, ms | {} | {} | |\n",
        spread(ours.notified.clone()),
        spread(bare.notified.clone())
    );
    text += &format!(
        "| the same without a notification, ms | {} | | |\n",
        spread(ours.unnotified.clone())
    );
    text += &format!(
        "| authorizations a second, 32 at once | {:.0} | | |\n",
        each / begun.as_secs_f64()
    );
    text += &format!(
        "| requests without a good answer | {} | {} | |\n",
        ours.failures, bare.failures
    );
    let _ = write!(std::io::stdout(), "{text}");
}
