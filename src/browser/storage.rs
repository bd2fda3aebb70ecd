//! Keeps the data that survives a reload, in the session storage of this tab. The component also
//! works in a browser without one: the merchant's server knows the live operation of the order.

use browser_kit::json;
use checkout_flow::Snapshot;
use serde::{Deserialize, Serialize};

/// The place of one checkout in the storage of its tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TabStorage {
    key: String,
}

/// The data in the session storage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stored {
    /// The flow's snapshot.
    #[serde(default)]
    pub(crate) flow: Option<Snapshot>,
    /// The return token, which is in the address bar only once.
    #[serde(default)]
    pub(crate) token: Option<String>,
    /// The key of an attempt, and the address that its payer comes back to. Every repetition of the
    /// request must send the same address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) redirect_url: Option<(String, String)>,
}

impl TabStorage {
    /// The place for what `identity` says: the same for the same merchant's server and order.
    /// Only a hash of it is written, since the page may have put anything into its request.
    pub(crate) fn of(identity: &str) -> Self {
        // FNV-1a: it only has to tell the orders of one tab apart.
        let hash = identity
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self {
            key: format!("payment-checkout:{hash}"),
        }
    }

    /// Loads the kept data, or else the data of the payment that ended, as [`TabStorage::forget`] gave
    /// it. Data in another form counts as nothing.
    pub(crate) fn load(&self, ended: Option<&str>) -> Stored {
        let text = storage().and_then(|storage| storage.get_item(&self.key).ok()?);
        let ended = || {
            let (key, text) = ended?.split_once('\n')?;
            (key == self.key).then(|| text.to_owned())
        };
        let text = text.or_else(ended);
        text.and_then(|text| json::read_text(&text))
            .unwrap_or_default()
    }

    /// Keeps this. A full or forbidden storage costs the comfort of a reload, nothing else.
    pub(crate) fn save(&self, kept: &Stored) {
        if let (Some(storage), Some(text)) = (storage(), json::write(kept)) {
            let _ = storage.set_item(&self.key, &text);
        }
    }

    /// Keeps nothing any more, and returns the kept data as a text that only this page knows.
    pub(crate) fn forget(&self, kept: &Stored) -> Option<String> {
        if let Some(storage) = storage() {
            let _ = storage.remove_item(&self.key);
        }
        Some(format!("{}\n{}", self.key, json::write(kept)?))
    }
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok()?
}

#[cfg(target_family = "wasm")]
#[cfg(test)]
mod tests {
    use super::Stored;
    use browser_kit::json;
    use wasm_bindgen_test::wasm_bindgen_test;

    /// Checks that the text is read as `serde_json` reads it, and that it can be read if `readable`.
    fn check(text: &str, readable: bool) {
        let read = json::read_text::<Stored>(text);
        assert_eq!(read, serde_json::from_str(text).ok(), "{text}");
        assert_eq!(read.is_some(), readable, "{text}");
    }

    #[wasm_bindgen_test]
    fn what_the_tab_kept_is_read_as_elsewhere() {
        let operation = r#"{"merchant_code": "1", "merchant_operation_number": "2"}"#;
        for (flow, readable) in [
            (r#"{"version": 1}"#.to_owned(), true),
            (
                format!(r#"{{"version": 1, "operation": {operation}, "deadline": 1707326367250}}"#),
                true,
            ),
            (
                format!(r#"{{"version": 1, "superseded": [{operation}, {operation}]}}"#),
                true,
            ),
            (r#"{"version": 1, "deadline": -1.5}"#.to_owned(), false),
            (r#"{"version": -1}"#.to_owned(), false),
            (r#"{"version": 1, "superseded": null}"#.to_owned(), false),
            ("{}".to_owned(), false),
            ("\"\"".to_owned(), false),
            ("null".to_owned(), true),
        ] {
            check(&format!(r#"{{"flow": {flow}}}"#), readable);
        }
        for (pair, readable) in [("null", true), ("[\"1\", \"2\"]", true), ("[\"1\"]", false)] {
            check(&format!(r#"{{"redirect_url": {pair}}}"#), readable);
        }
        for text in ["null", "7", "\"text\"", "true"] {
            check(text, false);
        }
    }
}
