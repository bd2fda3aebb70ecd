//! The permission to read one operation that a merchant's server adds to its redirect URL, for a
//! payer who comes back in another browser.

use super::navigation;
use checkout_flow::OperationRef;
use payment_model::{MerchantCode, MerchantOperationNumber};

/// The name of the token in the redirect URL.
pub const PARAMETER: &str = "checkout";
/// The merchant's server makes no tokens that are longer.
const LONGEST: usize = 1024;

/// A return token, as far as the page can read it. Only the merchant's server can tell if it is
/// genuine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnToken {
    /// The whole token, as the server wants it back.
    pub(crate) text: String,
    /// The operation that the token is for.
    pub(crate) operation: OperationRef,
    /// The order of that operation. Without one it would be anybody's: a link with an invented token
    /// would lead every page to an operation that is not the payer's.
    pub(crate) order: String,
}

impl ReturnToken {
    /// Reads `<merchant_code>.<merchant_operation_number>.<order>.<expiry>.<signature>`, the first
    /// three in base64url. Anything else cannot be a header either, and is no token. Some lenders write their own
    /// parameters behind the address as if it had none (`…checkout=<token>?status=1`): the token ends there.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        let end = text.bytes().position(|byte| !plain(byte));
        let text = &text[..end.unwrap_or(text.len())];
        if text.len() > LONGEST || text.split('.').count() != 5 {
            return None;
        }
        let mut parts = text.split('.');
        let mut part = || {
            let base64 = parts.next()?.replace('-', "+").replace('_', "/");
            web_sys::window()?.atob(&base64).ok()
        };
        let (code, number, order) = (part()?, part()?, part()?);
        let is_whole = [&code, &number, &order].iter().all(|part| !part.is_empty());
        is_whole.then(|| Self {
            text: text.to_owned(),
            operation: OperationRef {
                merchant_code: MerchantCode::new(code),
                merchant_operation_number: MerchantOperationNumber::new(number),
                transaction_id: None,
            },
            order,
        })
    }

    /// The token in the address bar.
    pub(crate) fn in_address() -> Option<Self> {
        Self::parse(&navigation::parameter(PARAMETER)?)
    }

    /// Takes the token out of the address bar.
    pub(crate) fn leave_address() {
        navigation::drop_parameter(PARAMETER);
    }
}
