//! From settings to a configuration: the rules for several settings, and everything that is wrong.

use super::event_receivers::{self, ONLY};
use super::events::signing_key;
use super::orders::order_source;
use super::settings::{LEAST_RANDOM_DIGITS, LONGEST_NUMBER, MERCHANT_CODE_REMEDY};
use super::value::Given;
use super::value::{payment_token, secret};
use super::{
    Config, EventReceiver, EventSigningKey, MerchantStores, Settings, StaffConfig, Timing,
    WrongSettings,
};
use crate::random::identifier;
use crate::staff::StaffAccounts;
use payment_rules::event::EventFilter;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The least length of a `COOKIE_KEY`, in bytes.
const LEAST_COOKIE_KEY: usize = 32;

/// Collects the sentences about wrong settings, so that reading goes on.
#[derive(Default)]
struct Wrongs(Vec<String>);

impl Wrongs {
    fn keep<T>(&mut self, read: Result<T, String>) -> Option<T> {
        read.map_err(|wrong| self.0.push(wrong)).ok()
    }

    /// A setting that may be left out.
    fn optional<T>(&mut self, given: Option<Given<T>>) -> Option<Option<T>> {
        self.keep(given.map(|given| given.0).transpose())
    }
}

impl Config {
    /// Checks the settings.
    ///
    /// # Errors
    /// All errors at once.
    pub fn read(settings: &Settings) -> Result<Self, WrongSettings> {
        let mut wrongs = Wrongs::default();
        let config = Self::collect(settings.clone(), &mut wrongs);
        config
            .filter(|_| wrongs.0.is_empty())
            .ok_or(WrongSettings(wrongs.0))
    }

    fn collect(given: Settings, w: &mut Wrongs) -> Option<Self> {
        let listen = w.keep(given.backend_listen.0);
        let public_url = w.keep(given.public_url.0);
        let database = w.keep(given.database.0);
        let payment_url = w.keep(given.payment_url.0);
        let token = w.keep(payment_token(given.payment_token, given.payment_token_file));
        let api_version = w.keep(given.api_version.0);
        let payment_facilitator_code = w.optional(given.payment_facilitator_code);
        let stores = stores(
            given.stores_file,
            given.merchant_code,
            given.merchant_name,
            w,
        );
        let numbers = w
            .optional(given.operation_length)
            .and_then(|length| w.keep(operation_numbers(given.operation_prefix, length)));
        let cookie_key = w.keep(cookie_key(given.cookie_key, given.cookie_key_file));
        let cookie_secure = w.optional(given.cookie_secure);
        let redirect_allow = w.optional(given.redirect_allow);
        let cors_origins = w.optional(given.cors_origins);
        let method_details = w.optional(given.method_details);
        let reverses_cash = w.keep(given.reverse_cash.0);
        let standbys_may_lack_commits = w.keep(given.standbys_may_lack_commits.0);
        let amount_units = w.keep(given.amount_units.0);
        let accepted_codes = w.keep(given.accepted_codes.0);
        let orders = secret(
            "ORDERS_SECRET",
            given.orders_secret,
            given.orders_secret_file,
        );
        let orders = w.keep(orders.and_then(|secret| {
            order_source(
                given.orders_url.as_deref(),
                secret.as_ref(),
                given.orders_keys_file.as_deref(),
                public_url.as_ref(),
            )
        }));
        let time_to_pay = w.optional(given.order_pay_hours);
        let pay_link_age = w
            .keep(given.pay_link_days.0)
            .map(|days| Duration::from_hours(24 * days));
        let pay_page_element = w.optional(given.pay_page_element);
        let event_key = secret(
            "EVENTS_SECRET",
            given.events_secret,
            given.events_secret_file,
        );
        // Without an address only a sample is signed, and the secret may have any form.
        let is_used = given.events_url.is_some();
        let event_key = w.keep(event_key.and_then(|secret| {
            let key = signing_key(secret.as_ref());
            if is_used { key.map(Some) } else { Ok(key.ok()) }
        }));
        let events_url = w.optional(given.events_url);
        let further = w.keep(further_receivers(given.event_receivers_file.as_deref()));
        let accounts = given.staff_file.map(StaffAccounts::open).transpose();
        let accounts = w.keep(accounts.map_err(|error| format!("{error}.")));
        let time_zone = w.keep(given.merchant_time_zone.0);
        let settlement_due = w
            .keep(given.settlement_due_hours.0)
            .map(Duration::from_hours);
        let most_connections = w.keep(given.max_connections.0);
        let trusted_proxies = w.optional(given.trusted_proxies);
        let metrics_from = w.keep(given.metrics_from.0);
        let payment_timeout = w
            .keep(given.payment_timeout_ms.0)
            .map(Duration::from_millis);
        let release_after = w
            .keep(given.release_after_seconds.0)
            .map(Duration::from_secs);
        let orders_per_minute = w.keep(given.client_orders_per_minute.0);
        let starts_per_minute = w.keep(given.starts_per_minute.0);
        let queries_per_second = w.keep(given.queries_per_second.0);
        let (operation_prefix, operation_length) = numbers?;
        let public_url = public_url?;
        Some(Self {
            listen: listen?,
            cookie_secure: cookie_secure?.unwrap_or(public_url.scheme() == "https"),
            public_url,
            database: database?,
            payment_url: payment_url?,
            payment_token: Arc::new(token?),
            api_version: api_version?,
            payment_facilitator_code: payment_facilitator_code?,
            stores: stores?,
            orders: orders?,
            pay_link_age: pay_link_age?,
            pay_page_element: pay_page_element?,
            time_to_pay: time_to_pay?.map(Duration::from_hours),
            operation_prefix,
            operation_length,
            cookie_key: cookie_key?,
            redirect_allow: redirect_allow?.unwrap_or_default(),
            cors_origins: cors_origins?.unwrap_or_default(),
            method_details: method_details?.unwrap_or_default(),
            reverses_cash: reverses_cash?,
            standbys_may_lack_commits: standbys_may_lack_commits?,
            amount_units: amount_units?,
            accepted_codes: accepted_codes?,
            receivers: receivers(events_url?, event_key.clone()?, further?),
            event_key: event_key?,
            staff: StaffConfig {
                accounts: accounts?,
                time_zone: time_zone?,
                settlement_due: settlement_due?,
            },
            most_connections: most_connections?,
            trusted_proxies: trusted_proxies?.unwrap_or_default(),
            metrics_from: metrics_from?,
            timing: Timing {
                payment_timeout: payment_timeout?,
                release_after: release_after?,
                orders_per_minute: orders_per_minute?,
                starts_per_minute: starts_per_minute?,
                queries_per_second: queries_per_second?,
                ..Timing::default()
            },
        })
    }
}

/// The stores of a file, or the only one of a merchant with one code.
fn stores(
    file: Option<String>,
    code: Option<Given<String>>,
    name: Option<Given<String>>,
    w: &mut Wrongs,
) -> Option<MerchantStores> {
    let Some(file) = file else {
        let missing = || {
            Given(Err(format!(
                "MERCHANT_CODE is missing: {MERCHANT_CODE_REMEDY}."
            )))
        };
        let code = w.keep(code.unwrap_or_else(missing).0);
        let name = w.optional(name);
        return Some(MerchantStores::one(code?, name?.unwrap_or_default()));
    };
    for (name, is_set) in [
        ("MERCHANT_CODE", code.is_some()),
        ("MERCHANT_NAME", name.is_some()),
    ] {
        if is_set {
            let wrong = format!("{name} and STORES_FILE are both set: leave one out.");
            w.0.push(wrong);
        }
    }
    let stores = match file.trim() {
        "" => Err("is empty".to_owned()),
        file => MerchantStores::open(file),
    };
    w.keep(stores.map_err(|why| format!("STORES_FILE {why}: name a file of stores, each with key, merchant_code, merchant_name and currency.")))
}

/// The receivers of a file.
fn further_receivers(file: Option<&str>) -> Result<Vec<EventReceiver>, String> {
    let receivers = match file.map(str::trim) {
        None => return Ok(Vec::new()),
        Some("") => Err("is empty".to_owned()),
        Some(file) => event_receivers::open(file),
    };
    receivers.map_err(|why| format!("EVENT_RECEIVERS_FILE {why}: name a file of receivers, each with name, url, and secret or secret_file."))
}

fn receivers(
    url: Option<Url>,
    key: Option<EventSigningKey>,
    further: Vec<EventReceiver>,
) -> Vec<EventReceiver> {
    let only = url.zip(key).map(|(url, key)| EventReceiver {
        name: ONLY.to_owned(),
        url,
        key,
        filter: EventFilter::default(),
        cash_code: false,
    });
    only.into_iter().chain(further).collect()
}

/// The prefix of operation numbers and their length. An empty prefix is none.
fn operation_numbers(
    prefix: Option<String>,
    length: Option<usize>,
) -> Result<(String, usize), String> {
    let prefix = identifier(prefix.unwrap_or_default().trim()).map_err(|why| {
        format!("OPERATION_PREFIX {why}: give a few letters or digits, or leave it out.")
    })?;
    let least = prefix.len() + LEAST_RANDOM_DIGITS;
    match length {
        Some(length) if length < least => Err(format!(
            "OPERATION_LENGTH is `{length}`: give a number from {least} to {LONGEST_NUMBER} (OPERATION_PREFIX and at least {LEAST_RANDOM_DIGITS} random digits)."
        )),
        length => Ok((prefix, length.unwrap_or(least.max(12)))),
    }
}

fn cookie_key(given: Option<SecretString>, file: Option<String>) -> Result<SecretString, String> {
    let key = secret("COOKIE_KEY", given, file)?;
    let why = match key.as_ref().map(|key| key.expose_secret().len()) {
        None => "is missing",
        Some(0) => "is empty",
        Some(length) if length < LEAST_COOKIE_KEY => "is too short",
        Some(_) => "",
    };
    key.filter(|_| why.is_empty()).ok_or_else(|| {
        format!(
            "COOKIE_KEY {why}: give at least 32 random characters, the same after every restart."
        )
    })
}

#[cfg(test)]
mod tests;
