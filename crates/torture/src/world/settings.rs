//! The settings of the server, and the accounts of its staff.

use super::network::{SERVICE, SHOP};
use anyhow::{Result, anyhow};
use clap::Parser as _;
use merchant_backend::{Settings, hash_password};
use std::path::Path;
use std::sync::LazyLock;

/// The token of the payment service.
pub(super) const TOKEN: &str = "world-access-token";
pub(super) const PUBLIC_URL: &str = "http://pay.localhost/api";
/// The merchant code of every operation.
pub(super) const MERCHANT: &str = "shop-1";
/// Two members of staff who may do everything, and one who may only look.
pub(super) const STAFF: [(&str, &str); 3] = [
    ("clerk", "\"cancel\", \"refund\""),
    ("second", "\"cancel\", \"refund\""),
    ("viewer", ""),
];
pub(super) const STAFF_PASSWORD: &str = "a password of the world";

/// The settings of a server on this file, with further words of the command line.
pub(super) fn settings(file: &Path, staff: &Path, words: &[&str]) -> Settings {
    let flags = [
        ("public-url", PUBLIC_URL.to_owned()),
        ("database", file.display().to_string()),
        ("payment-url", format!("http://{SERVICE}")),
        ("payment-token", TOKEN.to_owned()),
        ("staff-file", staff.display().to_string()),
        ("merchant-code", MERCHANT.to_owned()),
        ("cookie-key", "0123456789abcdef0123456789abcdef".to_owned()),
        ("redirect-allow", "https://shop.example".to_owned()),
        ("orders-url", format!("http://{SHOP}/orders/{{order_id}}")),
        (
            "orders-secret",
            "orders-0123456789abcdef0123456789ab".to_owned(),
        ),
        ("events-url", format!("http://{SHOP}/events")),
        (
            "events-secret",
            "events-0123456789abcdef0123456789ab".to_owned(),
        ),
    ];
    let flags = flags.map(|(name, value)| format!("--{name}={value}"));
    let words = words.iter().map(|word| (*word).to_owned());
    let program = std::iter::once("server".to_owned());
    Settings::parse_from(program.chain(flags).chain(words))
}

/// The staff file. The hash of the password is made once, since it takes long on purpose.
pub(super) fn accounts() -> Result<String> {
    static HASH: LazyLock<Result<String, String>> = LazyLock::new(|| hash_password(STAFF_PASSWORD));
    let hash = HASH.as_ref().map_err(|error| anyhow!("{error}"))?;
    let account = |(name, permissions): (&str, &str)| {
        format!(
            "[[account]]\nname = \"{name}\"\npassword_hash = \"{hash}\"\npermissions = [{permissions}]\n"
        )
    };
    Ok(STAFF.map(account).concat())
}
