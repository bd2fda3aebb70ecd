//! Verifies the signatures of order tokens with `ring`, which is a dependency for TLS anyway. The
//! providers of `jsonwebtoken` would add forty crates, one of them with a known vulnerability.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, DecodingKey};
use ring::hmac;
use ring::signature::{ECDSA_P256_SHA256_FIXED, ED25519, UnparsedPublicKey, VerificationAlgorithm};
use signature::Verifier;

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
