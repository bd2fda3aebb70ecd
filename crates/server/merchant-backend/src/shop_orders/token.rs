//! Reads orders that the shop signed: JWTs (RFC 7519) in the compact serialization of JWS (RFC 7515).

use super::keys::OrderKeys;
use super::read_facts::{ShopFacts, UniqueFields, WrongFact, nothing_else};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use payment_model::{Fields, Timestamp};
use payment_rules::order::MAX_SHOP_CLOCK_SKEW;
use std::time::Duration;

/// A token fixes a price, so it must not be valid for long.
const MAX_TOKEN_LIFETIME: Duration = Duration::from_hours(24);
/// Claims of RFC 7519 that are no facts of an order.
const REGISTERED_CLAIMS: [&str; 5] = ["aud", "iss", "sub", "jti", "nbf"];

/// The facts of a token with a valid signature.
pub(crate) struct SignedFacts {
    pub(crate) facts: ShopFacts,
    pub(crate) issued_at: Timestamp,
    /// True after `exp`. The token can then only repeat a request.
    pub(crate) expired: bool,
}

/// A reason for which a token is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenRefusal {
    #[error("it is no JWS in compact form with three parts")]
    Malformed,
    #[error(
        "its header names no key of this server in `kid`, or another algorithm than that of the key"
    )]
    Key,
    #[error("its signature is not that of the key")]
    Signature,
    #[error("its `aud` is not this server's PUBLIC_URL")]
    Audience,
    #[error("its `iat` or `nbf` is in the future")]
    NotYet,
    #[error("it has expired")]
    Expired,
    #[error("its `exp` must be after `iat`, by 24 hours at the most")]
    Lifetime,
    #[error("its claim {0}")]
    Claim(WrongFact),
}

impl TokenRefusal {
    /// The value of the member `reason` of the problem.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Key => "key",
            Self::Signature => "signature",
            Self::Audience => "audience",
            Self::NotYet => "not-yet",
            Self::Expired => "expired",
            Self::Lifetime => "lifetime",
            Self::Claim(_) => "claim",
        }
    }
}

/// Verifies a token, and reads the facts of its order. The `aud` of the token must contain `audience`, the address of this
/// server.
pub(crate) fn read(
    keys: &OrderKeys,
    audience: &str,
    token: &str,
    now: Timestamp,
) -> Result<SignedFacts, TokenRefusal> {
    let header = decode_header(token).map_err(|_| TokenRefusal::Malformed)?;
    let key = keys.key(header.kid.as_deref()).ok_or(TokenRefusal::Key)?;
    // `crit` lists extensions that a receiver must support. This server supports none.
    if header.alg != key.algorithm || header.crit.is_some() {
        return Err(TokenRefusal::Key);
    }
    let mut validation = Validation::new(key.algorithm);
    // The expiry is checked below: an expired token can still repeat a request.
    validation.validate_exp = false;
    validation.set_required_spec_claims(&["aud"]);
    let audience = audience.trim_end_matches('/');
    validation.set_audience(&[audience, &format!("{audience}/")]);
    let claims = decode::<UniqueFields>(token, &key.key, &validation);
    let UniqueFields(mut claims) = claims.map_err(|error| refusal(error.kind()))?.claims;
    let (issued_at, expires_at) = (seconds(&mut claims, "iat")?, seconds(&mut claims, "exp")?);
    let valid_from = match claims.get("nbf") {
        Some(_) => seconds(&mut claims, "nbf")?,
        None => issued_at,
    };
    for claim in REGISTERED_CLAIMS {
        claims.remove(claim);
    }
    if expires_at <= issued_at || expires_at > issued_at.saturating_add(MAX_TOKEN_LIFETIME) {
        return Err(TokenRefusal::Lifetime);
    }
    if issued_at.max(valid_from) > now.saturating_add(MAX_SHOP_CLOCK_SKEW) {
        return Err(TokenRefusal::NotYet);
    }
    let facts = ShopFacts::take(&mut claims).map_err(TokenRefusal::Claim)?;
    nothing_else(&claims).map_err(TokenRefusal::Claim)?;
    Ok(SignedFacts {
        facts,
        issued_at,
        expired: expires_at <= now,
    })
}

/// Reads a time claim, in whole seconds since 1970.
fn seconds(claims: &mut Fields, name: &str) -> Result<Timestamp, TokenRefusal> {
    let value = claims.remove(name);
    let value = value.as_ref().and_then(serde_json::Value::as_i64);
    let wrong = || {
        let why = "must be a time in whole seconds since 1970";
        TokenRefusal::Claim(WrongFact::new(name, why))
    };
    value.map(Timestamp::from_secs).ok_or_else(wrong)
}

fn refusal(kind: &ErrorKind) -> TokenRefusal {
    match kind {
        ErrorKind::InvalidSignature => TokenRefusal::Signature,
        ErrorKind::InvalidAudience | ErrorKind::MissingRequiredClaim(_) => TokenRefusal::Audience,
        ErrorKind::InvalidAlgorithm | ErrorKind::UnsupportedAlgorithm => TokenRefusal::Key,
        _ => TokenRefusal::Malformed,
    }
}
