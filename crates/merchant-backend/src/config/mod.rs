//! The settings: from texts, as a person writes them, to a [`Config`] that was checked.
//!
//! ```text
//! settings        every setting with its type, default and help; environment variables and flags
//! commands        the commands of the program besides serving
//! value           the value of one setting, or what is wrong with it; secrets
//! read            from settings to a configuration; the rules for several settings
//! orders, events, event_receivers, staff, stores, allowed_redirects, payment_method_details
//!                 settings with a form or a file of their own
//! timing          intervals, limits and time-outs, most of which only tests change
//! ```
//!
//! It reads the files that settings name, and knows the types of the parts that are set. It opens
//! no database and no socket, and knows no address, no use case and no rule of a payment. No error
//! and no `Debug` text repeats a secret.

pub(crate) mod allowed_redirects;
mod commands;
mod event_receivers;
mod events;
mod orders;
mod payment_method_details;
mod read;
mod settings;
mod staff;
mod stores;
mod timing;
mod value;

pub use commands::{Command, EventCommand, KeyCommand, NewApiKey};
pub(crate) use event_receivers::EventReceiver;
pub(crate) use events::EventSigningKey;
pub use payment_method_details::MethodDetails;
pub use settings::{Settings, WrongSettings};
pub use staff::StaffConfig;
pub use stores::{MerchantStore, MerchantStores};
pub use timing::Timing;

use crate::config::allowed_redirects::RedirectAllow;
use crate::database_address::DatabaseAddress;
use crate::http_client::{is_exposed, is_loopback};
use crate::payment_service::ServiceAccess;
use crate::payment_service::TokenSource;
use crate::shop_orders::OrderSource;
use axum::http::HeaderValue;
use ipnet::IpNet;
use payment_rules::service_answers::{AcceptedCodes, AmountUnits};
use secrecy::SecretString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Settings that were checked; secrets in it print nothing.
#[derive(Debug)]
pub struct Config {
    /// The address and port to listen on.
    pub listen: SocketAddr,
    /// The address under which the payment service reaches this server's `/api`.
    pub public_url: Url,
    /// The database.
    pub database: DatabaseAddress,
    /// The payment service.
    pub payment_url: Url,
    /// Its access token.
    pub payment_token: Arc<TokenSource>,
    /// The value of `ALG-API-VERSION`.
    pub api_version: HeaderValue,
    /// The value of `payment-facilitator-code`, for merchants that have one.
    pub payment_facilitator_code: Option<HeaderValue>,
    /// The merchant's stores, each with a code at the service.
    pub stores: MerchantStores,
    /// For how long an order without an end of its own can be paid, from when it was stored first.
    pub time_to_pay: Option<Duration>,
    /// For how long the server's own page of an order can be read.
    pub pay_link_age: Duration,
    /// The folder with the element's files, where the page of an order has the element.
    pub pay_page_element: Option<PathBuf>,
    /// The source of orders besides those that the program registers.
    pub(crate) orders: OrderSource,
    /// The beginning of every operation number of this installation.
    pub operation_prefix: String,
    /// The length of operation numbers, prefix included.
    pub operation_length: usize,
    /// The key that signs session cookies and checkout tokens.
    pub cookie_key: SecretString,
    /// True when cookies are for https only.
    pub cookie_secure: bool,
    /// The addresses that payers may be sent back to.
    pub redirect_allow: RedirectAllow,
    /// Origins of pages that may call this server from elsewhere.
    pub cors_origins: Vec<String>,
    /// The `method_details` in requests for further methods.
    pub method_details: MethodDetails,
    /// True when programs of the shop may reverse what was paid in cash or by a transfer.
    pub reverses_cash: bool,
    /// True where a standby of the database that may lack commits never takes over, or `restored` always follows.
    pub standbys_may_lack_commits: bool,
    /// How whole numbers in the service's answers are meant.
    pub amount_units: AmountUnits,
    /// The result codes with which an answer of the service counts as accepted.
    pub accepted_codes: AcceptedCodes,
    /// The merchant's own systems that take events.
    pub(crate) receivers: Vec<EventReceiver>,
    /// The key that signs events, also without a receiver.
    pub(crate) event_key: Option<EventSigningKey>,
    /// The merchant's staff.
    pub staff: StaffConfig,
    /// How many connections there may be at once.
    pub most_connections: usize,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The networks that may read the figures.
    pub metrics_from: Vec<IpNet>,
    /// Intervals, limits and time-outs.
    pub timing: Timing,
}

impl Config {
    /// The way to the payment service.
    pub(crate) fn service_access(&self) -> ServiceAccess {
        ServiceAccess {
            base: self.payment_url.clone(),
            version: self.api_version.clone(),
            facilitator: self.payment_facilitator_code.clone(),
            token: Arc::clone(&self.payment_token),
            accepted: self.accepted_codes.clone(),
        }
    }

    /// The methods that a payer may choose here, by their names on the wire.
    pub(crate) fn offered_methods(&self) -> impl Iterator<Item = &str> {
        use payment_model::PaymentMethodName::{Installment, Qr};
        let back = !self.redirect_allow.is_empty();
        let further = self.method_details.methods();
        [&Qr, &Installment]
            .into_iter()
            .chain(further)
            .filter(move |method| match method {
                Installment => back,
                method => back || self.method_details.want_redirect(method) != Some(true),
            })
            .map(|method| method.as_str())
    }

    /// The warnings for the log, about settings that are permitted but risky.
    #[must_use]
    pub fn warnings(&self) -> Vec<&'static str> {
        let mut warnings = Vec::new();
        if is_exposed(&self.payment_url) {
            warnings.push("PAYMENT_URL is http: the access token travels unencrypted");
        }
        if self.redirect_allow.is_empty() {
            warnings.push("REDIRECT_ALLOW is empty: on your own pages nobody can pay by installments, or by what else leads elsewhere");
        }
        if !self.cookie_secure && !is_loopback(&self.public_url) {
            warnings.push("cookies are not limited to https: set COOKIE_SECURE=true behind https");
        }
        let receivers = &self.receivers;
        if receivers.is_empty() {
            warnings.push(
                "EVENTS_URL is missing: nobody is told of payments, and programs of the shop can read the events of 30 days",
            );
        }
        if receivers.iter().any(|receiver| is_exposed(&receiver.url)) {
            warnings.push("the address of a receiver of events is http: events travel unencrypted");
        }
        if receivers
            .iter()
            .any(|receiver| receiver.key.is_plain_text())
        {
            warnings.push("the secret of a receiver of events has no `whsec_`: libraries for Standard Webhooks decode every secret as base64, and find no matching signature; give `whsec_` and 32 random bytes in base64");
        }
        if matches!(&self.orders, OrderSource::Shop(shop) if shop.is_exposed()) {
            warnings.push("ORDERS_URL is http: ORDERS_SECRET and payers' data travel unencrypted");
        }
        if self.trusted_proxies.is_empty() {
            warnings.push("TRUSTED_PROXIES is missing: behind a proxy, all payers together count as one client");
        }
        if self.staff.accounts.is_none() {
            warnings.push("STAFF_FILE is missing: nobody of the staff can sign in");
        }
        warnings
    }
}
