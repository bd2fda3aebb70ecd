use crate::support::Harness;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use std::net::SocketAddr;

#[tokio::test]
async fn a_wrong_request_is_refused_by_the_name_of_its_field() {
    let harness = Harness::new();
    for (method, path, body, named) in [
        ("PUT", "/faults", json!([{"kind": "explode"}]), "kind"),
        (
            "PUT",
            "/faults",
            json!([{"kind": "drop"}, {"kind": "delay"}]),
            "[1].ms",
        ),
        (
            "PUT",
            "/faults",
            json!([{"kind": "drop", "times": 0}]),
            "times",
        ),
        (
            "PUT",
            "/faults",
            json!([{"kind": "drop", "times": "2"}]),
            "times",
        ),
        (
            "PUT",
            "/faults",
            json!([{"kind": "drop", "tmies": 2}]),
            "tmies",
        ),
        (
            "PUT",
            "/faults",
            json!([{"kind": "drop", "when": "later"}]),
            "when",
        ),
        ("PUT", "/faults", json!([{"kind": "status"}]), "status"),
        (
            "PUT",
            "/faults",
            json!([{"kind": "status", "status": 99}]),
            "status",
        ),
        (
            "PUT",
            "/faults",
            json!([{"kind": "unknown_state", "when": "before"}]),
            "when",
        ),
        (
            "PUT",
            "/faults",
            json!([{"kind": "replace", "pointer": "x"}]),
            "pointer",
        ),
        (
            "PUT",
            "/faults",
            json!([{"kind": "drop", "then": [{"kind": "drop", "times": 0}]}]),
            "[0].then[0].times",
        ),
        ("PUT", "/faults", json!([{"method": "GET"}]), "kind"),
        ("PUT", "/faults", json!({}), "sequence"),
        ("PUT", "/clock", json!({"offset_s": "1"}), "offset_s"),
        ("PUT", "/clock", json!({"offset_s": i64::MAX}), "offset_s"),
        ("PUT", "/clock", json!({}), "offset_s"),
        (
            "PUT",
            "/settings",
            json!({"qr_expires_in_s": 0}),
            "qr_expires_in_s",
        ),
        ("PUT", "/settings", json!({"qr_expires": 1}), "qr_expires"),
        ("PUT", "/settings", json!({"token": " "}), "token"),
        ("POST", "/operations", json!({"amount": "1.5"}), "amount"),
        (
            "POST",
            "/operations",
            json!({"expires_in_s": 0}),
            "expires_in_s",
        ),
        ("POST", "/operations", json!({"number": "1"}), "number"),
    ] {
        let reply = harness.control(method, path, &body).await;
        assert_eq!(reply.status, 400, "{path} {body} gave {}", reply.text);
        let error = reply.at("/error");
        assert!(
            error.as_str().unwrap().contains(named),
            "{path} {body} gave {error}"
        );
    }
}

#[tokio::test]
async fn a_wrong_address_is_refused_in_a_sentence() {
    let harness = Harness::new();
    for (method, path, expected) in [
        ("GET", "/nothing", 404),
        ("GET", "", 404),
        ("DELETE", "/faults", 405),
        ("GET", "/operations/unknown", 404),
        ("GET", "/journal?since=1", 400),
        ("GET", "/journal?after=x", 400),
    ] {
        let reply = harness.control(method, path, &Value::Null).await;
        assert_eq!(reply.status, expected, "{method} {path}");
        assert!(reply.at("/error").is_string(), "{method} {path}");
    }
}

#[tokio::test]
async fn a_number_of_two_merchants_needs_its_merchant() {
    let harness = Harness::new();
    for merchant in ["one", "two"] {
        let request = json!({"merchant_code": merchant, "merchant_operation_number": "1"});
        assert_eq!(
            harness
                .control("POST", "/operations", &request)
                .await
                .status,
            201
        );
        let again = harness.control("POST", "/operations", &request).await;
        assert_eq!(again.status, 409);
    }
    assert_eq!(harness.drive("1", "pay").await.status, 409);
    assert_eq!(
        harness.drive("1", "pay?merchant_code=two").await.status,
        200
    );
    let list = harness.control("GET", "/operations", &Value::Null).await;
    assert_eq!(list.at("/0/merchant_code"), "two");
    assert_eq!(list.at("/0/operation/state"), "AUTORIZADO");
    assert_eq!(list.at("/1/operation/state"), "PENDIENTE");
}

#[tokio::test]
async fn a_reset_begins_anew() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    harness.move_clock(60).await;
    harness.faults(json!([{"kind": "drop"}])).await;
    harness
        .control("PUT", "/settings", &json!({"qr_expires_in_s": 1}))
        .await;
    assert_eq!(
        harness.control("POST", "/reset", &Value::Null).await.status,
        204
    );
    assert!(harness.journal().await.is_empty());
    let expiration = "/transaction/expiration_date/unix_time";
    let reply = harness.authorize("1", "QR").await;
    assert_eq!(reply.at(expiration), crate::support::NOON / 1000 + 900);
}

#[tokio::test]
async fn the_clock_is_moved_a_hundred_years_at_the_most() {
    let harness = Harness::new();
    for offset in [i64::MIN, -3_155_760_001, 3_155_760_001, i64::MAX] {
        let body = json!({"offset_s": offset});
        let reply = harness.control("PUT", "/clock", &body).await;
        assert_eq!(reply.status, 400, "{offset}");
    }
}

#[tokio::test]
async fn it_says_that_it_is_healthy() {
    assert_eq!(Harness::new().get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_page_of_another_site_drives_nothing() {
    let harness = Harness::new();
    harness.create("1", "QR", "PENDIENTE").await;
    let pay = async |site: &str| {
        let request = Request::post("/sandbox/operations/1/pay")
            .header("content-type", "text/plain")
            .header("sec-fetch-site", site)
            .body(Body::empty());
        harness.send(request.unwrap()).await.status
    };
    assert_eq!(pay("cross-site").await, StatusCode::FORBIDDEN);
    assert_eq!(harness.state("1").await, "PENDIENTE");
    // A page whose name leads to this machine is of the same site, and its requests come from here.
    let read = async |host: &str| {
        let request = Request::get("/sandbox/journal")
            .header("host", host)
            .extension(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 40_000))));
        harness
            .send(request.body(Body::empty()).unwrap())
            .await
            .status
    };
    assert_eq!(read("site.example:8082").await, StatusCode::FORBIDDEN);
    assert_eq!(read("127.0.0.1:8082").await, StatusCode::OK);
    // The demo's own pages are on another port of the same site.
    assert_eq!(pay("same-site").await, StatusCode::OK);
    assert_eq!(harness.state("1").await, "AUTORIZADO");
}
