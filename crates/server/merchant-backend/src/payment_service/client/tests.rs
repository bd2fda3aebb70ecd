use super::{Service, ServiceAccess, ServiceError, TokenSource};
use crate::metrics::Metrics;
use crate::send_window::SendWindow;
use axum::Router;
use axum::http::{Request, StatusCode};
use payment_model::{AuthorizeRequest, RefundRequest, TransactionId};
use payment_rules::operation::OperationKey;
use payment_rules::service_answers::AcceptedCodes;
use reqwest::header::HeaderValue;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn service(base: &str, facilitator: Option<&'static str>) -> Service {
    let token = Arc::new(TokenSource::Fixed("token".into()));
    let version = HeaderValue::from_static("1");
    let facilitator = facilitator.map(HeaderValue::from_static);
    let timeout = Duration::from_secs(1);
    let base = base.parse().unwrap();
    let access = ServiceAccess {
        base,
        version,
        facilitator,
        token,
        accepted: AcceptedCodes::read(AcceptedCodes::DEFAULT).unwrap(),
        is_told_traces: false,
    };
    Service::new(access, timeout, 100, Metrics::default()).unwrap()
}

/// A service that answers every request with 500, and records the requests that name a payment
/// facilitator.
async fn listener(named: Arc<Mutex<Vec<String>>>) -> String {
    let note = async move |request: Request<axum::body::Body>| {
        if let Some(code) = request.headers().get("payment-facilitator-code") {
            let (method, path) = (request.method(), request.uri().path());
            let line = format!("{method} {path} {}", code.to_str().unwrap());
            named.lock().unwrap().push(line);
        }
        StatusCode::INTERNAL_SERVER_ERROR
    };
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let app = Router::new().fallback(note);
    tokio::spawn(async move { axum::serve(socket, app).await });
    format!("http://{address}")
}

fn authorization() -> AuthorizeRequest {
    serde_json::from_value(serde_json::json!({
        "action": "authorize", "channel": "ecommerce", "merchant_code": "m",
        "merchant_operation_number": "1",
        "payment_method": {"method_name": "QR", "method_details": {}},
        "payment_details": {"amount": "1", "currency": "PEN", "billing": {}, "shipping": {},
            "customer": {}, "product_details": []},
    }))
    .unwrap()
}

#[tokio::test]
async fn a_request_that_moves_money_leaves_in_its_time_or_not_at_all() {
    let named = Arc::new(Mutex::new(Vec::new()));
    let service = service(&listener(Arc::clone(&named)).await, Some("F7"));
    let key = OperationKey::new("m", "1");
    let request = RefundRequest {
        merchant_code: "m".into(),
        operations: Vec::new(),
    };
    let late = SendWindow::ago(Duration::from_secs(3));
    let not_sent = |error| matches!(error, ServiceError::NotSent(_));
    assert!(service.cancel(&key, late).await.is_err_and(not_sent));
    assert!(service.refund(&request, late).await.is_err_and(not_sent));
    let request = authorization();
    let sent = service.authorize(&request, late);
    assert!(sent.await.is_err_and(not_sent));
    assert!(named.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_facilitator_is_named_on_refund_cancel_and_refund_query_only() {
    let named = Arc::new(Mutex::new(Vec::new()));
    let base = listener(Arc::clone(&named)).await;
    let key = OperationKey::new("m", "1");
    let request = RefundRequest {
        merchant_code: "m".into(),
        operations: Vec::new(),
    };
    for facilitator in [None, Some("F7")] {
        let service = service(&base, facilitator);
        assert!(service.query(&key, &TransactionId::new("t")).await.is_err());
        assert!(service.cancel(&key, SendWindow::open()).await.is_err());
        assert!(service.refund(&request, SendWindow::open()).await.is_err());
        assert!(service.query_refunds(&key).await.is_err());
        let request = authorization();
        let sent = service.authorize(&request, SendWindow::open());
        assert!(sent.await.is_err());
    }
    let expected = [
        "DELETE /charges/m/1 F7",
        "POST /refund F7",
        "GET /refund/m/1 F7",
    ];
    assert_eq!(*named.lock().unwrap(), expected);
}

#[tokio::test]
async fn no_value_reaches_another_endpoint() {
    let check = |value: &str, expected: Option<&str>| {
        let address = service("https://pay.example/v1/", None)
            .address(&["charges", value])
            .ok();
        let expected = expected.map(|path| format!("https://pay.example/v1/charges/{path}"));
        assert_eq!(address.map(String::from), expected, "{value:?}");
    };
    check("0123", Some("0123"));
    check("a/b", Some("a%2Fb"));
    check("../refund", Some("..%2Frefund"));
    check("%2e%2e", Some("%252e%252e"));
    check("a?b#c", Some("a%3Fb%23c"));
    check("a\\b", Some("a%5Cb"));
    check("a b", Some("a%20b"));
    check("a\r\n", None);
    check("..", None);
    check(".", None);
    check("", None);
    let bare = service("http://127.0.0.1:8082", None)
        .address(&["charges"])
        .unwrap();
    assert_eq!(bare.as_str(), "http://127.0.0.1:8082/charges");
}
