//! Wrong values of each setting.

use super::{names, settings};
use crate::config::{Config, Settings};
use std::collections::BTreeSet;

/// A setting, and the values with which the server does not start.
struct Wrong {
    name: &'static str,
    set: fn(&mut Settings, Option<String>),
    values: &'static [Option<&'static str>],
}

const fn wrong(
    name: &'static str,
    set: fn(&mut Settings, Option<String>),
    values: &'static [Option<&'static str>],
) -> Wrong {
    Wrong { name, set, values }
}

const ADDRESSES: &[Option<&str>] = &[
    None,
    Some(""),
    Some("shop"),
    Some("ftp://shop.example"),
    Some("https://canary:canary@shop.example"),
    Some("https://shop.example/?a"),
];
const STORES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/payments/stores.toml");

const NO_FILES: &[Option<&str>] = &[Some(""), Some("/nowhere"), Some("/dev/null")];

const WRONG: &[Wrong] = &[
    wrong(
        "BACKEND_LISTEN",
        |s, v| s.backend_listen = v,
        &[
            Some(""),
            Some("8081"),
            Some("localhost"),
            Some("1.2.3.4:99999"),
        ],
    ),
    wrong("PUBLIC_URL", |s, v| s.public_url = v, ADDRESSES),
    wrong("PAYMENT_URL", |s, v| s.payment_url = v, ADDRESSES),
    wrong(
        "EVENTS_URL",
        |s, v| s.events_url = v,
        &[
            Some(""),
            Some("shop"),
            Some("ftp://shop.example"),
            Some("https://canary:canary@shop.example"),
            Some("https://shop.example/#canary"),
        ],
    ),
    wrong(
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
    ),
    wrong(
        "DATABASE",
        |s, v| s.database = v,
        &[
            None,
            Some(""),
            Some("  "),
            Some("postgres://canary:canary@db.example:port/shop"),
            Some("postgresql://canary:canary@db.example/"),
        ],
    ),
    wrong(
        "PAYMENT_TOKEN",
        |s, v| s.payment_token = v,
        &[None, Some(""), Some("canary canary")],
    ),
    wrong(
        "PAYMENT_TOKEN",
        |s, v| s.payment_token_file = v,
        &[Some("/nowhere")],
    ),
    wrong(
        "PAYMENT_TOKEN_FILE",
        |s, v| {
            s.payment_token = None;
            s.payment_token_file = v;
        },
        &[Some("/nowhere/token"), Some("/dev/null")],
    ),
    wrong(
        "STORES_FILE",
        |s, v| {
            s.merchant_code = None;
            s.stores_file = v;
        },
        &[Some(""), Some("/nowhere"), Some("/dev/null")],
    ),
    wrong(
        "ORDERS_SECRET",
        |s, v| s.orders_secret = v,
        &[Some(""), Some("canary")],
    ),
    wrong(
        "ORDERS_SECRET",
        |s, v| {
            s.orders_url = Some("https://shop.example/orders/{order_id}".to_owned());
            s.orders_secret = v;
        },
        &[None, Some(""), Some("canary")],
    ),
    wrong(
        "ORDERS_SECRET",
        |s, v| {
            s.orders_keys_file = Some("keys.toml".to_owned());
            s.orders_secret = v;
        },
        &[Some("canary-0123456789abcdef0123456789")],
    ),
    wrong(
        "ORDERS_KEYS_FILE",
        |s, v| s.orders_keys_file = v,
        &[Some(""), Some("/nowhere"), Some("/dev/null"), Some(STORES)],
    ),
    wrong(
        "ORDERS_URL",
        |s, v| {
            s.orders_secret = Some("canary-0123456789abcdef0123456789".to_owned());
            s.orders_url = v;
        },
        &[
            Some(""),
            Some("shop/{order_id}"),
            Some("ftp://shop.example/{order_id}"),
            Some("https://shop.example/orders"),
            Some("https://shop.example/{order_id}/{order_id}"),
            Some("https://{order_id}.shop.example/"),
            Some("https://canary:canary@shop.example/{order_id}"),
        ],
    ),
    wrong("MERCHANT_NAME", |s, v| s.merchant_name = v, &[Some(" ")]),
    wrong(
        "MERCHANT_NAME",
        |s, v| {
            s.merchant_code = None;
            s.stores_file = Some(STORES.to_owned());
            s.merchant_name = v;
        },
        &[Some("Shop")],
    ),
    wrong(
        "METHOD_DETAILS",
        |s, v| s.method_details = v,
        &[Some(""), Some("CASHCODE"), Some("{\"QR\": {}}")],
    ),
    wrong(
        "API_VERSION",
        |s, v| s.api_version = v,
        &[Some(""), Some("a\nb")],
    ),
    wrong(
        "PAYMENT_FACILITATOR_CODE",
        |s, v| s.payment_facilitator_code = v,
        &[Some(""), Some("a\nb")],
    ),
    wrong(
        "MERCHANT_CODE",
        |s, v| s.merchant_code = v,
        &[None, Some(""), Some("a/b"), Some("..")],
    ),
    wrong(
        "OPERATION_PREFIX",
        |s, v| s.operation_prefix = v,
        &[Some("a b"), Some("ñ")],
    ),
    wrong(
        "OPERATION_LENGTH",
        |s, v| s.operation_length = v,
        &[Some(""), Some("7"), Some("65"), Some("x")],
    ),
    wrong(
        "COOKIE_KEY",
        |s, v| s.cookie_key = v,
        &[None, Some(""), Some("canary")],
    ),
    wrong("COOKIE_SECURE", |s, v| s.cookie_secure = v, &[Some("yes")]),
    wrong(
        "REDIRECT_ALLOW",
        |s, v| s.redirect_allow = v,
        &[Some("shop.example"), Some("http://shop.example")],
    ),
    wrong(
        "CORS_ORIGINS",
        |s, v| s.cors_origins = v,
        &[Some("*"), Some("null"), Some("https://shop.example/path")],
    ),
    wrong(
        "ACCEPTED_CODES",
        |s, v| s.accepted_codes = v,
        &[Some("00,,01")],
    ),
    wrong("AMOUNT_UNITS", |s, v| s.amount_units = v, &[Some("soles")]),
    wrong(
        "PAYMENT_TIMEOUT_MS",
        |s, v| s.payment_timeout_ms = v,
        &[Some(""), Some("99"), Some("60001"), Some("ten")],
    ),
    wrong(
        "RELEASE_AFTER_SECONDS",
        |s, v| s.release_after_seconds = v,
        &[Some(""), Some("-1"), Some("86401"), Some("soon")],
    ),
    wrong(
        "CLIENT_ORDERS_PER_MINUTE",
        |s, v| s.client_orders_per_minute = v,
        &[Some("0"), Some("-1"), Some("1000001"), Some("many")],
    ),
    wrong(
        "STARTS_PER_MINUTE",
        |s, v| s.starts_per_minute = v,
        &[Some("0"), Some("-1"), Some("1000001"), Some("many")],
    ),
    wrong(
        "COOKIE_KEY_FILE",
        |s, v| {
            s.cookie_key = None;
            s.cookie_key_file = v;
        },
        NO_FILES,
    ),
    wrong(
        "COOKIE_KEY_FILE",
        |s, v| s.cookie_key_file = v,
        &[Some(STORES)],
    ),
    wrong(
        "ORDERS_SECRET_FILE",
        |s, v| s.orders_secret_file = v,
        NO_FILES,
    ),
    wrong(
        "EVENTS_SECRET_FILE",
        |s, v| {
            s.events_secret = None;
            s.events_secret_file = v;
        },
        NO_FILES,
    ),
    wrong(
        "QUERIES_PER_SECOND",
        |s, v| s.queries_per_second = v,
        &[Some(""), Some("0"), Some("-1"), Some("10001"), Some("many")],
    ),
    wrong(
        "MAX_CONNECTIONS",
        |s, v| s.max_connections = v,
        &[Some("0"), Some("15"), Some("100001"), Some("all")],
    ),
    wrong(
        "TRUSTED_PROXIES",
        |s, v| s.trusted_proxies = v,
        &[Some(""), Some("proxy.example"), Some("10.0.0.0/40")],
    ),
    wrong(
        "METRICS_FROM",
        |s, v| s.metrics_from = v,
        &[Some(""), Some("prometheus.example"), Some("10.0.0.0/40")],
    ),
    wrong(
        "STAFF_FILE",
        |s, v| s.staff_file = v,
        &[Some(""), Some("/nowhere"), Some(STORES)],
    ),
    wrong(
        "MERCHANT_TIME_ZONE",
        |s, v| s.merchant_time_zone = v,
        &[Some(""), Some("Lima"), Some("-05:00")],
    ),
    wrong(
        "SETTLEMENT_DUE_HOURS",
        |s, v| s.settlement_due_hours = v,
        &[Some(""), Some("0"), Some("8761"), Some("1.5"), Some("days")],
    ),
];

#[test]
fn every_wrong_setting_is_named_once() {
    for Wrong { name, set, values } in WRONG {
        for value in *values {
            let mut settings = settings();
            set(&mut settings, value.map(str::to_owned));
            let wrong = Config::read(&settings).unwrap_err().to_string();
            assert!(
                wrong.starts_with(name) && wrong.lines().count() == 1,
                "{name} {value:?}: {wrong}"
            );
            assert!(wrong.ends_with('.') && !wrong.contains("canary"), "{wrong}");
        }
    }
}

#[test]
fn every_setting_has_a_wrong_value_here() {
    let tried: BTreeSet<_> = WRONG.iter().map(|wrong| wrong.name.to_owned()).collect();
    assert_eq!(tried, names());
}
