//! From settings to a configuration, collecting everything that is wrong.
//!
//! `clap` only finds the texts: its own readers stop at the first mistake, and repeat the value,
//! which may be a secret.

use super::allowed_redirects::RedirectAllow;
use super::networks::networks;
use super::orders::order_source;
use super::secret_files::with_secrets_of_files;
use super::service_token::payment_token;
use super::value::{base_url, origins};
use super::{
    Config, EventsConfig, MerchantStores, MethodDetails, Settings, StaffConfig, Timing,
    WrongSettings,
};
use crate::database_address::DatabaseAddress;
use crate::identifier::identifier;
use axum::http::HeaderValue;
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use payment_model::API_VERSION;
use payment_rules::accepted::AcceptedCodes;
use secrecy::SecretString;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// The least random digits in an operation number.
const LEAST_DIGITS: usize = 8;

/// This machine.
const LOOPBACK: [IpNet; 2] = [
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8)),
    IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128)),
];

/// Collects errors, so that reading goes on.
#[derive(Default)]
struct Wrongs(Vec<String>);

impl Wrongs {
    /// Reads one setting. A missing one takes the default or is an error; `read` names the
    /// requirement of a given one.
    fn setting<T>(
        &mut self,
        name: &str,
        given: Option<&str>,
        default: Option<T>,
        hint: &str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = given.map(str::trim);
        let wrong = match (text, default) {
            (None, Some(default)) => return Some(default),
            (None, None) => format!("{name} is missing: {hint}."),
            (Some(""), _) => format!("{name} is empty: {hint}."),
            (Some(text), _) => match read(text) {
                Ok(value) => return Some(value),
                Err(why) => format!("{name} {why}: {hint}."),
            },
        };
        self.0.push(wrong);
        None
    }
}

impl Config {
    /// Checks the settings.
    ///
    /// # Errors
    /// All errors at once.
    pub fn read(settings: &Settings) -> Result<Self, WrongSettings> {
        let settings = with_secrets_of_files(settings).map_err(WrongSettings)?;
        let mut wrongs = Wrongs::default();
        let config = Self::collect(&settings, &mut wrongs);
        config
            .filter(|_| wrongs.0.is_empty())
            .ok_or(WrongSettings(wrongs.0))
    }

    fn collect(given: &Settings, w: &mut Wrongs) -> Option<Self> {
        let listen = w.setting(
            "BACKEND_LISTEN",
            given.backend_listen.as_deref(),
            Some(SocketAddr::from(([127, 0, 0, 1], 8081))),
            "give an address and a port, such as 127.0.0.1:8081",
            |text| {
                text.parse()
                    .map_err(|_| format!("is `{text}`, which is no address with a port"))
            },
        );
        let public_url = w.setting(
            "PUBLIC_URL",
            given.public_url.as_deref(),
            None,
            "give the address under which the payment service reaches this server's /api, such as https://shop.example/api",
            base_url,
        );
        let database = w.setting(
            "DATABASE",
            given.database.as_deref(),
            None,
            "name the file that keeps orders and payments, such as data/merchant.db, or a database of PostgreSQL, such as postgres://merchant@db.example/merchant",
            DatabaseAddress::read,
        );
        let payment_url = w.setting(
            "PAYMENT_URL",
            given.payment_url.as_deref(),
            None,
            "give the address of the payment service, such as https://api.example",
            base_url,
        );
        let payment_token = payment_token(given).map_err(|wrong| w.0.push(wrong)).ok();
        let api_version = w.setting(
            "API_VERSION",
            given.api_version.as_deref(),
            Some(HeaderValue::from_static(API_VERSION)),
            "give the version that the payment service documents, or leave it out",
            |text| HeaderValue::from_str(text).map_err(|_| "cannot stand in a header".to_owned()),
        );
        let payment_facilitator_code = w.setting(
            "PAYMENT_FACILITATOR_CODE",
            given.payment_facilitator_code.as_deref(),
            Some(None),
            "give the code that the payment facilitator is known by, or leave it out",
            |text| {
                let value = HeaderValue::from_str(text);
                value
                    .map(Some)
                    .map_err(|_| "cannot stand in a header".to_owned())
            },
        );
        let stores = stores(given, w);
        let prefix = operation_prefix(given, w);
        let length = operation_length(given, prefix.as_deref().unwrap_or_default(), w);
        let cookie_key = w.setting(
            "COOKIE_KEY",
            given.cookie_key.as_deref(),
            None,
            "give at least 32 random characters, the same after every restart",
            |text| {
                if text.len() < 32 {
                    Err("is too short".to_owned())
                } else {
                    Ok(SecretString::from(text))
                }
            },
        );
        let by_address = public_url
            .as_ref()
            .is_some_and(|url| url.scheme() == "https");
        let cookie_secure = w.setting(
            "COOKIE_SECURE",
            given.cookie_secure.as_deref(),
            Some(by_address),
            "give true or false, or leave it out",
            |text| text.parse().map_err(|_| format!("is `{text}`")),
        );
        let redirect_allow = w.setting(
            "REDIRECT_ALLOW",
            given.redirect_allow.as_deref(),
            Some(RedirectAllow::default()),
            "list the origins of the merchant's pages, such as https://shop.example",
            |text| RedirectAllow::parse(text).map_err(|why| format!("is wrong, {why}")),
        );
        let cors_origins = w.setting(
            "CORS_ORIGINS",
            given.cors_origins.as_deref(),
            Some(Vec::new()),
            "list origins without a path, such as https://shop.example",
            origins,
        );
        let method_details = w.setting(
            "METHOD_DETAILS",
            given.method_details.as_deref(),
            Some(MethodDetails::default()),
            "give a JSON object such as {\"CASHCODE\": {}}, or leave it out",
            MethodDetails::parse,
        );
        let amount_units = w.setting(
            "AMOUNT_UNITS",
            given.amount_units.as_deref(),
            Some(Default::default()),
            "say how whole numbers in the payment service's answers are meant",
            |text| text.parse().map_err(str::to_owned),
        );
        let accepted_codes = w.setting(
            "ACCEPTED_CODES",
            given.accepted_codes.as_deref(),
            AcceptedCodes::read(AcceptedCodes::DEFAULT),
            "give the codes of meta.status.code that mean success, separated by commas, or leave it out",
            |text| AcceptedCodes::read(text).ok_or_else(|| "has an empty code".to_owned()),
        );
        let orders = order_source(given, public_url.as_ref(), &mut w.0);
        let events = EventsConfig::read(given, &mut w.0);
        let staff = StaffConfig::read(given, &mut w.0);
        let most_connections = w.setting(
            "MAX_CONNECTIONS",
            given.max_connections.as_deref(),
            Some(4096),
            "give a number from 16 to 100000",
            |text| match text.parse() {
                Ok(most) if (16..=100_000).contains(&most) => Ok(most),
                _ => Err(format!("is `{text}`")),
            },
        );
        let trusted_proxies = w.setting(
            "TRUSTED_PROXIES",
            given.trusted_proxies.as_deref(),
            Some(Vec::new()),
            "list the addresses of the proxies in front, such as 127.0.0.1 or 10.0.0.0/8, or leave it out",
            networks,
        );
        let metrics_from = w.setting(
            "METRICS_FROM",
            given.metrics_from.as_deref(),
            Some(LOOPBACK.to_vec()),
            "list the addresses of the programs that read /metrics, such as 10.0.0.5 or 10.0.0.0/8, or leave it out",
            networks,
        );
        let timing = timing(given, w);
        Some(Self {
            listen: listen?,
            public_url: public_url?,
            database: database?,
            payment_url: payment_url?,
            payment_token: Arc::new(payment_token?),
            api_version: api_version?,
            payment_facilitator_code: payment_facilitator_code?,
            stores: stores?,
            orders: orders?,
            operation_prefix: prefix?,
            operation_length: length?,
            cookie_key: cookie_key?,
            cookie_secure: cookie_secure?,
            redirect_allow: redirect_allow?,
            cors_origins: cors_origins?,
            method_details: method_details?,
            amount_units: amount_units?,
            accepted_codes: accepted_codes?,
            events,
            staff,
            most_connections: most_connections?,
            trusted_proxies: trusted_proxies?,
            metrics_from: metrics_from?,
            timing: timing?,
        })
    }
}

/// The stores of a file, or the only one of a merchant with one code.
fn stores(given: &Settings, w: &mut Wrongs) -> Option<MerchantStores> {
    if let Some(file) = given.stores_file.as_deref() {
        for (name, alone) in [
            ("MERCHANT_CODE", &given.merchant_code),
            ("MERCHANT_NAME", &given.merchant_name),
        ] {
            if alone.is_some() {
                let wrong = format!("{name} and STORES_FILE are both set: leave one out.");
                w.0.push(wrong);
            }
        }
        let hint =
            "name a file of stores, each with key, merchant_code, merchant_name and currency";
        return w.setting("STORES_FILE", Some(file), None, hint, MerchantStores::open);
    }
    let code = w.setting(
        "MERCHANT_CODE",
        given.merchant_code.as_deref(),
        None,
        "give the code that the payment service knows the merchant by, or name a file of several stores in STORES_FILE",
        identifier,
    );
    let name = w.setting(
        "MERCHANT_NAME",
        given.merchant_name.as_deref(),
        Some(String::new()),
        "give the name that payers know the merchant by",
        |text| Ok(text.to_owned()),
    );
    Some(MerchantStores::one(code?, name?))
}

fn operation_prefix(given: &Settings, w: &mut Wrongs) -> Option<String> {
    // An empty value means the default.
    let text = given
        .operation_prefix
        .as_deref()
        .filter(|text| !text.is_empty());
    let hint = "give a few letters or digits, or leave it out";
    w.setting(
        "OPERATION_PREFIX",
        text,
        Some(String::new()),
        hint,
        identifier,
    )
}

fn operation_length(given: &Settings, prefix: &str, w: &mut Wrongs) -> Option<usize> {
    let least = prefix.len() + LEAST_DIGITS;
    let hint = format!(
        "give a number from {least} to 64 (OPERATION_PREFIX and at least {LEAST_DIGITS} random digits)"
    );
    w.setting(
        "OPERATION_LENGTH",
        given.operation_length.as_deref(),
        Some(least.max(12)),
        &hint,
        |text| match text.parse() {
            Ok(length) if (least..=64).contains(&length) => Ok(length),
            _ => Err(format!("is `{text}`")),
        },
    )
}

fn timing(given: &Settings, w: &mut Wrongs) -> Option<Timing> {
    let default = Timing::default();
    let timeout = w.setting(
        "PAYMENT_TIMEOUT_MS",
        given.payment_timeout_ms.as_deref(),
        Some(default.payment_timeout),
        "give a number of milliseconds from 100 to 60000",
        |text| match text.parse() {
            Ok(millis) if (100..=60_000).contains(&millis) => Ok(Duration::from_millis(millis)),
            _ => Err(format!("is `{text}`")),
        },
    )?;
    let starts = w.setting(
        "STARTS_PER_MINUTE",
        given.starts_per_minute.as_deref(),
        Some(default.starts_per_minute),
        "give a number from 1 to 1000000",
        |text| match text.parse() {
            Ok(starts) if (1..=1_000_000).contains(&starts) => Ok(starts),
            _ => Err(format!("is `{text}`")),
        },
    )?;
    let queries = w.setting(
        "QUERIES_PER_SECOND",
        given.queries_per_second.as_deref(),
        Some(default.queries_per_second),
        "give a number from 1 to 10000",
        |text| match text.parse() {
            Ok(queries) if (1..=10_000).contains(&queries) => Ok(queries),
            _ => Err(format!("is `{text}`")),
        },
    )?;
    let orders = w.setting(
        "CLIENT_ORDERS_PER_MINUTE",
        given.client_orders_per_minute.as_deref(),
        Some(default.orders_per_minute),
        "give a number from 1 to 1000000",
        |text| match text.parse() {
            Ok(orders) if (1..=1_000_000).contains(&orders) => Ok(orders),
            _ => Err(format!("is `{text}`")),
        },
    )?;
    let release_after = w.setting(
        "RELEASE_AFTER_SECONDS",
        given.release_after_seconds.as_deref(),
        Some(default.release_after),
        "give a number of seconds from 0 to 86400",
        |text| match text.parse() {
            Ok(seconds) if (0..=86_400).contains(&seconds) => Ok(Duration::from_secs(seconds)),
            _ => Err(format!("is `{text}`")),
        },
    )?;
    Some(Timing {
        payment_timeout: timeout,
        release_after,
        orders_per_minute: orders,
        starts_per_minute: starts,
        queries_per_second: queries,
        ..default
    })
}

#[cfg(test)]
mod tests;
