//! The token that lets another browser read the state of one operation.
//!
//! Its text is `<merchant_code>.<merchant_operation_number>.<order>.<expiry>.<signature>`: the
//! first three in base64url without padding, so that no `.` can occur in them, the expiry in whole
//! Unix seconds, the signature over the four before it, in base64url too. The page that holds the
//! token reads its first parts to know which operation to ask for, and which order it is for: a
//! page that shows another order must not take it. Only the server can make a token.

use crate::cookies::{CookieKey, Purpose};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payment_model::Timestamp;
use payment_rules::operation::OperationKey;
use url::Url;

/// The header that carries the token.
pub(crate) const HEADER: &str = "checkout-token";
/// The parameter of `redirect_url` that carries it.
pub(crate) const PARAMETER: &str = "checkout";

/// A token for one operation, good until the given instant.
pub(crate) fn mint(
    cookie_key: &CookieKey,
    key: &OperationKey,
    order: &str,
    expires_at: Timestamp,
) -> String {
    let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
    let expiry = expires_at.as_secs();
    let signed = format!(
        "{}.{}.{}.{expiry}",
        part(key.merchant_code.as_str()),
        part(key.number.as_str()),
        part(order)
    );
    let signature = cookie_key.sign(Purpose::Checkout, &signed);
    format!("{signed}.{signature}")
}

/// The operation that the token may read; `None` for one that is forged, damaged or expired. Behind it may stand what a
/// lender wrote after the address as if it had no parameters (`…checkout=<token>?status=1`).
pub(crate) fn open(cookie_key: &CookieKey, token: &str, now: Timestamp) -> Option<OperationKey> {
    let is_foreign = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    let token = token.split(is_foreign).next()?;
    let (signed, signature) = token.rsplit_once('.')?;
    if token.len() > 1024 || !cookie_key.verify(Purpose::Checkout, signed, signature) {
        return None;
    }
    let mut parts = signed.split('.');
    let mut text = || {
        let bytes = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        String::from_utf8(bytes).ok()
    };
    let key = OperationKey::new(text()?, text()?);
    // The order in the token is for the page; here the operation's own row names its order.
    text()?;
    let expiry = Timestamp::from_secs(parts.next()?.parse().ok()?);
    (parts.next().is_none() && now < expiry).then_some(key)
}

/// The address with the token of its operation, which replaces any token in it.
pub(crate) fn with_token(mut url: Url, token: &str) -> String {
    let others: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| name != PARAMETER)
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    if others.len() != url.query_pairs().count() {
        url.query_pairs_mut().clear().extend_pairs(others);
    }
    url.query_pairs_mut().append_pair(PARAMETER, token);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::{mint, open, with_token};
    use crate::clock::instant;
    use crate::cookies::CookieKey;
    use payment_rules::operation::OperationKey;

    #[test]
    fn a_token_opens_its_operation_until_it_expires() {
        let cookie_key = CookieKey::new("0123456789abcdef0123456789abcdef");
        let key = OperationKey::new("shop.1", "0123/4.5");
        let token = mint(&cookie_key, &key, "ORDER 7", instant(10_000));
        assert_eq!(token.split('.').count(), 5);
        assert_eq!(open(&cookie_key, &token, instant(9_999)), Some(key));
        assert_eq!(open(&cookie_key, &token, instant(10_000)), None);
        for glued in [
            "?status=AUTORIZADO",
            "/",
            "&a=b",
            "%3Fa",
            " ",
            "=",
            ";a=b",
            "#a",
        ] {
            let glued = format!("{token}{glued}");
            assert!(open(&cookie_key, &glued, instant(0)).is_some(), "{glued}");
        }
        assert_eq!(open(&cookie_key, &format!("{token}x"), instant(0)), None);
    }

    #[test]
    fn a_changed_token_opens_nothing() {
        let cookie_key = CookieKey::new("0123456789abcdef0123456789abcdef");
        let token = mint(
            &cookie_key,
            &OperationKey::new("shop", "0123"),
            "7",
            instant(10_000),
        );
        let other = CookieKey::new("fedcba9876543210fedcba9876543210");
        assert_eq!(open(&other, &token, instant(0)), None);
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // The last character of a signature carries four bits only; the others say no.
            if changed != token && at + 1 != token.len() {
                assert_eq!(open(&cookie_key, &changed, instant(0)), None, "{changed}");
            }
        }
        for odd in ["", ".", "...", "a.b.c.d", "a.b.c.d.e", &"x".repeat(5000)] {
            assert_eq!(open(&cookie_key, odd, instant(0)), None);
        }
    }

    #[test]
    fn the_token_is_added_once() {
        let check = |text: &str, expected: &str| {
            assert_eq!(with_token(text.parse().unwrap(), "T.1"), expected);
        };
        check("https://a.example/", "https://a.example/?checkout=T.1");
        check(
            "https://a.example/b?c=d%20e#f",
            "https://a.example/b?c=d%20e&checkout=T.1#f",
        );
        check(
            "https://a.example/?checkout=old&c=d",
            "https://a.example/?c=d&checkout=T.1",
        );
    }
}
