//! API keys: the programs of the shop that may call the server, and what each may do.

use crate::ledger::Limits;
use payment_model::Timestamp;
use serde::{Deserialize, Serialize};

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApiPermission {
    /// Give orders to the server, and renew or revoke the address of their page.
    Order,
    /// Read orders, refunds and events.
    Read,
    /// Close orders, and cancel what can still be paid.
    Cancel,
    /// Give money back.
    Refund,
    /// Have events sent again.
    Resend,
}

impl ApiPermission {
    /// Every permission.
    pub const ALL: [Self; 5] = [
        Self::Order,
        Self::Read,
        Self::Cancel,
        Self::Refund,
        Self::Resend,
    ];

    /// The word in commands, in the store and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Read => "read",
            Self::Cancel => "cancel",
            Self::Refund => "refund",
            Self::Resend => "resend",
        }
    }

    /// The permission of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|may| may.as_str() == word)
    }
}

/// An API key without its secret. It belongs to one store. Two keys of a store may be in force at the
/// same time, so that a shop replaces one without a pause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The name in lists and in the audit record.
    pub name: String,
    /// The store whose orders the key reaches.
    pub merchant_code: String,
    /// What the key may do.
    pub permissions: Vec<ApiPermission>,
    /// How much may be given back with the key.
    pub limits: Limits,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was ended; `None` while it is in force.
    pub ended_at: Option<Timestamp>,
}
