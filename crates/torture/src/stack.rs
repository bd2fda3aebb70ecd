//! The server, the payment service and a receiver of events, on sockets of this process.

use anyhow::{Context, Result, ensure};
use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use clap::Parser as _;
use merchant_backend::{Backend, Config, Settings, app_with, hash_password};
use payment_sandbox::{Sandbox, Setup};
use reqwest::header::{COOKIE, SET_COOKIE};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;

const TOKEN: &str = "torture-access-token";
const EVENTS_SECRET: &str = "torture-events-0123456789abcdef01234";
/// A member of staff who may look and do nothing else.
pub const STAFF: &str = "viewer";
/// The password of [`STAFF`].
pub const STAFF_PASSWORD: &str = "a password of the torture";
/// The longest that a status request is held.
const LONGEST_POLL: Duration = Duration::from_secs(10);
/// The merchant code of every operation.
pub const MERCHANT: &str = "shop-1";

/// The bodies of the events that the shop got, in the order of their arrival.
type Events = Arc<Mutex<Vec<Value>>>;

/// A running server with its payment service.
pub struct Stack {
    client: Client,
    base: String,
    sandbox: String,
    events: Events,
    backend: Backend,
    _directory: TempDir,
}

impl Stack {
    /// Starts the three on free ports of the loopback, with a fresh database and without limits on the
    /// number of requests.
    ///
    /// # Errors
    /// A socket or the database cannot be opened.
    pub async fn start() -> Result<Self> {
        // The error only says that a provider is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let sandbox = start_sandbox().await?;
        let events = Events::default();
        let events_url = start_receiver(Arc::clone(&events)).await?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let base = format!("http://{}/api", listener.local_addr()?);
        let directory = tempfile::tempdir()?;
        let database = directory.path().join("torture.db");
        let staff_file = directory.path().join("staff.toml");
        let hash = hash_password(STAFF_PASSWORD).map_err(anyhow::Error::msg)?;
        let account = format!("[[account]]\nname = \"{STAFF}\"\npassword_hash = \"{hash}\"\n");
        std::fs::write(&staff_file, account)?;
        let flags = [
            ("public-url", base.clone()),
            ("database", database.display().to_string()),
            ("payment-url", sandbox.clone()),
            ("payment-token", TOKEN.to_owned()),
            ("staff-file", staff_file.display().to_string()),
            ("merchant-code", MERCHANT.to_owned()),
            ("cookie-key", "0123456789abcdef0123456789abcdef".to_owned()),
            ("events-url", events_url),
            ("events-secret", EVENTS_SECRET.to_owned()),
        ];
        let flags = flags.map(|(name, value)| format!("--{name}={value}"));
        let settings = Settings::parse_from(std::iter::once("server".to_owned()).chain(flags));
        let mut config = Config::read(&settings)?;
        config.timing.orders_per_minute = u32::MAX;
        config.timing.starts_per_minute = u32::MAX;
        config.timing.authorizes_per_minute = u32::MAX;
        config.timing.longest_poll = LONGEST_POLL;
        config.timing.queries_per_second = 1_000;
        let backend = Backend::start(config).await?;
        let shop = demo_shop::routes(&backend.orders()).map_err(anyhow::Error::msg)?;
        let router = app_with(&backend, shop);
        serve(listener, router);
        Ok(Self {
            client: Client::builder().build()?,
            base,
            sandbox,
            events,
            backend,
            _directory: directory,
        })
    }

    /// Stops the server as a signal would.
    pub async fn stop(&self) {
        self.backend.stop().await;
    }

    /// The host and the port of the server.
    #[must_use]
    pub fn authority(&self) -> &str {
        let without_scheme = self.base.trim_start_matches("http://");
        without_scheme.trim_end_matches("/api")
    }

    /// Signs the member of staff in, and returns the cookie.
    ///
    /// # Errors
    /// The server refuses the account.
    pub async fn sign_in(&self) -> Result<String> {
        let body = json!({"name": STAFF, "password": STAFF_PASSWORD});
        let request = self.client.post(format!("{}/staff/session", self.base));
        cookie(&send(request, Some(&body)).await?)
    }

    /// Makes an order in a browser of its own.
    ///
    /// # Errors
    /// The shop refuses it.
    pub async fn payer(&self) -> Result<Payer> {
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
    pub async fn control(&self, method: Method, path: &str) -> Result<String> {
        let request = self
            .client
            .request(method, format!("{}{path}", self.sandbox));
        Ok(send(request, None).await?.text().await?)
    }

    /// Every request that the payment service got.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub async fn journal(&self) -> Result<Vec<Value>> {
        let text = self.control(Method::GET, "/sandbox/journal").await?;
        let entries = text.lines().map(serde_json::from_str);
        Ok(entries.collect::<Result<_, _>>()?)
    }

    /// Notifies the server of a change of an operation, as the payment service does.
    ///
    /// # Errors
    /// The operation has no address for notifications, or the server refuses the notification.
    pub async fn notify(&self, callback: &str) -> Result<()> {
        let request = self.client.post(callback);
        send(request, Some(&json!({}))).await.map(drop)
    }

    /// The address to which the payment service sends the notifications of an operation.
    ///
    /// # Errors
    /// The operation does not exist.
    pub async fn callback(&self, number: &str) -> Result<String> {
        let path = format!("/sandbox/operations/{number}");
        let operation = self.control(Method::GET, &path).await?;
        let start = operation.find(&format!("{}/notifications/", self.base));
        let text = &operation[start.context("no address for notifications")?..];
        Ok(text.chars().take_while(|letter| *letter != '"').collect())
    }

    /// The events that the shop got.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.clone()
    }
}

/// A browser with one order.
#[derive(Debug, Clone)]
pub struct Payer {
    client: Client,
    base: String,
    /// The session of the browser.
    pub cookie: String,
    /// The order that it pays.
    pub order_id: String,
}

impl Payer {
    /// Asks for a QR code, and returns the number of the operation.
    ///
    /// # Errors
    /// There is no code.
    pub async fn pay_by_qr(&self, key: &str) -> Result<String> {
        let method = json!({"method_name": "QR", "method_details": {}});
        let body = json!({"order_id": self.order_id, "payment_method": method});
        let request = self.client.post(format!("{}/charges", self.base));
        let request = request.header("idempotency-key", format!("\"{key}\""));
        let answer = send(request.header(COOKIE, &self.cookie), Some(&body)).await?;
        let answer = read(answer).await?;
        let number = answer["merchant_operation_number"].as_str();
        Ok(number.context("no operation")?.to_owned())
    }

    /// The state of an operation; the server may hold the question for so long.
    ///
    /// # Errors
    /// The server does not say it.
    pub async fn state(&self, number: &str, wait: Option<Duration>) -> Result<String> {
        let path = format!("{}/charges/{MERCHANT}/{number}/-", self.base);
        let mut request = self.client.get(path).header(COOKIE, &self.cookie);
        if let Some(wait) = wait {
            request = request.header("prefer", format!("wait={}", wait.as_secs()));
        }
        let answer = read(send(request, None).await?).await?;
        let state = answer["operation"]["transactions"][0]["state"].as_str();
        Ok(state.context("no state")?.to_owned())
    }
}

async fn send(request: reqwest::RequestBuilder, body: Option<&Value>) -> Result<Response> {
    let request = match body {
        Some(body) => request
            .header("content-type", "application/json")
            .body(body.to_string()),
        None => request,
    };
    let answer = request.send().await?;
    let (status, url) = (answer.status(), answer.url().path().to_owned());
    ensure!(status.is_success(), "{url} was answered with {status}");
    Ok(answer)
}

fn cookie(answer: &Response) -> Result<String> {
    let cookie = answer.headers().get(SET_COOKIE).context("no session")?;
    let cookie = cookie.to_str()?.split(';').next().unwrap_or_default();
    Ok(cookie.to_owned())
}

async fn read(answer: Response) -> Result<Value> {
    Ok(serde_json::from_str(&answer.text().await?)?)
}

fn serve(listener: TcpListener, router: Router) {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
}

async fn start_sandbox() -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let sandbox = Sandbox::new(Setup::new(TOKEN, url.clone()));
    tokio::spawn(sandbox.clone().run());
    serve(listener, payment_sandbox::app(sandbox));
    Ok(url)
}

async fn start_receiver(events: Events) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let take = async move |body: Bytes| {
        let event = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let mut events = events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push(event);
    };
    serve(listener, Router::new().route("/", post(take)));
    Ok(url)
}
