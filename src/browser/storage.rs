//! Keeps the data that survives a reload, in the session storage of this tab. The component also
//! works in a browser without one: the merchant's server knows the live operation of the order.

use super::json;
use checkout_flow::Snapshot;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// The place of one checkout in the storage of its tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    key: String,
}

/// The data in the session storage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The flow's snapshot.
    #[serde(default)]
    pub(crate) flow: Option<Snapshot>,
    /// The return token, which is in the address bar only once.
    #[serde(default)]
    pub(crate) token: Option<String>,
    /// The key of an attempt, and the address that its payer comes back to. Every repetition of the
    /// request must send the same address.
    #[serde(default)]
    pub(crate) redirect_url: Option<(String, String)>,
}

impl Place {
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
            key: ["payment-checkout:", &hash.to_string()].concat(),
        }
    }

    /// Loads the kept data. Data in another form counts as nothing.
    pub(crate) fn load(&self) -> Kept {
        let text = storage().and_then(|storage| storage.get_item(&self.key).ok()?);
        let value = text.and_then(|text| js_sys::JSON::parse(&text).ok());
        value.and_then(json::read).unwrap_or_default()
    }

    /// Keeps this. A full or forbidden storage costs the comfort of a reload, nothing else.
    pub(crate) fn save(&self, kept: &Kept) {
        let value = kept.serialize(&serde_wasm_bindgen::Serializer::json_compatible());
        let text = value
            .ok()
            .and_then(|value: JsValue| js_sys::JSON::stringify(&value).ok());
        if let (Some(storage), Some(text)) = (storage(), text.and_then(|text| text.as_string())) {
            let _ = storage.set_item(&self.key, &text);
        }
    }

    /// Keeps nothing any more.
    pub(crate) fn forget(&self) {
        if let Some(storage) = storage() {
            let _ = storage.remove_item(&self.key);
        }
    }
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok()?
}
