//! Wrong values of each setting.

use super::{SECRET, names, settings};
use crate::config::Config;
use std::collections::BTreeSet;

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

/// A setting, others to set with it, and values with which the server does not start.
type Wrong = (
    &'static str,
    &'static [(&'static str, Option<&'static str>)],
    &'static [Option<&'static str>],
);

const WRONG: &[Wrong] = &[
    (
        "BACKEND_LISTEN",
        &[],
        &[
            Some(""),
            Some("8081"),
            Some("localhost"),
            Some("1.2.3.4:99999"),
        ],
    ),
    ("PUBLIC_URL", &[], ADDRESSES),
    ("PAYMENT_URL", &[], ADDRESSES),
    (
        "EVENTS_URL",
        &[],
        &[
            Some(""),
            Some("shop"),
            Some("ftp://shop.example"),
            Some("https://canary:canary@shop.example"),
            Some("https://shop.example/#canary"),
        ],
    ),
    (
        "EVENTS_SECRET",
        &[("EVENTS_URL", Some("https://shop.example/events?canary"))],
        &[
            None,
            Some(""),
            Some("canary"),
            Some("whsec_Y2FuYXJ5"),
            Some("whsec_canary that is no base64 at all"),
        ],
    ),
    (
        "DATABASE",
        &[],
        &[
            None,
            Some(""),
            Some("  "),
            Some("postgres://canary:canary@db.example:port/shop"),
            Some("postgresql://canary:canary@db.example/"),
        ],
    ),
    (
        "PAYMENT_TOKEN",
        &[],
        &[None, Some(""), Some("canary canary")],
    ),
    (
        "PAYMENT_TOKEN",
        &[("PAYMENT_TOKEN_FILE", Some("/nowhere"))],
        &[Some("token")],
    ),
    (
        "PAYMENT_TOKEN_FILE",
        &[("PAYMENT_TOKEN", None)],
        &[Some("/nowhere/token"), Some("/dev/null")],
    ),
    (
        "STORES_FILE",
        &[("MERCHANT_CODE", None)],
        &[Some(""), Some("/nowhere"), Some("/dev/null")],
    ),
    ("ORDERS_SECRET", &[], &[Some(""), Some("canary")]),
    (
        "ORDERS_SECRET",
        &[("ORDERS_URL", Some("https://shop.example/orders/{order_id}"))],
        &[None, Some(""), Some("canary")],
    ),
    (
        "ORDERS_SECRET",
        &[("ORDERS_KEYS_FILE", Some("keys.toml"))],
        &[Some(SECRET)],
    ),
    (
        "ORDERS_KEYS_FILE",
        &[],
        &[Some(""), Some("/nowhere"), Some("/dev/null"), Some(STORES)],
    ),
    (
        "ORDERS_URL",
        &[("ORDERS_SECRET", Some(SECRET))],
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
    ("MERCHANT_NAME", &[], &[Some(" "), Some("\"Shop\"")]),
    (
        "MERCHANT_NAME",
        &[("MERCHANT_CODE", None), ("STORES_FILE", Some(STORES))],
        &[Some("Shop")],
    ),
    (
        "METHOD_DETAILS",
        &[],
        &[Some(""), Some("CASHCODE"), Some("{\"QR\": {}}")],
    ),
    (
        "REFUSED_CODES",
        &[],
        &[
            Some(""),
            Some("all"),
            Some("wrong;unknown"),
            Some("none,wrong"),
        ],
    ),
    (
        "METHOD_LIMITS",
        &[],
        &[
            Some(""),
            Some("QR"),
            Some("{\"QR\": {\"PEN\": {\"most\": 500.5}}}"),
            Some("{\"CASHCODE\": {\"PEN\": {}}}"),
            Some("{\"QR\": {\"PEN\": {}}, \"QR\": {\"PEN\": {}}}"),
        ],
    ),
    ("API_VERSION", &[], &[Some(""), Some("a\nb")]),
    ("PAYMENT_FACILITATOR_CODE", &[], &[Some(""), Some("a\nb")]),
    (
        "MERCHANT_CODE",
        &[],
        &[None, Some(""), Some("a/b"), Some("..")],
    ),
    ("OPERATION_PREFIX", &[], &[Some("a b"), Some("ñ")]),
    (
        "OPERATION_LENGTH",
        &[],
        &[Some(""), Some("7"), Some("65"), Some("x")],
    ),
    (
        "COOKIE_KEY",
        &[],
        &[
            None,
            Some(""),
            Some("canary"),
            Some("'canary-0123456789abcdef0123456789'"),
        ],
    ),
    ("COOKIE_SECURE", &[], &[Some("yes")]),
    (
        "REDIRECT_ALLOW",
        &[],
        &[Some("shop.example"), Some("http://shop.example")],
    ),
    (
        "CORS_ORIGINS",
        &[],
        &[Some("*"), Some("null"), Some("https://shop.example/path")],
    ),
    ("ACCEPTED_CODES", &[], &[Some("00,,01")]),
    ("AMOUNT_UNITS", &[], &[Some("soles")]),
    ("REVERSE_CASH", &[], &[Some("yes")]),
    ("STANDBYS_MAY_LACK_COMMITS", &[], &[Some("yes")]),
    (
        "PAYMENT_TIMEOUT_MS",
        &[],
        &[Some(""), Some("99"), Some("60001"), Some("ten")],
    ),
    (
        "RELEASE_AFTER_SECONDS",
        &[],
        &[Some(""), Some("-1"), Some("86401"), Some("soon")],
    ),
    (
        "CLIENT_ORDERS_PER_MINUTE",
        &[],
        &[Some("0"), Some("-1"), Some("1000001"), Some("many")],
    ),
    (
        "STARTS_PER_MINUTE",
        &[],
        &[Some("0"), Some("-1"), Some("1000001"), Some("many")],
    ),
    ("COOKIE_KEY_FILE", &[("COOKIE_KEY", None)], NO_FILES),
    ("COOKIE_KEY_FILE", &[], &[Some(STORES)]),
    ("ORDERS_SECRET_FILE", &[], NO_FILES),
    ("EVENT_RECEIVERS_FILE", &[], NO_FILES),
    ("EVENT_RECEIVERS_FILE", &[], &[Some(STORES)]),
    ("EVENTS_SECRET_FILE", &[("EVENTS_SECRET", None)], NO_FILES),
    (
        "QUERIES_PER_SECOND",
        &[],
        &[Some(""), Some("0"), Some("-1"), Some("10001"), Some("many")],
    ),
    (
        "MAX_CONNECTIONS",
        &[],
        &[Some("0"), Some("15"), Some("100001"), Some("all")],
    ),
    (
        "STAFF_LOOK_ONLY_IDLE_MINUTES",
        &[],
        &[Some("0"), Some("29"), Some("481"), Some("8h")],
    ),
    (
        "TRUSTED_PROXIES",
        &[],
        &[Some(""), Some("proxy.example"), Some("10.0.0.0/40")],
    ),
    (
        "METRICS_FROM",
        &[],
        &[Some(""), Some("prometheus.example"), Some("10.0.0.0/40")],
    ),
    (
        "TRACE_TRUSTED",
        &[],
        &[Some(""), Some("shop.example"), Some("10.0.0.0/40")],
    ),
    ("TRACE_TO_PAYMENT_SERVICE", &[], &[Some("on")]),
    (
        "STAFF_FILE",
        &[],
        &[Some(""), Some("/nowhere"), Some(STORES)],
    ),
    (
        "STAFF_SECOND_FACTOR",
        &[],
        &[Some(""), Some("off"), Some("Optional"), Some("true")],
    ),
    (
        "MERCHANT_TIME_ZONE",
        &[],
        &[Some(""), Some("Lima"), Some("-05:00")],
    ),
    (
        "SETTLEMENT_DUE_HOURS",
        &[],
        &[Some(""), Some("0"), Some("8761"), Some("1.5"), Some("days")],
    ),
    (
        "ORDER_PAY_HOURS",
        &[],
        &[Some(""), Some("0"), Some("8761"), Some("1.5"), Some("days")],
    ),
    (
        "PAY_LINK_DAYS",
        &[],
        &[Some(""), Some("0"), Some("3651"), Some("1.5"), Some("days")],
    ),
    (
        "PAY_PAGE_ELEMENT",
        &[],
        &[Some(""), Some("/nowhere"), Some("/dev/null"), Some("/")],
    ),
];

#[test]
fn every_wrong_setting_is_named_once() {
    for (name, others, values) in WRONG {
        for value in *values {
            let settings = settings(&[others, &[(*name, *value)][..]].concat());
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
    let tried: BTreeSet<_> = WRONG.iter().map(|wrong| wrong.0.to_owned()).collect();
    assert_eq!(tried, names());
}
