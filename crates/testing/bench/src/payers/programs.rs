//! The programs that are measured, each a process of its own.

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Client;
use ring::hmac;
use serde_json::{Value, json};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECRET: &str = "a secret of measurements, 32 bytes and more";
const TOKEN: &str = "token-of-measurements";

/// A process, which ends with the measurement.
pub(super) struct Program {
    child: Child,
    pub(super) address: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    Ok(address.port())
}

fn start(mut command: Command, port: u16) -> Result<Program> {
    let named = format!("{command:?}");
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.with_context(|| format!("could not start {named}"))?;
    let address = format!("http://127.0.0.1:{port}");
    Ok(Program { child, address })
}

impl Program {
    pub(super) fn sandbox(programs: &Path) -> Result<Self> {
        let port = free_port()?;
        let mut command = Command::new(programs.join("payment-sandbox"));
        command
            .env("SANDBOX_LISTEN", format!("127.0.0.1:{port}"))
            .env("SANDBOX_TOKEN", TOKEN);
        start(command, port)
    }

    /// A server on this database. Its public address is that of the first one of several.
    pub(super) fn server(
        programs: &Path,
        sandbox: &Self,
        database: &str,
        first: Option<&Self>,
    ) -> Result<Self> {
        Self::server_with(programs, sandbox, database, first, &[])
    }

    /// The same with further settings.
    pub(super) fn server_with(
        programs: &Path,
        sandbox: &Self,
        database: &str,
        first: Option<&Self>,
        settings: &[(&str, &str)],
    ) -> Result<Self> {
        let port = free_port()?;
        let own = format!("http://127.0.0.1:{port}");
        let public = first.map_or(own.as_str(), |first| first.address.as_str());
        let mut command = Command::new(programs.join("merchant-backend"));
        command
            .env("BACKEND_LISTEN", format!("127.0.0.1:{port}"))
            .env("PUBLIC_URL", format!("{public}/api"))
            .env("DATABASE", database)
            .env("PAYMENT_URL", &sandbox.address)
            .env("PAYMENT_TOKEN", TOKEN)
            .env("MERCHANT_CODE", "shop")
            .env("COOKIE_KEY", "a key of measurements, 32 bytes and more")
            .env("ORDERS_SECRET", SECRET)
            .env("MAX_CONNECTIONS", "16000")
            .env("TRUSTED_PROXIES", "127.0.0.1")
            .env("STARTS_PER_MINUTE", "1000000")
            .env("CLIENT_ORDERS_PER_MINUTE", "1000000")
            .env("RUST_LOG", "error")
            .envs(settings.iter().copied());
        start(command, port)
    }

    pub(super) fn bare() -> Result<Self> {
        let port = free_port()?;
        let own = std::env::current_exe()?;
        let mut command = Command::new(own);
        command.args(["bare", &port.to_string()]);
        start(command, port)
    }

    /// Waits until it answers anything.
    pub(super) async fn ready(&self, client: &Client) -> Result<()> {
        for _ in 0..200 {
            if client.get(&self.address).send().await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("no answer at {}", self.address)
    }

    /// The memory that it has, in bytes.
    pub(super) fn memory(&self) -> Result<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = fs::read_to_string(path)?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kib.map(|kib| kib * 1024.0).context("no VmRSS")
    }

    /// The processor time that it has used.
    pub(super) fn processor(&self) -> Result<Duration> {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = fs::read_to_string(path)?;
        // Behind the name, which may hold anything: user and system time are the 12th and 13th.
        let fields = stat.rsplit(") ").next().unwrap_or_default();
        let ticks = fields
            .split(' ')
            .skip(11)
            .take(2)
            .filter_map(|ticks| ticks.parse::<u64>().ok());
        // Linux counts a hundred ticks a second.
        Ok(Duration::from_millis(ticks.sum::<u64>() * 10))
    }
}

/// An order as a shop signs it for this server.
pub(super) fn signed(server: &Program, order_id: &str) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let claims = json!({"aud": format!("{}/api", server.address), "iat": now.as_secs(),
        "exp": now.as_secs() + 3_600, "order_id": order_id, "amount": 12_990, "currency": "PEN"});
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", part(json!({"alg": "HS256"})), part(claims));
    let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
    let tag = URL_SAFE_NO_PAD.encode(hmac::sign(&key, text.as_bytes()));
    format!("{text}.{tag}")
}
