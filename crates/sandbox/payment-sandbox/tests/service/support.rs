//! A sandbox with a clock of its own, called through its router or over a real socket.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, Request, StatusCode};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use payment_model::Timestamp;
use payment_sandbox::{Clock, Sandbox, Setup, app};
use qr_verdict::Read;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tower::ServiceExt;

pub(crate) const TOKEN: &str = "kept-secret";
pub(crate) const PUBLIC_URL: &str = "http://sandbox.test";
/// 2026-11-21T12:00:00Z.
pub(crate) const NOON: i64 = 1_795_262_400_000;

pub(crate) struct Harness {
    pub(crate) sandbox: Sandbox,
    app: Router,
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    /// The value at a JSON pointer, null when there is none.
    pub(crate) fn at(&self, pointer: &str) -> Value {
        self.json().pointer(pointer).cloned().unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn location(&self) -> &str {
        self.header(LOCATION.as_str())
    }
}

impl Harness {
    /// A sandbox whose time stands still at noon unless a test moves it.
    pub(crate) fn new() -> Self {
        let mut setup = Setup::new(TOKEN, PUBLIC_URL);
        setup.payees = [("shop".to_owned(), "Retama & Cumbre".to_owned())].into();
        setup.clock = Clock::new(|| Timestamp::from_millis(NOON));
        setup.retry_pauses = vec![Duration::ZERO; 3];
        let sandbox = Sandbox::new(setup);
        let app = app(sandbox.clone());
        Self { sandbox, app }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
        Reply {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    /// A request to the service, with every header that it wants.
    pub(crate) async fn service(&self, method: &str, path: &str, body: &Value) -> Reply {
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {TOKEN}"))
            .header("alg-api-version", "1709847567")
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        self.send(request.unwrap()).await
    }

    /// A request to the control interface.
    pub(crate) async fn control(&self, method: &str, path: &str, body: &Value) -> Reply {
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        let request = Request::builder()
            .method(method)
            .uri(format!("/sandbox{path}"))
            .body(body);
        self.send(request.unwrap()).await
    }

    /// A page for people.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Request::get(path).body(Body::empty()).unwrap())
            .await
    }

    /// A form that a person sends.
    pub(crate) async fn post(&self, path: &str) -> Reply {
        self.send(Request::post(path).body(Body::empty()).unwrap())
            .await
    }

    pub(crate) async fn authorize(&self, number: &str, method: &str) -> Reply {
        self.service("POST", "/charges", &authorize_body(number, method))
            .await
    }

    pub(crate) async fn cancel(&self, number: &str) -> Reply {
        self.service("DELETE", &format!("/charges/shop/{number}"), &Value::Null)
            .await
    }

    pub(crate) async fn query(&self, number: &str, transaction_id: &str) -> Reply {
        let path = format!("/charges/shop/{number}/{transaction_id}");
        self.service("GET", &path, &Value::Null).await
    }

    /// The state of an operation, as the control interface shows it.
    pub(crate) async fn state(&self, number: &str) -> String {
        let reply = self
            .control("GET", &format!("/operations/{number}"), &Value::Null)
            .await;
        reply
            .at("/operation/transactions/0/state")
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Creates an operation through the control interface, of merchant `shop`.
    pub(crate) async fn create(&self, number: &str, method: &str, state: &str) -> Reply {
        let request = json!({"merchant_code": "shop", "merchant_operation_number": number,
            "method_name": method, "state": state});
        let reply = self.control("POST", "/operations", &request).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text);
        reply
    }

    pub(crate) async fn drive(&self, number: &str, step: &str) -> Reply {
        self.control(
            "POST",
            &format!("/operations/{number}/{step}"),
            &Value::Null,
        )
        .await
    }

    pub(crate) async fn move_clock(&self, offset_s: i64) {
        let reply = self
            .control("PUT", "/clock", &json!({"offset_s": offset_s}))
            .await;
        assert_eq!(reply.status, StatusCode::OK);
    }

    pub(crate) async fn faults(&self, faults: Value) {
        let reply = self.control("PUT", "/faults", &faults).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    }

    pub(crate) async fn journal(&self) -> Vec<Value> {
        let lines = self.control("GET", "/journal", &Value::Null).await.text;
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The sandbox on a real socket.
    pub(crate) async fn listen(&self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = self.app.clone();
        tokio::spawn(async move { axum::serve(listener, app).await });
        address
    }
}

/// Reads the picture of an authorization's QR, as a phone does.
pub(crate) fn read_qr(authorized: &Reply) -> Read {
    let image = authorized.at("/transaction/processor_response/qr_image");
    let base64 = image
        .as_str()
        .unwrap()
        .strip_prefix("data:image/png;base64,");
    let file = BASE64_STANDARD.decode(base64.unwrap()).unwrap();
    qr_verdict::read(&file, Instant::now() + Duration::from_secs(60))
}

/// What the QR of an authorization says.
pub(crate) fn scan(authorized: &Reply) -> String {
    match read_qr(authorized) {
        Read::Contents(contents) if contents.len() == 1 => contents[0].clone(),
        other => panic!("{other:?} is not one content"),
    }
}

pub(crate) fn person() -> Value {
    json!({"first_name": "Canary", "last_name": "Quispe", "email": "canary@example.com",
        "phone": {"country_code": "51", "subscriber": "999888777"},
        "location": {"line_1": "Calle Canary 1", "city": "Lima", "country": "PE"}})
}

/// A body of `POST /charges` that is right.
pub(crate) fn authorize_body(number: &str, method: &str) -> Value {
    json!({
        "action": "authorize", "channel": "ecommerce", "merchant_code": "shop",
        "merchant_operation_number": number,
        "payment_method": {"method_name": method, "method_details": {
            "redirect_url": "https://shop.example/return?order=7"}},
        "payment_details": {"amount": "12990", "currency": "PEN", "billing": person(),
            "shipping": person(), "customer": person(), "product_details": []},
    })
}
