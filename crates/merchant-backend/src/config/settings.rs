//! Every setting with its type, its default and its help.

use super::commands::Command;
use super::value::{Given, number, setting};
use super::value::{
    accepted_codes, amount_units, base_url, boolean, element_folder, event_url, header, listen,
    networks, origins, redirects, text, time_zone,
};
use super::{MethodDetails, RedirectAllow};
use crate::database_address::DatabaseAddress;
use crate::random::identifier;
use axum::http::HeaderValue;
use clap::{CommandFactory, FromArgMatches, Parser};
use ipnet::IpNet;
use jiff::tz::TimeZone;
use payment_model::API_VERSION;
use payment_rules::service_answers::{AcceptedCodes, AmountUnits};
use secrecy::SecretString;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use url::Url;

/// The least random digits in an operation number.
pub(super) const LEAST_RANDOM_DIGITS: usize = 8;

/// The most characters of an operation number.
pub(super) const LONGEST_NUMBER: usize = 64;

/// What to do about a missing or wrong `MERCHANT_CODE`.
pub(super) const MERCHANT_CODE_REMEDY: &str = "give the code that the payment service knows the merchant by, or name a file of several stores in STORES_FILE";

/// The reference merchant server.
///
/// Every setting is an environment variable or the flag of the same name.
// An empty default means that the setting has to be given.
#[derive(Parser, Clone)]
#[command(name = "merchant-backend", version)]
pub struct Settings {
    /// The command to run instead of serving
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The address and port to listen on
    #[arg(long, env, value_name = "ADDRESS:PORT")]
    #[arg(default_value = "127.0.0.1:8081")]
    #[arg(value_parser = setting("give an address and a port, such as 127.0.0.1:8081", listen))]
    pub(super) backend_listen: Given<SocketAddr>,
    /// The address under which the payment service reaches this server's /api
    #[arg(long, env, value_name = "URL")]
    #[arg(default_value = "", hide_default_value = true)]
    #[arg(value_parser = setting("give the address under which the payment service reaches this server's /api, such as https://shop.example/api", base_url))]
    pub(super) public_url: Given<Url>,
    /// The file of the database, which is made if it does not exist, or the address of a database of
    /// PostgreSQL
    #[arg(long, env, value_name = "FILE or postgres://…")]
    #[arg(
        default_value = "",
        hide_default_value = true,
        hide_env_values = true,
        verbatim_doc_comment
    )]
    #[arg(value_parser = setting("name the file that keeps orders and payments, such as data/merchant.db, or a database of PostgreSQL, such as postgres://merchant@db.example/merchant", DatabaseAddress::read))]
    pub(super) database: Given<DatabaseAddress>,
    /// The address of the payment service
    #[arg(long, env, value_name = "URL")]
    #[arg(default_value = "", hide_default_value = true)]
    #[arg(value_parser = setting("give the address of the payment service, such as https://api.example", base_url))]
    pub(super) payment_url: Given<Url>,
    /// The access token of the payment service
    #[arg(long, env, value_name = "TOKEN", hide_env_values = true)]
    pub(super) payment_token: Option<SecretString>,
    /// A file with the access token, read again for every request
    #[arg(long, env, value_name = "FILE")]
    pub(super) payment_token_file: Option<String>,
    /// How long the payment service may take, in milliseconds
    #[arg(long, env, value_name = "MS", default_value = "10000")]
    #[arg(value_parser = number("number of milliseconds", 100..=60_000_u64))]
    pub(super) payment_timeout_ms: Given<u64>,
    /// The most new orders and authorizations a minute, of all payers together
    #[arg(long, env, value_name = "NUMBER", default_value = "1200")]
    #[arg(value_parser = number("number", 1..=1_000_000_u32))]
    pub(super) starts_per_minute: Given<u32>,
    /// The most queries a second to the payment service, for all payers together; those before a
    /// cancellation or a refund may be as many again
    #[arg(long, env, value_name = "NUMBER")]
    #[arg(default_value = "100", verbatim_doc_comment)]
    #[arg(value_parser = number("number", 1..=10_000_u32))]
    pub(super) queries_per_second: Given<u32>,
    /// The most new orders a minute of one client, which is a session and an address; an address
    /// may authorize twice as often
    #[arg(long, env, value_name = "NUMBER")]
    #[arg(default_value = "30", verbatim_doc_comment)]
    #[arg(value_parser = number("number", 1..=1_000_000_u32))]
    pub(super) client_orders_per_minute: Given<u32>,
    /// The most connections at once; each waiting payer holds one. When all are taken, the one that
    /// has been without a request for longest is closed
    #[arg(long, env, value_name = "NUMBER")]
    #[arg(default_value = "4096", verbatim_doc_comment)]
    #[arg(value_parser = number("number", 16..=100_000_usize))]
    pub(super) max_connections: Given<usize>,
    /// Addresses or networks of the proxies in front of the server, whose X-Forwarded-For gives the
    /// client's address [default: none; the other end of the connection is the client]
    #[arg(long, env, value_name = "ADDRESSES", verbatim_doc_comment)]
    #[arg(value_parser = setting("list the addresses of the proxies in front, such as 127.0.0.1 or 10.0.0.0/8, or leave it out", networks))]
    pub(super) trusted_proxies: Option<Given<Vec<IpNet>>>,
    /// Addresses or networks that may read /metrics; for others there is nothing
    #[arg(long, env, value_name = "ADDRESSES", default_value = "127.0.0.0/8,::1")]
    #[arg(value_parser = setting("list the addresses of the programs that read /metrics, such as 10.0.0.5 or 10.0.0.0/8, or leave it out", networks))]
    pub(super) metrics_from: Given<Vec<IpNet>>,
    /// How old a refund of unknown outcome must be before it may be released, in seconds
    #[arg(long, env, value_name = "SECONDS", default_value = "120")]
    #[arg(value_parser = number("number of seconds", 0..=86_400_u64))]
    pub(super) release_after_seconds: Given<u64>,
    /// The version of the payment service's interface
    #[arg(long, env, value_name = "VERSION", default_value = API_VERSION)]
    #[arg(value_parser = setting("give the version that the payment service documents, or leave it out", header))]
    pub(super) api_version: Given<HeaderValue>,
    /// The payment facilitator's code, for merchants who use one [default: none]
    #[arg(long, env, value_name = "CODE")]
    #[arg(value_parser = setting("give the code that the payment facilitator is known by, or leave it out", header))]
    pub(super) payment_facilitator_code: Option<Given<HeaderValue>>,
    /// A file of stores, one for each merchant code: `[[store]]` with key, merchant_code,
    /// merchant_name and currency, in place of MERCHANT_CODE and MERCHANT_NAME
    #[arg(long, env, value_name = "FILE", verbatim_doc_comment)]
    pub(super) stores_file: Option<String>,
    /// The merchant's code at the payment service
    #[arg(long, env, value_name = "CODE")]
    #[arg(value_parser = setting(MERCHANT_CODE_REMEDY, identifier))]
    pub(super) merchant_code: Option<Given<String>>,
    /// The merchant's name as payers know it
    #[arg(long, env, value_name = "NAME")]
    #[arg(value_parser = setting("give the name that payers know the merchant by", text))]
    pub(super) merchant_name: Option<Given<String>>,
    /// The secret that this server shares with the shop: it verifies orders that the shop signed
    /// (HS256), or with ORDERS_URL it goes to the shop [default: none; the merchant's own program
    /// registers orders]
    #[arg(long, env, value_name = "SECRET")]
    #[arg(hide_env_values = true, verbatim_doc_comment)]
    pub(super) orders_secret: Option<SecretString>,
    /// A file with the secret, in place of ORDERS_SECRET; read at the start
    #[arg(long, env, value_name = "FILE")]
    pub(super) orders_secret_file: Option<String>,
    /// A file of keys for orders that the shop signed, in place of ORDERS_SECRET: `[[key]]` with
    /// kid, alg (HS256, ES256 or EdDSA), and secret or public_key (PEM)
    #[arg(long, env, value_name = "FILE", verbatim_doc_comment)]
    pub(super) orders_keys_file: Option<String>,
    /// The address at which the shop tells an order, with {order_id} in it; the server asks it with
    /// ORDERS_SECRET as the bearer token
    #[arg(long, env, value_name = "URL", verbatim_doc_comment)]
    pub(super) orders_url: Option<String>,
    /// For how many hours an order can be paid whose `pay_until` the shop does not set; afterwards no
    /// attempt to pay begins, and the shop gets the event order.unpaid [default: for ever]
    #[arg(long, env, value_name = "HOURS", verbatim_doc_comment)]
    #[arg(value_parser = number("number of hours", 1..=8760_u64))]
    pub(super) order_pay_hours: Option<Given<u64>>,
    /// For how many days the server's own page of an order can be read
    #[arg(long, env, value_name = "DAYS", default_value = "180")]
    #[arg(value_parser = number("number of days", 1..=3650_u64))]
    pub(super) pay_link_days: Given<u64>,
    /// The folder `element` of the npm package payment-checkout-element: the server serves its files,
    /// and its own page of an order shows the element in browsers with scripts [default: none; the
    /// page never has scripts]
    #[arg(long, env, value_name = "FOLDER", verbatim_doc_comment)]
    #[arg(value_parser = setting("name the folder `element` of the npm package payment-checkout-element, or leave it out", element_folder))]
    pub(super) pay_page_element: Option<Given<PathBuf>>,
    /// The beginning of operation numbers; different for every installation [default: nothing]
    #[arg(long, env, value_name = "TEXT")]
    pub(super) operation_prefix: Option<String>,
    /// The length of operation numbers, prefix included [default: 12]
    #[arg(long, env, value_name = "NUMBER")]
    #[arg(value_parser = number("number", LEAST_RANDOM_DIGITS..=LONGEST_NUMBER))]
    pub(super) operation_length: Option<Given<usize>>,
    /// The key that signs cookies and tokens: at least 32 random characters
    #[arg(long, env, value_name = "SECRET", hide_env_values = true)]
    pub(super) cookie_key: Option<SecretString>,
    /// A file with the secret, in place of COOKIE_KEY; read at the start
    #[arg(long, env, value_name = "FILE")]
    pub(super) cookie_key_file: Option<String>,
    /// Limits cookies to https [default: true when PUBLIC_URL is https]
    #[arg(long, env, value_name = "true|false")]
    #[arg(value_parser = setting("give true or false, or leave it out", boolean))]
    pub(super) cookie_secure: Option<Given<bool>>,
    /// The addresses that payers may be sent back to: origins, or origins with the beginning of a
    /// path
    #[arg(long, env, value_name = "URLS", verbatim_doc_comment)]
    #[arg(value_parser = setting("list the origins of the merchant's pages, such as https://shop.example", redirects))]
    pub(super) redirect_allow: Option<Given<RedirectAllow>>,
    /// Origins of pages on other sites that may call this server
    #[arg(long, env, value_name = "ORIGINS")]
    #[arg(value_parser = setting("list origins without a path, such as https://shop.example", origins))]
    pub(super) cors_origins: Option<Given<Vec<String>>>,
    /// A JSON object with the details to authorize further methods with, such as {"CASHCODE": {},
    /// "BANK_TRANSFER": {"redirect_url": "{redirect_url}"}}: the specification does not show these
    /// requests, so the server sends these details unchanged, and only a text that is exactly
    /// {redirect_url} or {callback_url} becomes the operation's own address [default: the server
    /// offers QR and INSTALLMENT, whose requests the specification shows]
    #[arg(long, env, value_name = "JSON", verbatim_doc_comment)]
    #[arg(value_parser = setting("give a JSON object such as {\"CASHCODE\": {}}, or leave it out", MethodDetails::parse))]
    pub(super) method_details: Option<Given<MethodDetails>>,
    /// Lets a program of the shop reverse an unsettled payment by a cash code or a transfer: the
    /// specification does not show how that money reaches the payer
    #[arg(long, env, value_name = "true|false", default_value = "false")]
    #[arg(value_parser = setting("give true or false, or leave it out", boolean), verbatim_doc_comment)]
    pub(super) reverse_cash: Given<bool>,
    /// With standbys of PostgreSQL that the database does not wait for: true if none of them ever takes over, or if
    /// `restored` always follows
    #[arg(long, env, value_name = "true|false", default_value = "false")]
    #[arg(value_parser = setting("give true or false, or leave it out", boolean), verbatim_doc_comment)]
    pub(super) standbys_may_lack_commits: Given<bool>,
    /// The unit of whole numbers in the service's answers: cents or units
    #[arg(long, env, value_name = "WORD", default_value = "cents")]
    #[arg(value_parser = setting("say how whole numbers in the payment service's answers are meant", amount_units))]
    pub(super) amount_units: Given<AmountUnits>,
    /// The result codes (meta.status.code) with which an answer of the payment service counts as
    /// accepted, separated by commas; any other answer proves nothing
    #[arg(long, env, value_name = "CODES", default_value = AcceptedCodes::DEFAULT, verbatim_doc_comment)]
    #[arg(value_parser = setting("give the codes of meta.status.code that mean success, separated by commas, or leave it out", accepted_codes))]
    pub(super) accepted_codes: Given<AcceptedCodes>,
    /// The address that takes events for the merchant's own systems: order.paid, order.paid_late,
    /// order.paid_twice, order.reversed, refund.resolved and refund.rejected, as JSON by POST,
    /// repeated until the answer is a 2xx, after 5 seconds and then after twice as long each time,
    /// an hour at the most [default: none; programs of the shop can read the events of 30 days]
    #[arg(long, env, value_name = "URL", verbatim_doc_comment)]
    #[arg(value_parser = setting("give the address that takes events, such as https://erp.example/events, or leave it out", event_url))]
    pub(super) events_url: Option<Given<Url>>,
    /// A file of further receivers of events: `[[receiver]]` with name, url, secret or secret_file, and
    /// if it does not want all types, types. Each has a queue of its own
    #[arg(long, env, value_name = "FILE", verbatim_doc_comment)]
    pub(super) event_receivers_file: Option<String>,
    /// The key that signs events, by the standard "Standard Webhooks" (headers webhook-id,
    /// webhook-timestamp, webhook-signature): `whsec_` with base64, or two of them with a space
    /// between while receivers change from one to the other
    #[arg(long, env, value_name = "SECRET")]
    #[arg(hide_env_values = true, verbatim_doc_comment)]
    pub(super) events_secret: Option<SecretString>,
    /// A file with the secret, in place of EVENTS_SECRET; read at the start
    #[arg(long, env, value_name = "FILE")]
    pub(super) events_secret_file: Option<String>,
    /// The file of staff accounts [default: none; no member of staff can sign in]
    #[arg(long, env, value_name = "FILE")]
    pub(super) staff_file: Option<String>,
    /// The merchant's time zone, for files and pages
    #[arg(long, env, value_name = "NAME", default_value = "America/Lima")]
    #[arg(value_parser = setting("give the name of a time zone, such as America/Lima", time_zone))]
    pub(super) merchant_time_zone: Given<TimeZone>,
    /// After how many hours an unsettled payment is an exception
    #[arg(long, env, value_name = "HOURS", default_value = "72")]
    #[arg(value_parser = number("number of hours", 1..=8760_u64))]
    pub(super) settlement_due_hours: Given<u64>,
}

impl Settings {
    /// Reads the command line and the environment of a program of this name. Ends the program after
    /// an error in it, and after a request for help.
    #[must_use]
    pub fn from_command_line(program: &'static str) -> Self {
        let matches = Self::command().name(program).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// The database of a command that needs no other setting.
    pub(crate) fn database(&self) -> Result<DatabaseAddress, String> {
        self.database.0.clone()
    }
}

impl fmt::Debug for Settings {
    /// Some of the settings are secrets, and an address may hold one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Settings(redacted)")
    }
}

/// Every error in the settings: a sentence each, with the setting's name and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongSettings(pub(super) Vec<String>);

impl fmt::Display for WrongSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for WrongSettings {}
