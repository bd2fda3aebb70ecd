//! The settings of every server of the search, and the accounts of its staff.

use anyhow::{Result, anyhow};
use clap::Parser as _;
use merchant_backend::{Settings, hash_password};
use std::path::Path;
use std::sync::LazyLock;

/// The merchant code of every operation.
pub(crate) const MERCHANT: &str = "shop-1";
/// The token that the server shows to the payment service.
pub(crate) const TOKEN: &str = "torture-access-token";
pub(crate) const COOKIE_KEY: &str = "0123456789abcdef0123456789abcdef";
/// The secret that signs events.
pub(crate) const EVENTS_SECRET: &str = "torture-events-0123456789abcdef01234";
/// The secret with which the shop signs orders.
pub(crate) const ORDERS_SECRET: &str = "torture-orders-0123456789abcdef01234";
/// The page to which a lender sends a payer back.
pub(crate) const SHOP_PAGE: &str = "https://shop.example";
/// A member of staff who may look and do nothing else.
pub(crate) const VIEWER: &str = "viewer";
/// A member of staff who may cancel and refund.
pub(crate) const CLERK: &str = "clerk";
/// Another one who may, for what takes two.
pub(crate) const SECOND_CLERK: &str = "second-clerk";
/// Another one who may only look, so that somebody can sign in and out while the others stay.
pub(crate) const APPRENTICE: &str = "apprentice";
/// The password of all.
pub(crate) const STAFF_PASSWORD: &str = "a password of the torture";

/// The settings of a server with this public address, database, payment service and staff file, and further words of
/// its command line.
pub(crate) fn settings(
    public_url: &str,
    database: &Path,
    payment_url: &str,
    staff_file: &Path,
    more: &[String],
) -> Settings {
    let flags = [
        ("public-url", public_url),
        ("database", &database.display().to_string()),
        ("payment-url", payment_url),
        ("payment-token", TOKEN),
        ("staff-file", &staff_file.display().to_string()),
        ("staff-second-factor", "optional"),
        ("merchant-code", MERCHANT),
        ("cookie-key", COOKIE_KEY),
        ("redirect-allow", SHOP_PAGE),
        ("events-secret", EVENTS_SECRET),
        ("orders-secret", ORDERS_SECRET),
    ];
    let flags = flags.map(|(name, value)| format!("--{name}={value}"));
    let program = std::iter::once("server".to_owned());
    Settings::parse_from(program.chain(flags).chain(more.iter().cloned()))
}

/// The staff file. The hash of the password is made once, since it takes long on purpose.
pub(crate) fn accounts() -> Result<String> {
    static HASH: LazyLock<Result<String, String>> = LazyLock::new(|| hash_password(STAFF_PASSWORD));
    let hash = HASH.as_ref().map_err(|error| anyhow!("{error}"))?;
    let account = |(name, permissions): (&str, &str)| {
        format!(
            "[[account]]\nname = \"{name}\"\npassword_hash = \"{hash}\"\npermissions = [{permissions}]\n"
        )
    };
    let may = "\"cancel\", \"refund\"";
    let all = [
        (VIEWER, ""),
        (APPRENTICE, ""),
        (CLERK, may),
        (SECOND_CLERK, may),
    ];
    Ok(all.map(account).concat())
}
