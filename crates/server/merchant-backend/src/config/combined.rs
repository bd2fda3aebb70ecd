//! Values that several settings have together.

use super::value::{Given, WrongSettings, number};
use crate::payment_service::TokenSource;
use crate::plain_text::plain;
use crate::random::identifier;
use crate::shop_orders::{OrderKeys, OrderSource, Shop};
use crate::staff::StaffAccounts;
use clap::Args;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;

#[derive(Args, Clone)]
pub(super) struct TokenSettings {
    /// The access token of the payment service
    #[arg(long, env, value_name = "TOKEN", hide_env_values = true)]
    payment_token: Option<SecretString>,
    /// A file with the access token, read again for every request
    #[arg(long, env, value_name = "FILE")]
    payment_token_file: Option<String>,
}

impl TokenSettings {
    pub(super) fn read(self, wrong: &mut WrongSettings) -> Option<Arc<TokenSource>> {
        let token = self.payment_token;
        let token = token.filter(|token| !token.expose_secret().trim().is_empty());
        let file = self.payment_token_file;
        let source = match (token, file.filter(|file| !file.trim().is_empty())) {
            (Some(token), None) => Ok(("PAYMENT_TOKEN", TokenSource::Fixed(token))),
            (None, Some(file)) => Ok(("PAYMENT_TOKEN_FILE", TokenSource::file(file.into()))),
            (Some(_), Some(_)) => {
                Err("PAYMENT_TOKEN and PAYMENT_TOKEN_FILE are both set: leave one out.".to_owned())
            }
            (None, None) => Err("PAYMENT_TOKEN is missing: give the access token that the payment service issued, or name a file that holds it in PAYMENT_TOKEN_FILE.".to_owned()),
        };
        wrong.keep(source.and_then(|(name, source)| match source.current() {
            Ok(_) => Ok(Arc::new(source)),
            Err(error) => Err(format!("{name}: {error}.")),
        }))
    }
}

#[derive(Args, Clone)]
pub(super) struct OrderSettings {
    /// The secret that this server shares with the shop: it verifies orders that the shop signed
    /// (HS256), or with ORDERS_URL it goes to the shop [default: none; the merchant's own program
    /// registers orders]
    #[arg(long, env, value_name = "SECRET")]
    #[arg(hide_env_values = true, verbatim_doc_comment)]
    orders_secret: Option<SecretString>,
    /// A file with the secret, in place of ORDERS_SECRET; read at the start
    #[arg(long, env, value_name = "FILE")]
    orders_secret_file: Option<String>,
    /// A file of keys for orders that the shop signed, in place of ORDERS_SECRET: `[[key]]` with
    /// kid, alg (HS256, ES256 or EdDSA), and secret or public_key (PEM)
    #[arg(long, env, value_name = "FILE", verbatim_doc_comment)]
    orders_keys_file: Option<String>,
    /// The address at which the shop tells an order, with {order_id} in it; the server asks it with
    /// ORDERS_SECRET as the bearer token
    #[arg(long, env, value_name = "URL", verbatim_doc_comment)]
    orders_url: Option<String>,
}

impl OrderSettings {
    pub(super) fn read(self, wrong: &mut WrongSettings) -> Option<OrderSource> {
        const HINT: &str = "give at least 32 random characters, which the shop's server knows too, or leave it out";
        let file = self.orders_secret_file.as_deref();
        let secret = wrong.keep(secret("ORDERS_SECRET", self.orders_secret, file))?;
        let secret = secret.as_ref().map(ExposeSecret::expose_secret);
        let (url, file) = (self.orders_url.as_deref(), self.orders_keys_file.as_deref());
        wrong.keep(match (url.map(str::trim), secret, file.map(str::trim)) {
            (None, None, None) => Ok(OrderSource::Registered),
            (None, Some(_), Some(_)) => Err("ORDERS_SECRET and ORDERS_KEYS_FILE are both set: leave one out.".to_owned()),
            (Some(_), _, Some(_)) => Err("ORDERS_URL and ORDERS_KEYS_FILE are both set: leave one out.".to_owned()),
            (None, None, Some(file)) => OrderKeys::open(file).map(OrderSource::Signed).map_err(|why| {
                format!("ORDERS_KEYS_FILE {why}: name a file of keys, each with kid, alg, and secret or public_key.")
            }),
            (None, Some(secret), None) => {
                let keys = OrderKeys::shared(secret).map(OrderSource::Signed);
                keys.map_err(|why| format!("ORDERS_SECRET {why}: {HINT}."))
            }
            (Some(_), None, None) => Err(format!("ORDERS_SECRET is missing beside ORDERS_URL: {HINT}.")),
            (Some(_), Some(secret), None) if secret.len() < 32 => {
                Err(format!("ORDERS_SECRET is too short: {HINT}."))
            }
            (Some(url), Some(secret), None) => Shop::new(url, secret).map(OrderSource::Shop).map_err(|why| {
                format!("ORDERS_URL {why}: give the address at which the shop tells an order, such as https://shop.example/orders/{{order_id}}, or leave it out.")
            }),
        })
    }
}

/// How operation numbers look.
#[derive(Debug)]
pub(crate) struct OperationNumbers {
    /// The beginning of every operation number of this installation.
    pub(crate) prefix: String,
    /// The length of operation numbers, prefix included.
    pub(crate) length: usize,
}

/// The least random digits in an operation number.
const LEAST_RANDOM_DIGITS: usize = 8;

/// The most characters of an operation number.
const LONGEST_NUMBER: usize = 64;

#[derive(Args, Clone)]
pub(super) struct OperationSettings {
    /// The beginning of operation numbers; different for every installation [default: nothing]
    #[arg(long, env, value_name = "TEXT")]
    operation_prefix: Option<String>,
    /// The length of operation numbers, prefix included [default: 12]
    #[arg(long, env, value_name = "NUMBER")]
    #[arg(value_parser = number("number", LEAST_RANDOM_DIGITS..=LONGEST_NUMBER))]
    operation_length: Option<Given<usize>>,
}

impl OperationSettings {
    pub(super) fn read(self, wrong: &mut WrongSettings) -> Option<OperationNumbers> {
        let length = wrong.keep(self.operation_length.map(|given| given.0).transpose())?;
        let prefix = self.operation_prefix.as_deref().map_or("", str::trim);
        // An empty prefix is none.
        let checked = if prefix.is_empty() {
            Ok(String::new())
        } else {
            identifier(prefix)
        };
        let prefix = wrong.keep(checked.map_err(|why| {
            format!("OPERATION_PREFIX {why}: give a few letters or digits, or leave it out.")
        }))?;
        let least = prefix.len() + LEAST_RANDOM_DIGITS;
        let length = length.unwrap_or(least.max(12));
        if length < least {
            return wrong.keep(Err(format!("OPERATION_LENGTH is `{length}`: give a number from {least} to {LONGEST_NUMBER} (OPERATION_PREFIX and at least {LEAST_RANDOM_DIGITS} random digits).")));
        }
        Some(OperationNumbers { prefix, length })
    }
}

#[derive(Args, Clone)]
pub(super) struct CookieSettings {
    /// The key that signs cookies and tokens: at least 32 random characters
    #[arg(long, env, value_name = "SECRET", hide_env_values = true)]
    cookie_key: Option<SecretString>,
    /// A file with the secret, in place of COOKIE_KEY; read at the start
    #[arg(long, env, value_name = "FILE")]
    cookie_key_file: Option<String>,
}

impl CookieSettings {
    pub(super) fn read(self, wrong: &mut WrongSettings) -> Option<SecretString> {
        let file = self.cookie_key_file.as_deref();
        let key = wrong.keep(secret("COOKIE_KEY", self.cookie_key, file))?;
        let why = match key.as_ref().map(|key| key.expose_secret().len()) {
            None => "is missing",
            Some(0) => "is empty",
            Some(..32) => "is too short",
            Some(_) => return key,
        };
        wrong.keep(Err(format!(
            "COOKIE_KEY {why}: give at least 32 random characters, the same after every restart."
        )))
    }
}

// One setting, whose error is a whole sentence already.
#[derive(Args, Clone)]
pub(super) struct StaffSettings {
    /// The file of staff accounts [default: none; no member of staff can sign in]
    #[arg(long, env, value_name = "FILE")]
    staff_file: Option<String>,
}

impl StaffSettings {
    pub(super) fn read(self, wrong: &mut WrongSettings) -> Option<Option<StaffAccounts>> {
        let accounts = self.staff_file.map(StaffAccounts::open).transpose();
        wrong.keep(accounts.map_err(|error| format!("{error}.")))
    }

    /// The names of the accounts, for a command that reads no other setting.
    pub(super) fn names(&self) -> Result<Option<Vec<String>>, String> {
        let accounts = self.staff_file.clone().map(StaffAccounts::open).transpose();
        let names = accounts.map_err(|error| format!("{error}."))?;
        let names = names.map(|accounts| accounts.names());
        if names.as_ref().is_some_and(Vec::is_empty) {
            return Err("STAFF_FILE has no account; name the file that the server reads, or leave the setting out.".to_owned());
        }
        Ok(names)
    }
}

/// A secret from one of its two settings, without the blanks around it.
pub(super) fn secret(
    name: &str,
    given: Option<SecretString>,
    file: Option<&str>,
) -> Result<Option<SecretString>, String> {
    const HINT: &str = "name a file with the secret in it and nothing else";
    let of_file = format!("{name}_FILE");
    let (name, text) = match (given, file.map(str::trim)) {
        (None, None) => return Ok(None),
        (Some(given), None) => (name, given),
        (Some(_), Some(_)) => {
            return Err(format!("{of_file} and {name} are both set: leave one out."));
        }
        (None, Some(file)) => {
            let wrong = |why: &str| format!("{of_file}: {file} {why}: {HINT}.");
            let text = std::fs::read_to_string(file)
                .map_err(|error| wrong(&format!("cannot be read ({})", error.kind())))?;
            if text.trim().is_empty() {
                return Err(wrong("is empty"));
            }
            (&*of_file, text.into())
        }
    };
    let secret = plain(text.expose_secret()).map_err(|why| format!("{name} {why}."))?;
    Ok(Some(secret.into()))
}
