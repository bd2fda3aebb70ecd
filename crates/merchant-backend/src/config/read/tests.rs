use crate::config::{Config, Settings};
use std::time::Duration;

fn settings() -> Settings {
    Settings {
        public_url: Some("http://127.0.0.1:8081/api".to_owned()),
        database: Some("merchant.db".to_owned()),
        payment_url: Some("http://127.0.0.1:8082".to_owned()),
        payment_token: Some("canary-token".to_owned()),
        merchant_code: Some("demo-shop".to_owned()),
        cookie_key: Some("canary-0123456789abcdef0123456789".to_owned()),
        events_secret: Some("canary-0123456789abcdef0123456789".to_owned()),
        ..Settings::default()
    }
}

#[test]
fn the_defaults_are_as_documented() {
    let config = Config::read(&settings()).unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8081");
    assert_eq!(config.api_version, payment_model::API_VERSION);
    assert_eq!(config.operation_length, 12);
    assert_eq!(config.timing.payment_timeout, Duration::from_secs(10));
    assert!(!config.cookie_secure && config.redirect_allow.is_empty());
    let shown = format!("{config:?}{:?}", settings());
    assert!(!shown.contains("canary"), "{shown}");
}

#[test]
fn every_wrong_setting_is_named_once() {
    type Set = fn(&mut Settings, Option<String>);
    let check = |name: &str, set: Set, values: &[Option<&str>]| {
        for value in values {
            let mut settings = settings();
            set(&mut settings, value.map(str::to_owned));
            let wrong = Config::read(&settings).unwrap_err().to_string();
            assert!(
                wrong.starts_with(name) && wrong.lines().count() == 1,
                "{value:?}: {wrong}"
            );
            assert!(wrong.ends_with('.') && !wrong.contains("canary"), "{wrong}");
        }
    };
    check(
        "BACKEND_LISTEN",
        |s, v| s.backend_listen = v,
        &[
            Some(""),
            Some("8081"),
            Some("localhost"),
            Some("1.2.3.4:99999"),
        ],
    );
    let addresses = [
        None,
        Some(""),
        Some("shop"),
        Some("ftp://shop.example"),
        Some("https://canary:canary@shop.example"),
        Some("https://shop.example/?a"),
    ];
    check("PUBLIC_URL", |s, v| s.public_url = v, &addresses);
    check("PAYMENT_URL", |s, v| s.payment_url = v, &addresses);
    check(
        "EVENTS_URL",
        |s, v| s.events_url = v,
        &[
            Some(""),
            Some("shop"),
            Some("ftp://shop.example"),
            Some("https://canary:canary@shop.example"),
            Some("https://shop.example/#canary"),
        ],
    );
    check(
        "EVENTS_SECRET",
        |s, v| {
            s.events_url = Some("https://shop.example/events?canary".to_owned());
            s.events_secret = v;
        },
        &[
            None,
            Some(""),
            Some("canary"),
            Some("whsec_Y2FuYXJ5"),
            Some("whsec_canary that is no base64 at all"),
        ],
    );
    check(
        "DATABASE",
        |s, v| s.database = v,
        &[None, Some(""), Some("  ")],
    );
    check(
        "PAYMENT_TOKEN",
        |s, v| s.payment_token = v,
        &[None, Some(""), Some("canary canary")],
    );
    check(
        "PAYMENT_TOKEN",
        |s, v| s.payment_token_file = v,
        &[Some("/nowhere")],
    );
    check(
        "PAYMENT_TOKEN_FILE",
        |s, v| {
            s.payment_token = None;
            s.payment_token_file = v;
        },
        &[Some("/nowhere/token"), Some("/dev/null")],
    );
    check(
        "STORES_FILE",
        |s, v| {
            s.merchant_code = None;
            s.stores_file = v;
        },
        &[Some(""), Some("/nowhere"), Some("/dev/null")],
    );
    check(
        "MERCHANT_NAME",
        |s, v| {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/payments/stores.toml");
            s.merchant_code = None;
            s.stores_file = Some(file.to_owned());
            s.merchant_name = v;
        },
        &[Some("Shop")],
    );
    check(
        "METHOD_DETAILS",
        |s, v| s.method_details = v,
        &[Some(""), Some("CASHCODE"), Some("{\"QR\": {}}")],
    );
    check(
        "API_VERSION",
        |s, v| s.api_version = v,
        &[Some(""), Some("a\nb")],
    );
    check(
        "MERCHANT_CODE",
        |s, v| s.merchant_code = v,
        &[None, Some(""), Some("a/b"), Some("..")],
    );
    check(
        "OPERATION_PREFIX",
        |s, v| s.operation_prefix = v,
        &[Some("a b"), Some("ñ")],
    );
    check(
        "OPERATION_LENGTH",
        |s, v| s.operation_length = v,
        &[Some(""), Some("7"), Some("65"), Some("x")],
    );
    check(
        "COOKIE_KEY",
        |s, v| s.cookie_key = v,
        &[None, Some(""), Some("canary")],
    );
    check("COOKIE_SECURE", |s, v| s.cookie_secure = v, &[Some("yes")]);
    check(
        "REDIRECT_ALLOW",
        |s, v| s.redirect_allow = v,
        &[Some("shop.example"), Some("http://shop.example")],
    );
    check(
        "CORS_ORIGINS",
        |s, v| s.cors_origins = v,
        &[Some("*"), Some("null"), Some("https://shop.example/path")],
    );
    check("AMOUNT_UNITS", |s, v| s.amount_units = v, &[Some("soles")]);
    check(
        "PAYMENT_TIMEOUT_MS",
        |s, v| s.payment_timeout_ms = v,
        &[Some("0"), Some("ten")],
    );
    check(
        "RELEASE_AFTER_SECONDS",
        |s, v| s.release_after_seconds = v,
        &[Some("-1"), Some("soon")],
    );
    check(
        "CLIENT_ORDERS_PER_MINUTE",
        |s, v| s.client_orders_per_minute = v,
        &[Some("0"), Some("-1"), Some("many")],
    );
    check(
        "MAX_CONNECTIONS",
        |s, v| s.max_connections = v,
        &[Some("0"), Some("15"), Some("all")],
    );
    check(
        "TRUSTED_PROXIES",
        |s, v| s.trusted_proxies = v,
        &[Some(""), Some("proxy.example"), Some("10.0.0.0/40")],
    );
    check(
        "STARTS_PER_MINUTE",
        |s, v| s.starts_per_minute = v,
        &[Some("0"), Some("-1"), Some("many")],
    );
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let wrong = Config::read(&Settings::default()).unwrap_err().to_string();
    let names: Vec<_> = wrong
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "PUBLIC_URL",
            "DATABASE",
            "PAYMENT_URL",
            "PAYMENT_TOKEN",
            "MERCHANT_CODE",
            "COOKIE_KEY"
        ]
    );
}

#[test]
fn secure_cookies_follow_the_public_address_unless_told_otherwise() {
    let secure = |url: &str, told: Option<&str>| {
        let mut settings = settings();
        settings.public_url = Some(url.to_owned());
        settings.cookie_secure = told.map(str::to_owned);
        Config::read(&settings).unwrap().cookie_secure
    };
    assert!(secure("https://shop.example/api", None));
    assert!(!secure("http://backend/api", None));
    assert!(secure("http://backend/api", Some("true")));
}
