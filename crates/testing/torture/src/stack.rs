//! The server, the payment service and a receiver of events, on sockets of this process.

use crate::answer::Answer;
use crate::calls;
use crate::receiver::{Delivery, Receiver};
use crate::request::Request;
use crate::service::Service;
use crate::settings::{accounts, settings};
use anyhow::{Context as _, Result};
use axum::Router;
use merchant_backend::simulation::carry_out;
use merchant_backend::{Backend, Config, Settings, app_with};
use reqwest::Method;
use serde_json::Value;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// Pages of another origin that may call the server.
const OTHER_PAGES: &str = "https://pages.example";
/// The longest that a status request is held.
const LONGEST_POLL: Duration = Duration::from_secs(10);
const STAFF_FILE: &str = "staff.toml";

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
    pub(crate) service: Service,
    receiver: Receiver,
    backend: Backend,
    router: Router,
    /// Has the database and the staff file.
    folder: TempDir,
}

/// The settings with further words of the command line.
fn settings_in<'a>(
    folder: &Path,
    base: &str,
    service: &Service,
    receiver: &Receiver,
    words: impl IntoIterator<Item = &'a str>,
) -> Settings {
    let (database, staff) = (folder.join("torture.db"), folder.join(STAFF_FILE));
    let mut more = vec![
        format!("--events-url={}", receiver.url),
        format!("--cors-origins={OTHER_PAGES}"),
    ];
    more.extend(words.into_iter().map(str::to_owned));
    settings(base, &database, &service.url, &staff, &more)
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
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join(STAFF_FILE), accounts()?)?;
        let settings = settings_in(folder.path(), &base, &service, &receiver, []);
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
            folder,
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

    /// Makes a key for a program of the shop by the server's own command, and returns its secret.
    pub(crate) async fn api_key(&self, name: &str, permissions: &str) -> Result<String> {
        let words = [&format!("--name={name}"), &format!("--may={permissions}")];
        let words = ["key", "new"].into_iter().chain(words.map(String::as_str));
        let folder = self.folder.path();
        let settings = settings_in(folder, &self.base, &self.service, &self.receiver, words);
        let made = carry_out(&settings).await.map_err(anyhow::Error::msg)?;
        Ok(made.trim().to_owned())
    }

    /// Signs a member of staff in, and returns the cookie.
    pub(crate) async fn sign_in(&self, name: &str) -> Result<String> {
        let answer = self.send(&calls::sign_in(name)).await?.success()?;
        Ok(answer.cookie().to_owned())
    }

    /// The address to which the payment service sends the notifications of an operation.
    pub(crate) async fn callback(&self, number: &str) -> Result<String> {
        let path = format!("/sandbox/operations/{number}");
        let operation = self.service.control(Method::GET, &path).await?;
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
