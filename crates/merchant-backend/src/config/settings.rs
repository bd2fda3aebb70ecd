use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// The reference merchant server.
///
/// Every setting is an environment variable or the flag of the same name.
#[derive(Parser, Clone, Default)]
#[command(name = "merchant-backend", version, rename_all = "kebab-case")]
pub struct Settings {
    /// The command to run instead of serving
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The address and port to listen on [default: 127.0.0.1:8081]
    #[arg(long, env = "BACKEND_LISTEN", value_name = "ADDRESS:PORT")]
    pub backend_listen: Option<String>,
    /// The address under which the payment service reaches this server's /api
    #[arg(long, env = "PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// The file of the database, which is made if it does not exist, or the address of a database of
    /// PostgreSQL
    #[arg(
        long,
        env = "DATABASE",
        value_name = "FILE or postgres://…",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    pub database: Option<String>,
    /// The address of the payment service
    #[arg(long, env = "PAYMENT_URL", value_name = "URL")]
    pub payment_url: Option<String>,
    /// The access token of the payment service
    #[arg(
        long,
        env = "PAYMENT_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true
    )]
    pub payment_token: Option<String>,
    /// A file with the access token, read again for every request
    #[arg(long, env = "PAYMENT_TOKEN_FILE", value_name = "FILE")]
    pub payment_token_file: Option<String>,
    /// How long the payment service may take, in milliseconds [default: 10000]
    #[arg(long, env = "PAYMENT_TIMEOUT_MS", value_name = "MS")]
    pub payment_timeout_ms: Option<String>,
    /// The most new orders and authorizations a minute, of all payers together [default: 1200]
    #[arg(long, env = "STARTS_PER_MINUTE", value_name = "NUMBER")]
    pub starts_per_minute: Option<String>,
    /// The most queries a second to the payment service, for all payers together; those before a
    /// cancellation or a refund may be as many again [default: 100]
    #[arg(
        long,
        env = "QUERIES_PER_SECOND",
        value_name = "NUMBER",
        verbatim_doc_comment
    )]
    pub queries_per_second: Option<String>,
    /// The most new orders a minute of one client, which is a session and an address; an address
    /// may authorize twice as often [default: 30]
    #[arg(
        long,
        env = "CLIENT_ORDERS_PER_MINUTE",
        value_name = "NUMBER",
        verbatim_doc_comment
    )]
    pub client_orders_per_minute: Option<String>,
    /// The most connections at once; each waiting payer holds one. When all are taken, the one that
    /// has been without a request for longest is closed [default: 4096]
    #[arg(
        long,
        env = "MAX_CONNECTIONS",
        value_name = "NUMBER",
        verbatim_doc_comment
    )]
    pub max_connections: Option<String>,
    /// Addresses or networks of the proxies in front of the server, whose X-Forwarded-For gives the
    /// client's address [default: none; the other end of the connection is the client]
    #[arg(
        long,
        env = "TRUSTED_PROXIES",
        value_name = "ADDRESSES",
        verbatim_doc_comment
    )]
    pub trusted_proxies: Option<String>,
    /// Addresses or networks that may read /metrics; for others there is nothing [default: this
    /// machine]
    #[arg(
        long,
        env = "METRICS_FROM",
        value_name = "ADDRESSES",
        verbatim_doc_comment
    )]
    pub metrics_from: Option<String>,
    /// How old a refund of unknown outcome must be before it may be released, in seconds [default: 120]
    #[arg(long, env = "RELEASE_AFTER_SECONDS", value_name = "SECONDS")]
    pub release_after_seconds: Option<String>,
    /// The version of the payment service's interface [default: the documented one]
    #[arg(long, env = "API_VERSION", value_name = "VERSION")]
    pub api_version: Option<String>,
    /// The payment facilitator's code, for merchants who use one [default: none]
    #[arg(long, env = "PAYMENT_FACILITATOR_CODE", value_name = "CODE")]
    pub payment_facilitator_code: Option<String>,
    /// A file of stores, one for each merchant code: `[[store]]` with key, merchant_code,
    /// merchant_name and currency, in place of MERCHANT_CODE and MERCHANT_NAME
    #[arg(long, env = "STORES_FILE", value_name = "FILE")]
    pub stores_file: Option<String>,
    /// The merchant's code at the payment service
    #[arg(long, env = "MERCHANT_CODE", value_name = "CODE")]
    pub merchant_code: Option<String>,
    /// The merchant's name as payers know it
    #[arg(long, env = "MERCHANT_NAME", value_name = "NAME")]
    pub merchant_name: Option<String>,
    /// The secret that this server shares with the shop: it verifies orders that the shop signed
    /// (HS256), or with ORDERS_URL it goes to the shop [default: none; the merchant's own program
    /// registers orders]
    #[arg(
        long,
        env = "ORDERS_SECRET",
        value_name = "SECRET",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    pub orders_secret: Option<String>,
    /// A file with the secret, in place of ORDERS_SECRET; read at the start
    #[arg(long, env = "ORDERS_SECRET_FILE", value_name = "FILE")]
    pub orders_secret_file: Option<String>,
    /// A file of keys for orders that the shop signed, in place of ORDERS_SECRET: `[[key]]` with
    /// kid, alg (HS256, ES256 or EdDSA), and secret or public_key (PEM)
    #[arg(
        long,
        env = "ORDERS_KEYS_FILE",
        value_name = "FILE",
        verbatim_doc_comment
    )]
    pub orders_keys_file: Option<String>,
    /// The address at which the shop tells an order, with {order_id} in it; the server asks it with
    /// ORDERS_SECRET as the bearer token
    #[arg(long, env = "ORDERS_URL", value_name = "URL", verbatim_doc_comment)]
    pub orders_url: Option<String>,
    /// The beginning of operation numbers; different for every installation [default: nothing]
    #[arg(long, env = "OPERATION_PREFIX", value_name = "TEXT")]
    pub operation_prefix: Option<String>,
    /// The length of operation numbers, prefix included [default: 12]
    #[arg(long, env = "OPERATION_LENGTH", value_name = "NUMBER")]
    pub operation_length: Option<String>,
    /// The key that signs cookies and tokens: at least 32 random characters
    #[arg(
        long,
        env = "COOKIE_KEY",
        value_name = "SECRET",
        hide_env_values = true
    )]
    pub cookie_key: Option<String>,
    /// A file with the secret, in place of COOKIE_KEY; read at the start
    #[arg(long, env = "COOKIE_KEY_FILE", value_name = "FILE")]
    pub cookie_key_file: Option<String>,
    /// Limits cookies to https [default: true when PUBLIC_URL is https]
    #[arg(long, env = "COOKIE_SECURE", value_name = "true|false")]
    pub cookie_secure: Option<String>,
    /// The addresses that payers may be sent back to: origins, or origins with the beginning of a
    /// path
    #[arg(long, env = "REDIRECT_ALLOW", value_name = "URLS")]
    pub redirect_allow: Option<String>,
    /// Origins of pages on other sites that may call this server
    #[arg(long, env = "CORS_ORIGINS", value_name = "ORIGINS")]
    pub cors_origins: Option<String>,
    /// A JSON object with the details to authorize further methods with, such as {"CASHCODE": {},
    /// "BANK_TRANSFER": {"redirect_url": "{redirect_url}"}}: the specification does not show these
    /// requests, so the server sends these details unchanged, and only a text that is exactly
    /// {redirect_url} or {callback_url} becomes the operation's own address [default: the server
    /// offers QR and INSTALLMENT, whose requests the specification shows]
    #[arg(
        long,
        env = "METHOD_DETAILS",
        value_name = "JSON",
        verbatim_doc_comment
    )]
    pub method_details: Option<String>,
    /// The unit of whole numbers in the service's answers: cents or units [default: cents]
    #[arg(long, env = "AMOUNT_UNITS", value_name = "WORD")]
    pub amount_units: Option<String>,
    /// The result codes (meta.status.code) with which an answer of the payment service counts as
    /// accepted, separated by commas; any other answer proves nothing [default: 00]
    #[arg(
        long,
        env = "ACCEPTED_CODES",
        value_name = "CODES",
        verbatim_doc_comment
    )]
    pub accepted_codes: Option<String>,
    /// The address that takes events for the merchant's own systems: order.paid, order.paid_late,
    /// order.paid_twice, order.reversed, refund.resolved and refund.rejected, as JSON by POST,
    /// repeated until the answer is a 2xx, after 5 seconds and then after twice as long each time,
    /// an hour at the most [default: none; events are kept for 30 days, for a later address]
    #[arg(long, env = "EVENTS_URL", value_name = "URL", verbatim_doc_comment)]
    pub events_url: Option<String>,
    /// The key that signs events, by the convention "Standard Webhooks" (headers webhook-id,
    /// webhook-timestamp, webhook-signature): `whsec_` with base64, or at least 32 characters
    #[arg(
        long,
        env = "EVENTS_SECRET",
        value_name = "SECRET",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    pub events_secret: Option<String>,
    /// A file with the secret, in place of EVENTS_SECRET; read at the start
    #[arg(long, env = "EVENTS_SECRET_FILE", value_name = "FILE")]
    pub events_secret_file: Option<String>,
    /// The file of staff accounts [default: none; no member of staff can sign in]
    #[arg(long, env = "STAFF_FILE", value_name = "FILE")]
    pub staff_file: Option<String>,
    /// The merchant's time zone, for files and pages [default: America/Lima]
    #[arg(long, env = "MERCHANT_TIME_ZONE", value_name = "NAME")]
    pub merchant_time_zone: Option<String>,
    /// After how many hours an unsettled payment is an exception [default: 72]
    #[arg(long, env = "SETTLEMENT_DUE_HOURS", value_name = "HOURS")]
    pub settlement_due_hours: Option<String>,
}

impl Settings {
    /// Reads the command line and the environment of a program of this name. Ends the program after
    /// an error in it, and after a request for help.
    #[must_use]
    pub fn from_command_line(program: &'static str) -> Self {
        let matches = Self::command().name(program).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// The commands of the program besides serving.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Read a password from the standard input and print the line for the staff file
    HashPassword,
    /// Look at the settings, the database, the payment service and everything else that the server
    /// talks to, and say what is wrong. Changes nothing; may run beside the server
    #[command(verbatim_doc_comment)]
    Check,
    /// Move everything from a file of SQLite to an empty database of PostgreSQL, which takes its place.
    /// Stop the server before, name the new one in DATABASE afterwards, and run the command again
    /// after an interruption: the file may be marked as moved, so that no server starts on it
    #[command(verbatim_doc_comment)]
    Copy {
        /// The file
        #[arg(long, value_name = "FILE")]
        from: String,
        /// The address of the database, without a password, which PGPASSFILE holds: other programs can
        /// read a command line
        #[arg(long, value_name = "postgres://…", verbatim_doc_comment)]
        to: String,
        /// Copy nothing, and take the mark of an interrupted copy away: servers start on the file again.
        /// Only while the new database is empty
        #[arg(long, verbatim_doc_comment)]
        abandon: bool,
    },
    /// Tell the server that the DATABASE was restored from a backup, or that a standby took over which
    /// lacked commits: nothing older is removed, reversed or refunded, and no older order takes a new
    /// payment, before staff confirm. Stop every server before
    #[command(verbatim_doc_comment)]
    Restored {
        /// Everything older was compared with the payment service: treat it like the rest again
        #[arg(long)]
        compared: bool,
    },
    /// Hold a statement of the payment service against the DATABASE, beside the running server. Prints
    /// what differs, and makes each difference an exception for staff
    #[command(verbatim_doc_comment)]
    Compare {
        /// A file in CSV with the columns merchant_code, merchant_operation_number, state and amount
        /// (129.90)
        #[arg(long, value_name = "FILE", verbatim_doc_comment)]
        statement: String,
    },
    /// Remove the data of the payers of old orders from the DATABASE, beside the running server:
    /// persons, accounts, masked numbers, details of methods and everything that the specification
    /// does not document. Unfinished orders are left
    #[command(verbatim_doc_comment)]
    Purge {
        /// The least age of the orders
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        older_than: u32,
    },
}

impl std::fmt::Debug for Settings {
    /// Some of the settings are secrets, and an address may hold one.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Settings(redacted)")
    }
}
