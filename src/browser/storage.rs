//! Keeps data over a reload in the session storage of this tab. The component also works without it, since the
//! merchant's server knows the live operation of the order.
//!
//! As long as it lives, the page keeps in a property of its window what the storage does not: how a payment ended, which a
//! checkout that is put back shows, and a reload does not; and everything where the page or the browser refuses the storage,
//! for an instance of the wasm that takes the place of one that stopped.

use browser_kit::json;
use checkout_flow::Snapshot;
use js_sys::Reflect;
use serde::{Deserialize, Serialize};

/// How the keys of all entries begin.
pub const PREFIX: &str = "payment-checkout:";

/// The entry of one checkout in the session storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TabStorage {
    key: String,
}

/// The data of such an entry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stored {
    /// The flow's snapshot.
    #[serde(default)]
    pub(crate) flow: Option<Snapshot>,
    /// The return token, which is in the address bar only once.
    #[serde(default)]
    pub(crate) token: Option<String>,
    /// The key of an attempt, and the address to which its payer returns. Every repetition of the request must send
    /// the same address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) redirect_url: Option<(String, String)>,
}

impl TabStorage {
    /// The entry for an `identity`, which names the merchant's server and the order. Only its hash is stored, since
    /// the page's request may contain private data.
    pub(crate) fn of(identity: &str) -> Self {
        // FNV-1a, which is enough to distinguish the orders of one tab.
        let hash = identity
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self {
            key: format!("{PREFIX}{hash}"),
        }
    }

    /// Loads the kept data. Data in another form counts as nothing.
    pub(crate) fn load(&self) -> Stored {
        let stored = storage().and_then(|storage| storage.get_item(&self.key).ok()?);
        let text = stored.or_else(|| {
            let kept = Reflect::get(&js_sys::global(), &self.key.as_str().into());
            kept.ok()?.as_string()
        });
        text.and_then(|text| json::read_text(&text))
            .unwrap_or_default()
    }

    /// Stores the data. If the storage is full or forbidden, only the state after a reload is lost.
    pub(crate) fn save(&self, kept: &Stored) {
        let Some(text) = json::write(kept) else {
            return;
        };
        let stored = storage().is_some_and(|storage| storage.set_item(&self.key, &text).is_ok());
        self.keep_on_page((!stored).then_some(text));
    }

    /// Takes the data out of the session storage. Only this page still knows how the payment ended.
    pub(crate) fn forget(&self, kept: &Stored) {
        if let Some(storage) = storage() {
            let _ = storage.remove_item(&self.key);
        }
        self.keep_on_page(json::write(kept));
    }

    /// Replaces what the page keeps. A page that refuses that only loses what this module says.
    fn keep_on_page(&self, text: Option<String>) {
        let _ = Reflect::set(&js_sys::global(), &self.key.as_str().into(), &text.into());
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
