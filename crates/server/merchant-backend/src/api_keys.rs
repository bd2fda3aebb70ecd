//! API keys, with which programs of the shop call the server, and the commands that make and end them
//! beside a running server.
//!
//! A key belongs to one store, and has permissions and limits of its own. Two keys may be in force at the
//! same time, so that a shop replaces one without a pause. Only a hash of the secret is stored.

use crate::clock::now;
use crate::config::{MerchantStores, NewApiKey};
use crate::database_address::DatabaseAddress;
use crate::db::{AdminDb, AdminDbError, DbError};
use crate::random::{NoRandomness, secret};
use payment_rules::api_key::ApiKey;
use payment_rules::fingerprint;
use payment_rules::ledger::Limits;
use payment_rules::timing::rfc3339;
use std::fmt::Write as _;

/// The beginning of every secret, by which programs that look for leaked secrets recognize one.
const SECRET_PREFIX: &str = "shopkey_";

/// The stored form of a secret that came with a request; `None` for a text that is no secret of a key.
pub(crate) fn secret_hash(secret: &str) -> Option<String> {
    secret
        .starts_with(SECRET_PREFIX)
        .then(|| fingerprint(secret))
}

/// Why a command about keys failed. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiKeyError {
    #[error("--merchant-code: {0}")]
    Store(String),
    #[error(
        "--name: a key has or had the name `{0}`, which the audit record keeps; choose another"
    )]
    NameTaken(String),
    #[error("there is no key `{0}` in force; `key list` prints the names")]
    NoSuchKey(String),
    #[error(transparent)]
    Database(#[from] AdminDbError),
    #[error("{0}; run it again")]
    Failed(#[from] DbError),
    #[error("{0}; run it again")]
    Random(#[from] NoRandomness),
}

/// Makes a key, which is in force at once, and returns its secret. It is not stored and cannot be read again.
///
/// # Errors
/// The store is unknown, the name is taken, or the database cannot be used.
pub(crate) async fn make(
    database: &DatabaseAddress,
    stores: &MerchantStores,
    new: &NewApiKey,
) -> Result<(ApiKey, String), ApiKeyError> {
    let key = ApiKey {
        name: new.name.clone(),
        merchant_code: store_of(stores, new.merchant_code.as_deref())?,
        permissions: new.may.clone(),
        limits: Limits::with_usual_day(new.refund_limit, new.refund_limit_a_day),
        created_at: now(),
        ended_at: None,
    };
    let secret = format!("{SECRET_PREFIX}{}", secret()?);
    let db = AdminDb::open(database).await?;
    let added = db.add_api_key(&key, &fingerprint(&secret)).await;
    db.close().await;
    match added? {
        true => Ok((key, secret)),
        false => Err(ApiKeyError::NameTaken(key.name)),
    }
}

fn store_of(stores: &MerchantStores, code: Option<&str>) -> Result<String, ApiKeyError> {
    let codes: Vec<_> = stores.all().map(|store| &*store.merchant_code).collect();
    let codes = codes.join(", ");
    let wrong = |why| Err(ApiKeyError::Store(format!("{why}; the stores are {codes}")));
    match code {
        Some(code) => match stores.of_code(code) {
            Some(store) => Ok(store.merchant_code.clone()),
            None => wrong(format!("`{code}` is no store of this server")),
        },
        None if stores.all().count() > 1 => {
            wrong("is missing, and this server has several stores".to_owned())
        }
        None => Ok(stores.first().merchant_code.clone()),
    }
}

/// The table of all keys, as text, the newest first.
///
/// # Errors
/// The database cannot be used.
pub(crate) async fn list(database: &DatabaseAddress) -> Result<String, ApiKeyError> {
    let db = AdminDb::open(database).await?;
    let keys = db.api_keys().await;
    db.close().await;
    let mut text = String::new();
    for key in keys? {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(&key));
    }
    if text.is_empty() {
        "There is no key; `key new` makes one.\n".clone_into(&mut text);
    }
    Ok(text)
}

fn line(key: &ApiKey) -> String {
    let words: Vec<_> = key.permissions.iter().map(|may| may.as_str()).collect();
    let limit = |cents: Option<u64>| {
        cents.map_or_else(|| "no limit".to_owned(), |cents| format!("{cents} cents"))
    };
    let state = match key.ended_at {
        None => "in force".to_owned(),
        Some(at) => format!("ended {}", rfc3339(at)),
    };
    format!(
        "{}  store {}  may {}  refunds: {} at once, {} a day  made {}  {state}",
        key.name,
        key.merchant_code,
        words.join(","),
        limit(key.limits.at_once),
        limit(key.limits.a_day),
        rfc3339(key.created_at),
    )
}

/// Ends a key: the next request with it is refused.
///
/// # Errors
/// There is no such key, or the database cannot be used.
pub(crate) async fn end(database: &DatabaseAddress, name: &str) -> Result<(), ApiKeyError> {
    let db = AdminDb::open(database).await?;
    let ended = db.end_api_key(name, now()).await;
    db.close().await;
    match ended? {
        true => Ok(()),
        false => Err(ApiKeyError::NoSuchKey(name.to_owned())),
    }
}
