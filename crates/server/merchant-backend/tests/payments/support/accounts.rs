//! The staff file. A name says nothing; its constant says what the account may do.

use merchant_backend::hash_password;
use std::sync::LazyLock;

pub(crate) const PASSWORD: &str = "a canary password";

pub(crate) const VIEWER: &str = "eva";
pub(crate) const REFUNDER: &str = "ana";
pub(crate) const SECOND_REFUNDER: &str = "bea";
pub(crate) const LIMITED_REFUNDER: &str = "leo";
pub(crate) const CANCELER: &str = "rosa";
pub(crate) const SECOND_CANCELER: &str = "sol";
pub(crate) const LIMITED_CANCELER: &str = "paz";
pub(crate) const DAILY_LIMITED: &str = "ivo";
pub(crate) const USD_STORE: &str = "uma";
pub(crate) const SELLER: &str = "kika";
pub(crate) const LIMITED_SELLER: &str = "lalo";
pub(crate) const USD_SELLER: &str = "uri";

/// Writes the file.
pub(crate) fn accounts() -> String {
    static HASH: LazyLock<String> = LazyLock::new(|| hash_password(PASSWORD).unwrap());
    let refund = "permissions = [\"refund\"]";
    let cancel = "permissions = [\"cancel\"]";
    let both = "permissions = [\"cancel\", \"refund\"]";
    let link = "permissions = [\"link\"]";
    let limit = "refund_limit = 1000";
    let account = |(name, more): (&str, String)| {
        format!(
            "[[account]]\nname = \"{name}\"\npassword_hash = \"{}\"\n{more}\n",
            *HASH
        )
    };
    [
        (VIEWER, String::new()),
        (REFUNDER, refund.to_owned()),
        (SECOND_REFUNDER, refund.to_owned()),
        (LIMITED_REFUNDER, format!("{refund}\n{limit}")),
        (CANCELER, cancel.to_owned()),
        (SECOND_CANCELER, cancel.to_owned()),
        (LIMITED_CANCELER, format!("{cancel}\n{limit}")),
        (
            DAILY_LIMITED,
            format!("{both}\n{limit}\nrefund_limit_a_day = 1500"),
        ),
        (
            USD_STORE,
            format!("{both}\nmerchant_codes = [\"shop-usd\"]"),
        ),
        (SELLER, link.to_owned()),
        (
            LIMITED_SELLER,
            format!("{link}\nlink_limit = 5000\nlink_limit_a_day = 8000"),
        ),
        (
            USD_SELLER,
            format!("{link}\nmerchant_codes = [\"shop-usd\"]"),
        ),
    ]
    .map(account)
    .concat()
}
