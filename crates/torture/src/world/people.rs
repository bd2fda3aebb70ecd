//! The people of a world: payers, staff, programs of the shop, and whoever operates the server.

use super::settings::{MERCHANT, PUBLIC_URL, STAFF, STAFF_PASSWORD};
use super::shop::ORDER_KEY;
use super::stage::World;
use anyhow::{Context as _, Result, ensure};
use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{Method, Request};
use serde_json::{Value, json};

/// The names of two API keys of the shop.
const API_KEYS: [&str; 2] = ["first", "second"];

/// What people keep that let themselves into the server before the story begins.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    /// The cookies of [`STAFF`].
    pub(super) staff: Vec<String>,
    /// The secrets of [`API_KEYS`].
    pub(super) programs: Vec<String>,
}

impl Keys {
    /// Signs staff in, and makes the keys of programs.
    pub(super) async fn make(world: &World) -> Result<Self> {
        let mut staff = Vec::new();
        for (name, _) in STAFF {
            staff.push(sign_in(world, name).await?);
        }
        let mut programs = Vec::new();
        for name in API_KEYS {
            programs.push(api_key(world, name).await?);
        }
        Ok(Self { staff, programs })
    }
}

/// Signs a member of staff in, and returns the cookie.
pub(super) async fn sign_in(world: &World, name: &str) -> Result<String> {
    let body = json!({"name": name, "password": STAFF_PASSWORD});
    let request = request(Method::POST, "/staff/session", Some(&body));
    let answer = world.asked(request).await.context("no session")?;
    ensure!(!answer.cookie().is_empty(), "{answer}");
    Ok(answer.cookie().to_owned())
}

/// Makes an API key that may do everything.
pub(super) async fn api_key(world: &World, name: &str) -> Result<String> {
    let name = format!("--name={name}");
    let words = ["key", "new", &name, "--may=order,read,cancel,refund,resend"];
    Ok(world.command(&words).await?.trim().to_owned())
}

/// A request to an address of the server under `/api`.
pub(super) fn request(method: Method, path: &str, body: Option<&Value>) -> Request<Bytes> {
    let request = Request::builder().method(method);
    let request = request
        .uri(format!("/api{path}"))
        .header(HOST, "pay.localhost");
    let request = match body {
        Some(body) => request
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string().into()),
        None => request.body(Bytes::new()),
    };
    request.unwrap_or_default()
}

fn with(mut request: Request<Bytes>, name: &'static str, value: &str) -> Request<Bytes> {
    if let Ok(value) = value.parse() {
        request.headers_mut().insert(name, value);
    }
    request
}

/// Asks for a payment of an order.
pub(super) fn begin(
    order_id: &str,
    cookie: &str,
    method: &str,
    key: &str,
    replaces: Option<&str>,
) -> Request<Bytes> {
    let details = match method {
        "INSTALLMENT" => json!({"redirect_url": "https://shop.example/"}),
        _ => json!({}),
    };
    let body = json!({"order_id": order_id, "order_key": ORDER_KEY,
        "payment_method": {"method_name": method, "method_details": details}});
    let request = request(Method::POST, "/charges", Some(&body));
    let request = with(request, "idempotency-key", &format!("\"{key}\""));
    let request = with_cookie(request, cookie);
    match replaces {
        Some(number) => with(request, "checkout-replaces", &format!("\"{number}\"")),
        None => request,
    }
}

/// A payer's question about an operation, or the request to cancel it.
pub(super) fn about(method: Method, number: &str, cookie: &str) -> Request<Bytes> {
    let end = if method == Method::GET { "/-" } else { "" };
    let path = format!("/charges/{MERCHANT}/{number}{end}");
    with_cookie(request(method, &path, None), cookie)
}

pub(super) fn with_cookie(request: Request<Bytes>, cookie: &str) -> Request<Bytes> {
    if cookie.is_empty() {
        return request;
    }
    with(request, "cookie", cookie)
}

/// A request of a program of the shop.
pub(super) fn program(
    secret: &str,
    method: Method,
    path: &str,
    key: Option<&str>,
    body: Option<&Value>,
) -> Request<Bytes> {
    let request = request(method, &format!("/shop{path}"), body);
    let request = with(request, "authorization", &format!("Bearer {secret}"));
    match key {
        Some(key) => with(request, "idempotency-key", &format!("\"{key}\"")),
        None => request,
    }
}

/// A request of a member of staff.
pub(super) fn staff(
    cookie: &str,
    method: Method,
    path: &str,
    key: Option<&str>,
    body: Option<&Value>,
) -> Request<Bytes> {
    let request = with_cookie(request(method, &format!("/staff{path}"), body), cookie);
    match key {
        Some(key) => with(request, "idempotency-key", &format!("\"{key}\"")),
        None => request,
    }
}

/// A form of the server's own page.
pub(super) fn form(path: &str, fields: &[(&str, &str)]) -> Request<Bytes> {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    let request = Request::post(format!("/api/pay{path}")).header(HOST, "pay.localhost");
    let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let request = request.header("origin", PUBLIC_URL.trim_end_matches("/api"));
    request.body(body.finish().into()).unwrap_or_default()
}
