//! The server, the payment service and a receiver of events, on sockets of this process.

use crate::answer::Answer;
use crate::calls;
use crate::receiver::{Delivery, Receiver};
use crate::request::Request;
use crate::service::Service;
use crate::settings::{MERCHANT, accounts, settings};
use anyhow::{Context as _, Result};
use axum::Router;
use merchant_backend::{Backend, Config, app_with};
use payment_rules::fingerprint::fingerprint;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// Pages of another origin that may call the server.
const OTHER_PAGES: &str = "https://pages.example";
/// The longest that a status request is held.
const LONGEST_POLL: Duration = Duration::from_secs(10);
/// How long the server may keep the database for itself.
const BUSY: Duration = Duration::from_secs(10);

/// Runs a part of the search to its end.
///
/// # Panics
/// The operating system gives no threads or no sockets.
#[allow(
    clippy::expect_used,
    reason = "without a runtime no part of the search can begin"
)]
pub(crate) fn block_on<T>(part: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new()
        .expect("a runtime")
        .block_on(part)
}

/// A running server with its payment service.
pub(crate) struct Stack {
    base: String,
    service: Service,
    receiver: Receiver,
    backend: Backend,
    router: Router,
    database: PathBuf,
    /// The folder of the database.
    _directory: TempDir,
}

impl Stack {
    /// Starts the three on free ports of the loopback, with a fresh database, without limits on the number of requests,
    /// and with a change of the server's configuration.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Config) + Send) -> Result<Self> {
        // The error only says that a provider is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let service = Service::start_with(|_| {}).await?;
        let receiver = Receiver::start(0).await?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let base = format!("http://{}/api", listener.local_addr()?);
        let directory = tempfile::tempdir()?;
        let database = directory.path().join("torture.db");
        let staff_file = directory.path().join("staff.toml");
        std::fs::write(&staff_file, accounts()?)?;
        let more = [
            format!("--events-url={}", receiver.url),
            format!("--cors-origins={OTHER_PAGES}"),
        ];
        let settings = settings(&base, &database, &service.url, &staff_file, &more);
        let mut config = Config::read(&settings)?;
        config.orders_per_minute = u32::MAX;
        config.starts_per_minute = u32::MAX;
        config.timing.authorizes_per_minute = u32::MAX;
        config.timing.repetitions_per_minute = u32::MAX;
        config.timing.api_requests_per_minute = u32::MAX;
        config.timing.longest_poll = LONGEST_POLL;
        config.queries_per_second = 1_000;
        change(&mut config);
        let backend = Backend::start(config).await?;
        let shop = demo_shop::routes(&backend.orders()).map_err(anyhow::Error::msg)?;
        let router = app_with(&backend, shop);
        let clients = router
            .clone()
            .into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, clients).await });
        Ok(Self {
            base,
            service,
            receiver,
            backend,
            router,
            database,
            _directory: directory,
        })
    }

    /// Stops the server as a signal would.
    pub(crate) async fn stop(&self) {
        self.backend.stop().await;
    }

    /// The address of the server as others know it, with `/api`.
    pub(crate) fn public_url(&self) -> &str {
        &self.base
    }

    /// The host and the port of the server.
    pub(crate) fn authority(&self) -> &str {
        let without_scheme = self.base.trim_start_matches("http://");
        without_scheme.trim_end_matches("/api")
    }

    /// Sends a request to the server without a socket, from the address that the request names.
    pub(crate) async fn send(&self, request: &Request) -> Result<Answer> {
        request.send(&self.router).await
    }

    /// Makes a key for a program of the shop, and returns its secret. The command that does this for people prints the
    /// secret to a terminal, so that the row is written here, as that command writes it.
    pub(crate) async fn api_key(&self, name: &str, permissions: &[&str]) -> Result<String> {
        let secret = format!("shopkey_{name}-0123456789abcdef0123456789abcdef");
        let options = SqliteConnectOptions::new().filename(&self.database);
        let mut database = options.busy_timeout(BUSY).connect().await?;
        let insert =
            "INSERT INTO api_keys (name, secret_hash, merchant_code, permissions, created_at)
                      VALUES ($1, $2, $3, $4, 1)";
        sqlx::query(insert)
            .bind(name)
            .bind(fingerprint(&secret))
            .bind(MERCHANT)
            .bind(json!(permissions).to_string())
            .execute(&mut database)
            .await?;
        database.close().await?;
        Ok(secret)
    }

    /// Signs a member of staff in, and returns the cookie.
    pub(crate) async fn sign_in(&self, name: &str) -> Result<String> {
        let answer = self.send(&calls::sign_in(name)).await?.success()?;
        Ok(answer.cookie().to_owned())
    }

    /// Sends a request to the control interface of the payment service.
    pub(crate) async fn control(&self, method: Method, path: &str) -> Result<String> {
        self.service.control(method, path).await
    }

    /// The requests that the payment service got after the one of this number.
    pub(crate) async fn journal(&self, after: u64) -> Result<Vec<Value>> {
        self.service.journal(after).await
    }

    /// The address to which the payment service sends the notifications of an operation.
    pub(crate) async fn callback(&self, number: &str) -> Result<String> {
        let path = format!("/sandbox/operations/{number}");
        let operation = self.control(Method::GET, &path).await?;
        let start = operation.find(&format!("{}/notifications/", self.base));
        let text = &operation[start.context("no address for notifications")?..];
        Ok(text.chars().take_while(|letter| *letter != '"').collect())
    }

    /// The events that the shop got.
    pub(crate) fn events(&self) -> Vec<Value> {
        let deliveries = self.receiver.deliveries();
        deliveries.iter().map(Delivery::event).collect()
    }
}
