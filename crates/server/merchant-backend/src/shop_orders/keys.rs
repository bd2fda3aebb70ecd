//! The keys of the shop, and the check of its signatures.

use crate::redacted_parse_error;
use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, DecodingKey};
use ring::hmac;
use ring::signature::{ECDSA_P256_SHA256_FIXED, ED25519, UnparsedPublicKey, VerificationAlgorithm};
use serde::Deserialize;
use signature::Verifier;
use std::{fmt, fs};

const MIN_SECRET_BYTES: usize = 32;

/// The shop's keys. Each is valid for one algorithm only, so that a token cannot choose a weaker one.
#[derive(Clone)]
pub(crate) struct OrderKeys {
    keys: Vec<OrderKey>,
}

#[derive(Clone)]
pub(super) struct OrderKey {
    /// The key id in the header of a token; `None` for a key from the setting, which has no id.
    kid: Option<String>,
    pub(super) algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

impl fmt::Debug for OrderKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OrderKeys(redacted)")
    }
}

/// A key in the key file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyOfFile {
    kid: String,
    alg: String,
    secret: Option<String>,
    public_key: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    key: Vec<KeyOfFile>,
}

impl OrderKeys {
    /// Uses one shared secret, for HS256.
    ///
    /// # Errors
    /// The secret is too short.
    pub(crate) fn shared(secret: &str) -> Result<Self, String> {
        let key = OrderKey {
            kid: None,
            algorithm: Algorithm::HS256,
            key: shared_key(secret).map_err(|why| format!("is {why}"))?,
        };
        Ok(Self::new(vec![key]))
    }

    /// Reads a key file.
    ///
    /// # Errors
    /// The file cannot be read, or a key in it is invalid; the message names the key.
    pub(crate) fn open(path: &str) -> Result<Self, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("is `{path}`, which cannot be read ({error})"))?;
        Self::parse(&text).map_err(|why| format!("is `{path}`, which {why}"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: File = redacted_parse_error::read_toml(text)
            .map_err(|place| format!("is wrong at {place}"))?;
        if file.key.is_empty() {
            return Err("has no [[key]]".to_owned());
        }
        let mut keys: Vec<OrderKey> = Vec::new();
        for (at, key) in file.key.into_iter().enumerate() {
            let wrong = |why: &str| format!("has a wrong key {}: {why}", at + 1);
            let key = key.read().map_err(|why| wrong(&why))?;
            if keys.iter().any(|other| other.kid == key.kid) {
                return Err(wrong("another one has its `kid`"));
            }
            keys.push(key);
        }
        Ok(Self::new(keys))
    }

    fn new(keys: Vec<OrderKey>) -> Self {
        install();
        Self { keys }
    }

    /// Finds the key for a token. A token without a key id is valid only if there is exactly one key.
    pub(super) fn key(&self, kid: Option<&str>) -> Option<&OrderKey> {
        match (kid, self.keys.as_slice()) {
            (None, [only]) => Some(only),
            (Some(_), [only]) if only.kid.is_none() => Some(only),
            (None, _) => None,
            (Some(kid), keys) => keys.iter().find(|key| key.kid.as_deref() == Some(kid)),
        }
    }
}

impl KeyOfFile {
    fn read(self) -> Result<OrderKey, String> {
        if self.kid.is_empty() {
            return Err("`kid` is empty".to_owned());
        }
        let unreadable = |_| "`public_key` is no public key of `alg` in PEM".to_owned();
        let (algorithm, key) = match (self.alg.as_str(), self.secret, self.public_key) {
            ("HS256", Some(secret), None) => {
                let key = shared_key(&secret).map_err(|why| format!("`secret` is {why}"))?;
                (Algorithm::HS256, key)
            }
            ("ES256", None, Some(pem)) => {
                let key = DecodingKey::from_ec_pem(pem.as_bytes()).map_err(unreadable)?;
                (Algorithm::ES256, key)
            }
            ("EdDSA", None, Some(pem)) => {
                let key = DecodingKey::from_ed_pem(pem.as_bytes()).map_err(unreadable)?;
                (Algorithm::EdDSA, key)
            }
            ("HS256", ..) => return Err("HS256 needs `secret` alone".to_owned()),
            ("ES256" | "EdDSA", ..) => {
                return Err(format!("{} needs `public_key` alone", self.alg));
            }
            _ => return Err("`alg` must be HS256, ES256 or EdDSA".to_owned()),
        };
        let kid = Some(self.kid);
        Ok(OrderKey {
            kid,
            algorithm,
            key,
        })
    }
}

fn shared_key(secret: &str) -> Result<DecodingKey, &'static str> {
    match secret.len() {
        ..MIN_SECRET_BYTES => Err("too short"),
        _ => Ok(DecodingKey::from_secret(secret.as_bytes())),
    }
}

static PROVIDER: CryptoProvider = CryptoProvider {
    // The server only verifies tokens.
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs the provider in `jsonwebtoken`. A second call has no effect.
pub(super) fn install() {
    let _ = PROVIDER.install_default();
}

fn verifier_factory(
    algorithm: &Algorithm,
    key: &DecodingKey,
) -> Result<Box<dyn JwtVerifier>, Error> {
    let bytes = key.try_get_as_bytes()?.to_vec();
    let public = |method: &'static dyn VerificationAlgorithm| {
        Key::Public(UnparsedPublicKey::new(method, bytes.clone()))
    };
    let key = match algorithm {
        Algorithm::HS256 => Key::Shared(hmac::Key::new(hmac::HMAC_SHA256, &bytes)),
        Algorithm::ES256 => public(&ECDSA_P256_SHA256_FIXED),
        Algorithm::EdDSA => public(&ED25519),
        _ => return Err(ErrorKind::UnsupportedAlgorithm.into()),
    };
    let algorithm = *algorithm;
    Ok(Box::new(Verify { algorithm, key }))
}

enum Key {
    Shared(hmac::Key),
    Public(UnparsedPublicKey<Vec<u8>>),
}

struct Verify {
    algorithm: Algorithm,
    key: Key,
}

impl Verifier<Vec<u8>> for Verify {
    fn verify(&self, message: &[u8], tag: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = match &self.key {
            Key::Shared(key) => hmac::verify(key, message, tag),
            Key::Public(key) => key.verify(message, tag),
        };
        verified.map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Verify {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

#[cfg(test)]
mod tests;
