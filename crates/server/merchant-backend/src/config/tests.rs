use crate::config::{Config, Settings, Timing};
use crate::shop_orders::OrderSource;
use clap::{CommandFactory, Parser};
use payment_rules::order::OrderFacts;
use payment_rules::order::fixture::order;
use secrecy::ExposeSecret;
use std::collections::BTreeSet;
use std::time::Duration;

mod wrong_values;

/// Settings that are good.
const GOOD: [(&str, &str); 7] = [
    ("PUBLIC_URL", "http://127.0.0.1:8081/api"),
    ("DATABASE", "merchant.db"),
    ("PAYMENT_URL", "http://127.0.0.1:8082"),
    ("PAYMENT_TOKEN", "canary-token"),
    ("MERCHANT_CODE", "demo-shop"),
    ("COOKIE_KEY", SECRET),
    ("EVENTS_SECRET", SECRET),
];
const SECRET: &str = "canary-0123456789abcdef0123456789";

/// The good settings with others in their place; `None` leaves one out.
fn settings(others: &[(&str, Option<&str>)]) -> Settings {
    let changed = |name: &str| others.iter().any(|(other, _)| *other == name);
    let good = GOOD.iter().filter(|(name, _)| !changed(name)).copied();
    let others = others
        .iter()
        .filter_map(|(name, value)| Some((*name, (*value)?)));
    let flags = good.chain(others).map(|(name, value)| {
        let name = name.to_lowercase().replace('_', "-");
        format!("--{name}={value}")
    });
    Settings::parse_from(std::iter::once("server".to_owned()).chain(flags))
}

#[test]
fn the_defaults_are_as_documented() {
    let config = Config::read(&settings(&[])).unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8081");
    assert_eq!(config.api_version, payment_model::API_VERSION);
    assert_eq!(config.operation_numbers.length, 12);
    let times = (config.payment_timeout, config.release_after);
    assert_eq!(times, (Duration::from_secs(10), Duration::from_secs(120)));
    let starts = (config.orders_per_minute, config.starts_per_minute);
    assert_eq!((starts, config.queries_per_second), ((30, 1200), 100));
    assert!(
        config
            .metrics_from
            .iter()
            .all(|from| from.addr().is_loopback())
    );
    assert!(!config.cookies_are_secure() && config.redirect_allow.is_empty());
    let shown = format!("{config:?}{:?}", settings(&[]));
    assert!(!shown.contains("canary"), "{shown}");
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let wrong = Config::read(&Settings::parse_from(["server"]))
        .unwrap_err()
        .to_string();
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
fn an_empty_prefix_of_numbers_is_none() {
    let config = Config::read(&settings(&[("OPERATION_PREFIX", Some(" "))]));
    assert_eq!(config.err().map(|wrong| wrong.to_string()), None);
}

#[test]
fn secure_cookies_follow_the_public_address_unless_told_otherwise() {
    let secure = |url, told| {
        let settings = settings(&[("PUBLIC_URL", Some(url)), ("COOKIE_SECURE", told)]);
        Config::read(&settings).unwrap().cookies_are_secure()
    };
    assert!(secure("https://shop.example/api", None));
    assert!(!secure("http://backend/api", None));
    assert!(secure("http://backend/api", Some("true")));
}

#[test]
fn the_limits_of_a_store_replace_those_of_all_stores() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let store = |key: &str| {
        format!(
            "[[store]]\nkey = \"{key}\"\nmerchant_code = \"{key}\"\nmerchant_name = \"S\"\ncurrency = \"PEN\"\n"
        )
    };
    let own = "limits = { QR = { PEN = { most = 60000 } } }\n";
    std::fs::write(file.path(), store("a") + own + &store("b")).unwrap();
    let limits = r#"{"QR": {"PEN": {"most": 50000}}, "INSTALLMENT": {"PEN": {"least": 100}}}"#;
    let config = Config::read(&settings(&[
        ("MERCHANT_CODE", None),
        ("STORES_FILE", file.path().to_str()),
        ("METHOD_LIMITS", Some(limits)),
    ]));
    let config = config.unwrap();
    let offered = |store: &str, amount| {
        let order = OrderFacts {
            amount,
            merchant_code: store.to_owned(),
            ..order("order")
        };
        let offer = config.offer(&order, true, 0);
        let names = offer.methods.iter().map(|method| method.to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(offered("a", 60_000), "QR INSTALLMENT");
    assert_eq!(offered("b", 60_000), "INSTALLMENT");
    assert_eq!(offered("a", 99), "QR");
    assert_eq!(offered("gone", 1000), "");
}

/// The names of all settings.
fn names() -> BTreeSet<String> {
    let command = Settings::command();
    let of_environment = command.get_arguments().filter_map(clap::Arg::get_env);
    of_environment
        .map(|name| name.to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_guide_describes_every_setting() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/production.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let named = |name: &String| guide.contains(&format!("`{name}`"));
    let unknown: Vec<_> = names().into_iter().filter(|name| !named(name)).collect();
    assert!(unknown.is_empty(), "not in docs/production.md: {unknown:?}");
}

#[test]
fn secrets_may_stand_in_files() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret");
    std::fs::write(&path, "canary-0123456789abcdef0123456789abcdef\n").unwrap();
    let file = path.to_str();
    let given = settings(&[
        ("COOKIE_KEY", None),
        ("COOKIE_KEY_FILE", file),
        ("ORDERS_SECRET_FILE", file),
        ("EVENTS_URL", Some("https://shop.example/events")),
        ("EVENTS_SECRET", None),
        ("EVENTS_SECRET_FILE", file),
    ]);
    let config = Config::read(&given).unwrap();
    let key = config.cookie_key.expose_secret();
    assert_eq!(key, "canary-0123456789abcdef0123456789abcdef");
    assert!(matches!(config.orders, OrderSource::Signed(_)) && config.events.receivers.len() == 1);
    assert!(!format!("{config:?}").contains("canary"));
}

#[test]
fn a_kept_connection_outlives_that_of_a_proxy() {
    let proxies = Duration::from_secs(60);
    assert!(Timing::default().head_timeout > proxies + Duration::from_secs(10));
}
