//! Hashes that the store has in place of values that grant access.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;

/// SHA-256 in base64url: the store has these instead of values that grant access.
pub fn fingerprint(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, text.as_bytes()))
}
