use crate::config::{Config, Settings};
use crate::shop_orders::OrderSource;
use clap::CommandFactory;
use secrecy::ExposeSecret;
use std::collections::BTreeSet;
use std::time::Duration;

mod wrong_values;

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
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/production.md");
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
    let file = Some(path.display().to_string());
    let given = Settings {
        cookie_key: None,
        cookie_key_file: file.clone(),
        orders_secret_file: file.clone(),
        events_url: Some("https://shop.example/events".to_owned()),
        events_secret: None,
        events_secret_file: file,
        ..settings()
    };
    let config = Config::read(&given).unwrap();
    let key = config.cookie_key.expose_secret();
    assert_eq!(key, "canary-0123456789abcdef0123456789abcdef");
    assert!(matches!(config.orders, OrderSource::Signed(_)) && config.events.is_some());
    assert!(!format!("{config:?}").contains("canary"));
}
