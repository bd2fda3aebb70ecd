//! A sandbox and a backend on sockets of their own.

use crate::support::accounts::accounts;
use crate::support::database;
use crate::support::fault::Fault;
use crate::support::payer::Payer;
use axum::Router;
use clap::Parser;
use merchant_backend::{Backend, Config, Settings, app_with};
use payment_sandbox::{Sandbox, Setup};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tokio::task::JoinHandle;

pub(crate) const TOKEN: &str = "canary-access-token";
pub(crate) const EVENTS_SECRET: &str = "canary-events-0123456789abcdef0123";
pub(crate) const ORDERS_SECRET: &str = "canary-orders-0123456789abcdef0123";
pub(crate) const MERCHANT: &str = "shop-1";

/// A test's change to the configuration.
pub(crate) type Change = fn(&mut Config);

pub(crate) struct Stack {
    pub(crate) directory: TempDir,
    /// The address of its database.
    pub(crate) database: String,
    pub(crate) sandbox: String,
    pub(crate) client: Client,
    address: SocketAddr,
    listener: TcpListener,
    pub(crate) change: Change,
    /// The address that takes events.
    pub(crate) events_url: Option<String>,
    /// The text of a file of further receivers of events.
    pub(crate) receivers: Option<String>,
    /// The address at which the shop tells orders.
    pub(crate) orders_url: Option<String>,
    /// The secret that the shop and the server share.
    pub(crate) orders_secret: Option<String>,
    running: Option<(Backend, JoinHandle<()>)>,
}

impl Stack {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub(crate) async fn start_with(change: Change) -> Self {
        // The client panics without one; a second call finds it in place.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let sandbox = start_sandbox().await;
        let (listener, address) = listen();
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("token"), TOKEN).unwrap();
        std::fs::write(directory.path().join("staff.toml"), accounts()).unwrap();
        let client = Client::builder().pool_max_idle_per_host(0);
        let database = database::fresh(directory.path()).await;
        let mut stack = Self {
            directory,
            database,
            sandbox,
            client: client.build().unwrap(),
            address,
            listener,
            change,
            events_url: None,
            receivers: None,
            orders_url: None,
            orders_secret: None,
            running: None,
        };
        stack.run().await;
        stack
    }

    /// Starts a stack whose orders come from a shop: signed, or told at an address.
    pub(crate) async fn start_for_shop(orders_url: Option<&str>) -> Self {
        let mut stack = Self::start().await;
        stack.stop().await;
        stack.orders_secret = Some(ORDERS_SECRET.to_owned());
        stack.orders_url = orders_url.map(str::to_owned);
        stack.run().await;
        stack
    }

    /// Starts a stack that sends its events to an address, with short pauses.
    pub(crate) async fn start_telling(url: &str) -> Self {
        Self::start_telling_all(Some(url), None).await
    }

    /// Starts a stack that sends its events to an address, and to the receivers of a file.
    pub(crate) async fn start_telling_all(url: Option<&str>, receivers: Option<&str>) -> Self {
        let mut stack = Self::start_with(|config| {
            config.timing.event_pause = Duration::from_millis(100);
            config.timing.event_timeout = Duration::from_millis(500);
        })
        .await;
        stack.stop().await;
        stack.events_url = url.map(str::to_owned);
        stack.receivers = receivers.map(str::to_owned);
        stack.run().await;
        stack
    }

    pub(crate) async fn run(&mut self) {
        let mut config = Config::read(&self.settings()).unwrap();
        config.timing.query_interval = Duration::from_millis(200);
        config.timing.result_interval = Duration::from_millis(200);
        config.release_after = Duration::ZERO;
        config.timing.observed = Duration::ZERO;
        // All of a test's payers come from one address.
        config.orders_per_minute = 10_000;
        (self.change)(&mut config);
        let backend = Backend::start(config).await.unwrap();
        let router = router(&backend).into_make_service_with_connect_info::<SocketAddr>();
        let listener = self.listener.try_clone().unwrap();
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        self.running = Some((backend, server));
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings_in(&self.database)
    }

    /// The settings with another database.
    pub(crate) fn settings_in(&self, database: &str) -> Settings {
        self.parse(database, &[])
    }

    /// The settings of a command beside the server.
    pub(crate) fn settings_for(&self, words: &[&str]) -> Settings {
        self.parse(&self.database, words)
    }

    fn parse(&self, database: &str, words: &[&str]) -> Settings {
        let file = |name: &str| self.directory.path().join(name).display().to_string();
        let receivers = self.receivers.as_ref().map(|text| {
            std::fs::write(self.directory.path().join("receivers.toml"), text).unwrap();
            file("receivers.toml")
        });
        let flags = [
            ("public-url", Some(format!("http://{}/api", self.address))),
            ("database", Some(database.to_owned())),
            ("payment-url", Some(self.sandbox.clone())),
            ("payment-token-file", Some(file("token"))),
            ("staff-file", Some(file("staff.toml"))),
            // Most tests are about other things than the second factor.
            ("staff-second-factor", Some("optional".to_owned())),
            ("merchant-code", Some(MERCHANT.to_owned())),
            (
                "cookie-key",
                Some("0123456789abcdef0123456789abcdef".to_owned()),
            ),
            (
                "redirect-allow",
                Some("https://shop.example http://127.0.0.1:8080/back".to_owned()),
            ),
            ("events-url", self.events_url.clone()),
            ("event-receivers-file", receivers),
            ("orders-url", self.orders_url.clone()),
            ("orders-secret", self.orders_secret.clone()),
            ("events-secret", Some(EVENTS_SECRET.to_owned())),
            ("cors-origins", Some("https://pages.example".to_owned())),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(name, value)| Some(format!("--{name}={}", value?)));
        let words = words.iter().copied().map(str::to_owned);
        let program = std::iter::once("server".to_owned());
        Settings::parse_from(program.chain(flags).chain(words))
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}/api", self.address)
    }

    /// The file of its database, in a test that is about files.
    pub(crate) fn file(&self) -> PathBuf {
        PathBuf::from(&self.database)
    }

    pub(crate) fn backend(&self) -> &Backend {
        &self.running.as_ref().unwrap().0
    }

    /// Stops the backend as a signal would and starts it again on the same file.
    pub(crate) async fn restart(&mut self) {
        self.stop().await;
        self.run().await;
    }

    /// Starts it again with other settings.
    pub(crate) async fn change_to(&mut self, change: Change) {
        self.change = change;
        self.restart().await;
    }

    pub(crate) async fn stop(&mut self) {
        let (backend, server) = self.running.take().unwrap();
        backend.stop().await;
        server.abort();
        let _ = server.await;
    }

    /// A browser that has no order yet.
    pub(crate) fn browser(&self) -> Payer {
        Payer::new(&self.client, &self.base())
    }

    pub(crate) async fn payer(&self) -> Payer {
        Payer::order(&self.client, &self.base()).await
    }

    /// Sets the one fault of the payment service.
    pub(crate) async fn with_fault(&self, fault: Fault) {
        self.with_faults([fault]).await;
    }

    /// Sets the faults of the payment service. The first that matches a request happens.
    pub(crate) async fn with_faults(&self, faults: impl IntoIterator<Item = Fault>) {
        let faults = faults.into_iter().map(|fault| fault.json()).collect();
        self.control(Method::PUT, "/sandbox/faults", Some(faults))
            .await;
    }

    /// Removes the faults of the payment service.
    pub(crate) async fn without_faults(&self) {
        self.with_faults([]).await;
    }

    /// Moves an operation on at the service.
    pub(crate) async fn drive(&self, number: &str, step: &str) {
        let path = format!("/sandbox/operations/{number}/{step}");
        self.control(Method::POST, &path, None).await;
    }

    /// Lets a payment arrive for an operation that was given up.
    pub(crate) async fn pay_late(&self, number: &str) {
        let path = format!("/sandbox/operations/{number}/pay");
        self.control(Method::POST, &path, Some(json!({"late": true})))
            .await;
    }

    pub(crate) async fn control(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let url = format!("{}{path}", self.sandbox);
        let mut request = self.client.request(method, url);
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body.to_string());
        }
        let response = request.send().await.unwrap();
        let (status, text) = (response.status(), response.text().await.unwrap());
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    /// The requests that the payment service saw, with this method, at `/charges…`.
    pub(crate) async fn seen(&self, method: &str) -> Vec<Value> {
        self.seen_at(method, "/charges").await
    }

    /// The payment service's requests at addresses with this beginning.
    pub(crate) async fn seen_at(&self, method: &str, path: &str) -> Vec<Value> {
        let url = format!("{}/sandbox/journal", self.sandbox);
        let text = self
            .client
            .get(url)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        let entries = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let wanted = |entry: &Value| {
            entry["method"] == method && entry["path"].as_str().unwrap().starts_with(path)
        };
        entries.filter(wanted).collect()
    }

    /// The service's own view of an operation.
    pub(crate) async fn state_of(&self, number: &str) -> String {
        let operation = self
            .control(Method::GET, &format!("/sandbox/operations/{number}"), None)
            .await;
        let operation = operation.get("operation").cloned().unwrap_or(operation);
        operation["state"].as_str().unwrap().to_owned()
    }
}

/// The server with the demo shop's routes, which make the tests' orders.
pub(crate) fn router(backend: &Backend) -> Router {
    app_with(backend, demo_shop::routes(&backend.orders()).unwrap())
}

fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

async fn start_sandbox() -> String {
    let (listener, address) = listen();
    let url = format!("http://{address}");
    let mut setup = Setup::new(TOKEN, url.clone());
    setup.retry_pauses = vec![Duration::from_millis(50); 3];
    let sandbox = Sandbox::new(setup);
    tokio::spawn(sandbox.clone().run());
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    tokio::spawn(async move { axum::serve(listener, payment_sandbox::app(sandbox)).await });
    url
}
