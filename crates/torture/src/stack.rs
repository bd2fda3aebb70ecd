//! The server, the payment service and a receiver of events, on sockets of this process.

use crate::answer::{Answer, cookie, read, send};
use crate::api_key;
use crate::payer::{MERCHANT, Payer};
use crate::receiver::{Delivery, EVENTS_SECRET, Receiver};
use crate::request::Request;
use crate::service::{Service, TOKEN};
use anyhow::{Context as _, Result};
use axum::Router;
use clap::Parser as _;
use merchant_backend::{Backend, Config, Settings, app_with, hash_password};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// The name of the server's file.
const DATABASE: &str = "torture.db";
/// A member of staff who may look and do nothing else.
pub(crate) const VIEWER: &str = "viewer";
/// A member of staff who may cancel and refund.
pub(crate) const CLERK: &str = "clerk";
/// Another one who may, for what takes two.
pub(crate) const SECOND_CLERK: &str = "second-clerk";
/// Another one who may only look, so that somebody can sign in and out while the others stay.
pub(crate) const APPRENTICE: &str = "apprentice";
/// The password of all.
pub(crate) const STAFF_PASSWORD: &str = "a password of the torture";
/// The secret with which the shop signs orders.
pub(crate) const ORDERS_SECRET: &str = "torture-orders-0123456789abcdef01234";
/// Pages of another origin that may call the server.
const OTHER_PAGES: &str = "https://pages.example";
/// The page to which a lender sends a payer back.
pub(crate) const SHOP_PAGE: &str = "https://shop.example";
/// The longest that a status request is held.
const LONGEST_POLL: Duration = Duration::from_secs(10);

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
    client: Client,
    base: String,
    service: Service,
    receiver: Receiver,
    backend: Backend,
    router: Router,
    directory: TempDir,
}

impl Stack {
    /// Starts the three on free ports of the loopback, with a fresh database, without limits on the number of requests,
    /// and with a change of the server's configuration.
    ///
    /// # Errors
    /// A socket or the database cannot be opened.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Config) + Send) -> Result<Self> {
        // The error only says that a provider is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let service = Service::start_with(|_| {}).await?;
        let receiver = Receiver::start(0).await?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let base = format!("http://{}/api", listener.local_addr()?);
        let directory = tempfile::tempdir()?;
        let database = directory.path().join(DATABASE);
        let staff_file = directory.path().join("staff.toml");
        std::fs::write(&staff_file, accounts()?)?;
        let flags = [
            ("public-url", base.clone()),
            ("database", database.display().to_string()),
            ("payment-url", service.url.clone()),
            ("payment-token", TOKEN.to_owned()),
            ("staff-file", staff_file.display().to_string()),
            ("merchant-code", MERCHANT.to_owned()),
            ("cookie-key", "0123456789abcdef0123456789abcdef".to_owned()),
            ("redirect-allow", SHOP_PAGE.to_owned()),
            ("events-url", receiver.url.clone()),
            ("events-secret", EVENTS_SECRET.to_owned()),
            ("orders-secret", ORDERS_SECRET.to_owned()),
            ("cors-origins", OTHER_PAGES.to_owned()),
        ];
        let flags = flags.map(|(name, value)| format!("--{name}={value}"));
        let settings = Settings::parse_from(std::iter::once("server".to_owned()).chain(flags));
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
            client: Client::builder().build()?,
            base,
            service,
            receiver,
            backend,
            router,
            directory,
        })
    }

    /// Stops the server as a signal would.
    pub(crate) async fn stop(&self) {
        self.backend.stop().await;
    }

    /// The address of the server as others know it, with `/api`.
    #[must_use]
    pub(crate) fn public_url(&self) -> &str {
        &self.base
    }

    /// The host and the port of the server.
    #[must_use]
    pub(crate) fn authority(&self) -> &str {
        let without_scheme = self.base.trim_start_matches("http://");
        without_scheme.trim_end_matches("/api")
    }

    /// Sends a request to the server without a socket, from the address that the request names.
    ///
    /// # Errors
    /// HTTP has no such request, or the answer breaks off.
    pub(crate) async fn send(&self, request: &Request) -> Result<Answer> {
        request.send(&self.router).await
    }

    /// Makes a key for a program of the shop, and returns its secret.
    ///
    /// # Errors
    /// The database cannot be used, or has a key of this name.
    pub(crate) async fn api_key(&self, name: &str, permissions: &[&str]) -> Result<String> {
        api_key::make(&self.directory.path().join(DATABASE), name, permissions).await
    }

    /// Signs a member of staff in, and returns the cookie.
    ///
    /// # Errors
    /// The server refuses the account.
    pub(crate) async fn sign_in(&self, name: &str) -> Result<String> {
        let body = json!({"name": name, "password": STAFF_PASSWORD});
        let request = self.client.post(format!("{}/staff/session", self.base));
        cookie(&send(request, Some(&body)).await?)
    }

    /// Makes an order in a browser of its own.
    ///
    /// # Errors
    /// The shop refuses it.
    pub(crate) async fn payer(&self) -> Result<Payer> {
        let body = json!({"items": [{"sku": "cafe-250", "quantity": 2}]});
        let request = self.client.post(format!("{}/orders", self.base));
        let answer = send(request, Some(&body)).await?;
        let cookie = cookie(&answer)?;
        let order = read(answer).await?;
        let order_id = order["order_id"].as_str().context("no order id")?;
        Ok(Payer {
            client: self.client.clone(),
            base: self.base.clone(),
            cookie,
            order_id: order_id.to_owned(),
        })
    }

    /// Sends a request to the control interface of the payment service.
    ///
    /// # Errors
    /// It is refused.
    pub(crate) async fn control(&self, method: Method, path: &str) -> Result<String> {
        self.service.control(method, path).await
    }

    /// Every request that the payment service got.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub(crate) async fn journal(&self) -> Result<Vec<Value>> {
        self.journal_after(0).await
    }

    /// The requests that the payment service got after the one of this number.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub(crate) async fn journal_after(&self, number: u64) -> Result<Vec<Value>> {
        let path = format!("/sandbox/journal?after={number}");
        let text = self.control(Method::GET, &path).await?;
        let entries = text.lines().map(serde_json::from_str);
        Ok(entries.collect::<Result<_, _>>()?)
    }

    /// The address to which the payment service sends the notifications of an operation.
    ///
    /// # Errors
    /// The operation does not exist.
    pub(crate) async fn callback(&self, number: &str) -> Result<String> {
        let path = format!("/sandbox/operations/{number}");
        let operation = self.control(Method::GET, &path).await?;
        let start = operation.find(&format!("{}/notifications/", self.base));
        let text = &operation[start.context("no address for notifications")?..];
        Ok(text.chars().take_while(|letter| *letter != '"').collect())
    }

    /// The events that the shop got.
    #[must_use]
    pub(crate) fn events(&self) -> Vec<Value> {
        let deliveries = self.receiver.deliveries();
        deliveries.iter().map(Delivery::event).collect()
    }
}

/// The staff file. The hash of the password is made once, since it takes long on purpose.
pub(crate) fn accounts() -> Result<String> {
    static HASH: LazyLock<Result<String, String>> = LazyLock::new(|| hash_password(STAFF_PASSWORD));
    let hash = HASH.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
    let account = |(name, permissions): (&str, &str)| {
        format!(
            "[[account]]\nname = \"{name}\"\npassword_hash = \"{hash}\"\npermissions = [{permissions}]\n"
        )
    };
    let may = "\"cancel\", \"refund\"";
    let all = [
        (VIEWER, ""),
        (APPRENTICE, ""),
        (CLERK, may),
        (SECOND_CLERK, may),
    ];
    Ok(all.map(account).concat())
}
