//! Every setting with its help, its default, its type and its reader, declared once.

use super::combined::{
    CookieSettings, OperationNumbers, OperationSettings, OrderSettings, StaffSettings,
    TokenSettings,
};
use super::commands::Command;
use super::events::{EventSettings, Events};
use super::stores::{MerchantStores, StoreSettings};
use super::value::{
    Given, MISSING, Reader, WrongSettings, base_url, boolean, element_folder, header, networks,
    number, origins, setting,
};
use super::{MethodDetails, RedirectAllow};
use crate::database_address::DatabaseAddress;
use crate::payment_service::TokenSource;
use crate::shop_orders::OrderSource;
use crate::staff::{SecondFactorPolicy, StaffAccounts};
use axum::http::HeaderValue;
use clap::{CommandFactory, FromArgMatches, Parser};
use ipnet::IpNet;
use jiff::tz::TimeZone;
use payment_model::API_VERSION;
use payment_rules::service_answers::{AcceptedCodes, AmountUnits, RefusedCodes};
use secrecy::SecretString;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Makes two structs of one list: `Settings`, with what was given for each setting, and `Config`, with its value.
/// The text of a setting is read by what follows `=`. After `as` is a struct of several settings that have one value
/// together: its function `read` makes the value.
macro_rules! settings {
    ($(
        $(#[doc = $help:tt])*
        $(#[arg($($shown:tt)*)])?
        $visible:vis $name:ident: $type:ty $(as $several:ty)? $(= $reader:expr)?,
    )*) => {
        /// The reference merchant server.
        ///
        /// Every setting is an environment variable or the flag of the same name.
        #[derive(Parser, Clone)]
        #[command(name = "merchant-backend", version)]
        pub struct Settings {
            /// The command to run instead of serving
            #[command(subcommand)]
            pub command: Option<Command>,
            $(
                $(#[doc = $help])*
                $(#[arg(long, env, verbatim_doc_comment, $($shown)*)])?
                $(#[arg(value_parser = { let reader: Reader<$type> = $reader; reader })] $name: Given<$type>,)?
                $(#[command(flatten)] $name: $several,)?
            )*
        }

        /// Settings that were checked; secrets in it print nothing.
        #[derive(Debug)]
        pub struct Config {
            $($(#[doc = $help])* $visible $name: $type,)*
            /// Intervals, limits and time-outs without a setting.
            pub timing: Timing,
        }

        impl Config {
            /// Checks the settings.
            ///
            /// # Errors
            /// All errors at once.
            pub fn read(settings: &Settings) -> Result<Self, WrongSettings> {
                let mut wrong = WrongSettings::default();
                let mut config = Self::collect(settings.clone(), &mut wrong);
                if let Some(config) = &mut config {
                    // Only staff can say that the service has put it right.
                    let stops = config.staff_accounts.is_some() && config.refused_codes.has_any();
                    config.stores.stop_qr(stops);
                }
                wrong.0.extend(config.iter().flat_map(Self::unknown_limits));
                config.filter(|_| wrong.0.is_empty()).ok_or(wrong)
            }

            /// Reads every setting before the first wrong one ends it, so that `wrong` has all mistakes.
            fn collect(given: Settings, wrong: &mut WrongSettings) -> Option<Self> {
                $(let $name = given.$name.read(wrong);)*
                Some(Self { $($name: $name?,)* timing: Timing::default() })
            }
        }
    };
}

settings! {
    /// The address and port to listen on
    #[arg(long = "backend-listen", env = "BACKEND_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8081")]
    pub listen: SocketAddr = setting("give an address and a port, such as 127.0.0.1:8081", |text| {
        text.parse().map_err(|_| format!("is `{text}`, which is no address with a port"))
    }),
    /// The address under which the payment service reaches this server's /api
    #[arg(value_name = "URL", default_value = MISSING, hide_default_value = true)]
    pub public_url: Url = setting("give the address under which the payment service reaches this server's /api, such as https://shop.example/api", base_url),
    /// The file of the database, which is made if it does not exist, or the address of a database of
    /// PostgreSQL
    #[arg(value_name = "FILE or postgres://…", default_value = MISSING, hide_default_value = true, hide_env_values = true)]
    pub database: DatabaseAddress = setting("name the file that keeps orders and payments, such as data/merchant.db, or a database of PostgreSQL, such as postgres://merchant@db.example/merchant", DatabaseAddress::read),
    /// The address of the payment service
    #[arg(value_name = "URL", default_value = MISSING, hide_default_value = true)]
    pub payment_url: Url = setting("give the address of the payment service, such as https://api.example", base_url),
    /// The access token of the payment service.
    pub payment_token: Arc<TokenSource> as TokenSettings,
    /// How long the payment service may take, in milliseconds
    #[arg(long = "payment-timeout-ms", env = "PAYMENT_TIMEOUT_MS", value_name = "MS", default_value = "10000")]
    pub payment_timeout: Duration = number("number of milliseconds", 100..=60_000).map(Duration::from_millis),
    /// The most new orders and authorizations a minute, of all payers together
    #[arg(value_name = "NUMBER", default_value = "1200")]
    pub starts_per_minute: u32 = number("number", 1..=1_000_000),
    /// The most queries a second to the payment service, for all payers together; those before a
    /// cancellation or a refund may be as many again
    #[arg(value_name = "NUMBER", default_value = "100")]
    pub queries_per_second: u32 = number("number", 1..=10_000),
    /// The most new orders a minute of one client, which is a session and an address; an address
    /// may authorize twice as often
    #[arg(long = "client-orders-per-minute", env = "CLIENT_ORDERS_PER_MINUTE", value_name = "NUMBER", default_value = "30")]
    pub orders_per_minute: u32 = number("number", 1..=1_000_000),
    /// The most connections at once; each waiting payer holds one. When all are taken, the one that
    /// has been without a request for longest is closed
    #[arg(long = "max-connections", env = "MAX_CONNECTIONS", value_name = "NUMBER", default_value = "4096")]
    pub most_connections: usize = number("number", 16..=100_000),
    /// Addresses or networks of the proxies in front of the server, whose X-Forwarded-For gives the
    /// client's address [default: none; the other end of the connection is the client]
    #[arg(value_name = "ADDRESSES", default_value = MISSING, hide_default_value = true)]
    pub trusted_proxies: Vec<IpNet> = setting("list the addresses of the proxies in front, such as 127.0.0.1 or 10.0.0.0/8, or leave it out", networks).optional(),
    /// Addresses or networks that may read /metrics; for others there is nothing
    #[arg(value_name = "ADDRESSES", default_value = "127.0.0.0/8,::1")]
    pub metrics_from: Vec<IpNet> = setting("list the addresses of the programs that read /metrics, such as 10.0.0.5 or 10.0.0.0/8, or leave it out", networks),
    /// Addresses or networks of callers whose trace is continued, which a header `traceparent` names
    /// [default: none; each request begins a trace]
    #[arg(value_name = "ADDRESSES", default_value = MISSING, hide_default_value = true)]
    pub trace_trusted: Vec<IpNet> = setting("list the addresses of callers that send a traceparent, such as 10.0.0.5 or 10.0.0.0/8, or leave it out", networks).optional(),
    /// Sends the header traceparent to the payment service too, whose specification does not show it
    #[arg(value_name = "true|false", default_value = "false")]
    pub trace_to_payment_service: bool = setting("give true or false, or leave it out", boolean),
    /// How old a refund of unknown outcome must be before it may be released, in seconds
    #[arg(long = "release-after-seconds", env = "RELEASE_AFTER_SECONDS", value_name = "SECONDS", default_value = "120")]
    pub release_after: Duration = number("number of seconds", 0..=86_400).map(Duration::from_secs),
    /// The version of the payment service's interface
    #[arg(value_name = "VERSION", default_value = API_VERSION)]
    pub api_version: HeaderValue = setting("give the version that the payment service documents, or leave it out", header),
    /// The payment facilitator's code, for merchants who use one [default: none]
    #[arg(value_name = "CODE", default_value = MISSING, hide_default_value = true)]
    pub payment_facilitator_code: Option<HeaderValue> = setting("give the code that the payment facilitator is known by, or leave it out", header).optional(),
    /// The merchant's stores, each with a code at the service.
    pub stores: MerchantStores as StoreSettings,
    /// The source of orders besides those that the program registers.
    pub(crate) orders: OrderSource as OrderSettings,
    /// For how many hours an order can be paid whose `pay_until` the shop does not set; afterwards no
    /// attempt to pay begins, and the shop gets the event order.unpaid [default: for ever]
    #[arg(long = "order-pay-hours", env = "ORDER_PAY_HOURS", value_name = "HOURS", default_value = MISSING, hide_default_value = true)]
    pub time_to_pay: Option<Duration> = number("number of hours", 1..=8760).map(Duration::from_hours).optional(),
    /// For how many days the server's own page of an order can be read
    #[arg(long = "pay-link-days", env = "PAY_LINK_DAYS", value_name = "DAYS", default_value = "180")]
    pub pay_link_age: Duration = number("number of days", 1..=3650).map(|days| Duration::from_hours(24 * days)),
    /// The folder `element` of the npm package payment-checkout-element: the server serves its files,
    /// and its own page of an order shows the element in browsers with scripts [default: none; the
    /// page never has scripts]
    #[arg(value_name = "FOLDER", default_value = MISSING, hide_default_value = true)]
    pub pay_page_element: Option<PathBuf> = setting("name the folder `element` of the npm package payment-checkout-element, or leave it out", element_folder).optional(),
    /// The beginning and the length of operation numbers.
    pub(crate) operation_numbers: OperationNumbers as OperationSettings,
    /// The key that signs session cookies and checkout tokens.
    pub cookie_key: SecretString as CookieSettings,
    /// Limits cookies to https [default: true when PUBLIC_URL is https]
    #[arg(value_name = "true|false", default_value = MISSING, hide_default_value = true)]
    pub cookie_secure: Option<bool> = setting("give true or false, or leave it out", boolean).optional(),
    /// The addresses that payers may be sent back to: origins, or origins with the beginning of a
    /// path
    #[arg(value_name = "URLS", default_value = MISSING, hide_default_value = true)]
    pub redirect_allow: RedirectAllow = setting("list the origins of the merchant's pages, such as https://shop.example", |text| {
        RedirectAllow::parse(text).map_err(|why| format!("is wrong, {why}"))
    }).optional(),
    /// Origins of pages on other sites that may call this server
    #[arg(value_name = "ORIGINS", default_value = MISSING, hide_default_value = true)]
    pub cors_origins: Vec<String> = setting("list origins without a path, such as https://shop.example", origins).optional(),
    /// A JSON object with the details to authorize further methods with, such as {"CASHCODE": {},
    /// "BANK_TRANSFER": {"redirect_url": "{redirect_url}"}}: the specification does not show these
    /// requests, so the server sends these details unchanged, and only a text that is exactly
    /// {redirect_url} or {callback_url} becomes the operation's own address [default: the server
    /// offers QR and INSTALLMENT, whose requests the specification shows]
    #[arg(value_name = "JSON", default_value = MISSING, hide_default_value = true)]
    pub method_details: MethodDetails = setting("give a JSON object such as {\"CASHCODE\": {}}, or leave it out", MethodDetails::parse).optional(),
    /// Lets a program of the shop reverse an unsettled payment by a cash code or a transfer: the
    /// specification does not show how that money reaches the payer
    #[arg(long = "reverse-cash", env = "REVERSE_CASH", value_name = "true|false", default_value = "false")]
    pub reverses_cash: bool = setting("give true or false, or leave it out", boolean),
    /// With standbys of PostgreSQL that the database does not wait for: true if none of them ever takes over, or if
    /// `restored` always follows
    #[arg(value_name = "true|false", default_value = "false")]
    pub standbys_may_lack_commits: bool = setting("give true or false, or leave it out", boolean),
    /// The unit of whole numbers in the service's answers: cents or units
    #[arg(value_name = "WORD", default_value = "cents")]
    pub amount_units: AmountUnits = setting("say how whole numbers in the payment service's answers are meant", |text| text.parse().map_err(str::to_owned)),
    /// The result codes (meta.status.code) with which an answer of the payment service counts as
    /// accepted, separated by commas; any other answer proves nothing
    #[arg(value_name = "CODES", default_value = AcceptedCodes::DEFAULT)]
    pub accepted_codes: AcceptedCodes = setting("give the codes of meta.status.code that mean success, separated by commas, or leave it out", |text| {
        AcceptedCodes::read(text).ok_or_else(|| "has an empty code".to_owned())
    }),
    /// Which QRs of the payment service reach no payer, by what the server reads in them: `wrong` (another amount or
    /// currency than the order's, or damaged), `unknown` (another form than that of EMVCo), `unreadable`, with
    /// commas between, or `none`
    #[arg(value_name = "WORDS", default_value = RefusedCodes::DEFAULT, verbatim_doc_comment)]
    pub refused_codes: RefusedCodes = setting("give some of wrong, unknown, unreadable with commas between, or none", RefusedCodes::read),
    /// What takes events, and what signs them.
    pub(crate) events: Events as EventSettings,
    /// The accounts of staff that may sign in; without a file there are none.
    pub staff_accounts: Option<StaffAccounts> as StaffSettings,
    /// After how many minutes without use the session of an account without permissions ends, which may only look; one
    /// that may do more ends after 30
    #[arg(long = "staff-look-only-idle-minutes", env = "STAFF_LOOK_ONLY_IDLE_MINUTES", value_name = "MINUTES", default_value = "30", verbatim_doc_comment)]
    pub look_only_idle: Duration = number("number of minutes", 30..=480).map(Duration::from_mins),
    /// Whether accounts of staff need a second factor: `required`, or an account without one may only look;
    /// `optional`, only accounts that have one are asked for codes. The command `second-factor` enrols an account
    #[arg(long = "staff-second-factor", env = "STAFF_SECOND_FACTOR", value_name = "WORD", default_value = "required", verbatim_doc_comment)]
    pub second_factor_policy: SecondFactorPolicy = setting("give required or optional", SecondFactorPolicy::read),
    /// The merchant's time zone, for files and pages
    #[arg(long = "merchant-time-zone", env = "MERCHANT_TIME_ZONE", value_name = "NAME", default_value = "America/Lima")]
    pub time_zone: TimeZone = setting("give the name of a time zone, such as America/Lima", |name| {
        TimeZone::get(name).map_err(|_| format!("is `{name}`"))
    }),
    /// After how many hours an unsettled payment is an exception
    #[arg(long = "settlement-due-hours", env = "SETTLEMENT_DUE_HOURS", value_name = "HOURS", default_value = "72")]
    pub settlement_due: Duration = number("number of hours", 1..=8760).map(Duration::from_hours),
}

/// Makes a struct with its defaults of one list.
macro_rules! timing {
    ($($(#[$about:meta])* $name:ident: $type:ty = $default:expr,)*) => {
        /// Intervals, limits and time-outs without a setting; only tests use other values than the default.
        #[derive(Debug, Clone)]
        pub struct Timing {
            $($(#[$about])* pub $name: $type,)*
        }

        impl Default for Timing {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }
    };
}

timing! {
    /// The least between two queries for one operation: a little over a second, since the network shortens some
    /// of the gaps.
    query_interval: Duration = Duration::from_millis(1050),
    /// How old a stored result may be before a payer's look asks again.
    result_interval: Duration = Duration::from_secs(10),
    /// How long a repeated key waits for the first request.
    key_wait: Duration = Duration::from_secs(10),
    /// The longest that a status request is held.
    longest_poll: Duration = Duration::from_secs(20),
    /// How often a server looks for changes that another one made, and whose notification was lost.
    wakeup_poll_interval: Duration = Duration::from_secs(2),
    /// Status requests held at once for one session.
    polls_per_session: usize = 10,
    /// Authorize requests of one session in a minute.
    authorizes_per_minute: u32 = 60,
    /// How often in a minute a key may be repeated; all keys of an address together four times as often.
    repetitions_per_minute: u32 = 60,
    /// Requests of one API key in a minute.
    api_requests_per_minute: u32 = 600,
    /// How long a payer's request waits for a new answer before it gets the stored one.
    look_patience: Duration = Duration::from_secs(5),
    /// The most that the merchant's own system may take to answer an event.
    event_timeout: Duration = Duration::from_secs(10),
    /// The pause after the first failed delivery of an event; each later one is twice as long.
    event_pause: Duration = Duration::from_secs(5),
    /// The most that the head of a request may take to arrive, and how long a connection may stay
    /// open without one. A proxy that reuses a connection in the moment in which the server closes it
    /// loses a payer's request, so this is longer than proxies keep theirs, which is a minute. A head
    /// that comes slowly takes no place from anybody: it gives way where places are needed.
    head_timeout: Duration = Duration::from_secs(75),
    /// The most that a body may take to arrive.
    body_timeout: Duration = Duration::from_secs(10),
    /// How long sending an answer may make no progress, because the client does not read it.
    write_timeout: Duration = Duration::from_secs(30),
    /// How long the server must have run before it removes orders without an operation.
    observed: Duration = Duration::from_hours(1),
    /// How often the server looks for orders that ended unpaid.
    ended_orders_interval: Duration = Duration::from_secs(5),
    /// How long running work may take at shutdown.
    shutdown: Duration = Duration::from_secs(10),
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

impl Settings {
    /// The names of the accounts of staff; `None` without a file of accounts.
    pub(crate) fn staff_names(&self) -> Result<Option<Vec<String>>, String> {
        self.staff_accounts.names()
    }
}

impl fmt::Debug for Settings {
    /// Some of the settings are secrets, and an address may hold one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Settings(redacted)")
    }
}
