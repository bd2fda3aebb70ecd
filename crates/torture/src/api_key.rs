//! Keys of the shop's programs.

use crate::payer::MERCHANT;
use anyhow::Result;
use payment_rules::fingerprint::fingerprint;
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use std::path::Path;
use std::time::Duration;

/// How long the server may keep the database for itself.
const BUSY: Duration = Duration::from_secs(10);

/// Makes a key, and returns its secret. The command that does this for people prints the secret to a terminal, so
/// that the row is written here, as that command writes it.
///
/// # Errors
/// The database cannot be used, or has a key of this name.
pub(crate) async fn make(database: &Path, name: &str, permissions: &[&str]) -> Result<String> {
    let secret = format!("shopkey_{name}-0123456789abcdef0123456789abcdef");
    let options = SqliteConnectOptions::new().filename(database);
    let mut database = options.busy_timeout(BUSY).connect().await?;
    let insert = "INSERT INTO api_keys (name, secret_hash, merchant_code, permissions, created_at)
                  VALUES ($1, $2, $3, $4, 1)";
    sqlx::query(insert)
        .bind(name)
        .bind(fingerprint(&secret))
        .bind(MERCHANT)
        .bind(json!(permissions).to_string())
        .execute(&mut database)
        .await?;
    database.close().await?;
    Ok(secret)
}
