//! Orders that a shop signed: JWS in its compact form (RFC 7515) with claims (RFC 7519).

use super::facts::{ShopFacts, WrongFact, nothing_else};
use super::keys::OrderKeys;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use payment_model::{Fields, Timestamp};
use payment_rules::order::CLOCK_SKEW;
use std::time::Duration;

/// The longest life of a token: it is a price, and prices change.
const LONGEST_LIFE: Duration = Duration::from_hours(24);
/// Claims of the standard that say nothing about an order.
const STANDARD: [&str; 5] = ["aud", "iss", "sub", "jti", "nbf"];

/// The facts of a token whose signature is genuine.
pub(crate) struct SignedFacts {
    pub(crate) facts: ShopFacts,
    pub(crate) issued_at: Timestamp,
    /// True when its time is over: it begins nothing new.
    pub(crate) expired: bool,
}

/// Why a token is refused. The words are those of the problem's member `reason`.
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

/// Reads a token, at this time.
pub(crate) fn read(
    keys: &OrderKeys,
    token: &str,
    now: Timestamp,
) -> Result<SignedFacts, TokenRefusal> {
    let header = decode_header(token).map_err(|_| TokenRefusal::Malformed)?;
    let key = keys.key(header.kid.as_deref()).ok_or(TokenRefusal::Key)?;
    // An extension that must be understood, and that nobody here understands.
    if header.alg != key.algorithm || header.crit.is_some() {
        return Err(TokenRefusal::Key);
    }
    let mut validation = Validation::new(key.algorithm);
    // Ours below: an expired token still has a signature.
    validation.validate_exp = false;
    validation.set_required_spec_claims(&["aud"]);
    validation.set_audience(&[keys.audience.clone(), format!("{}/", keys.audience)]);
    let mut claims = decode::<Fields>(token, &key.key, &validation)
        .map_err(|error| refusal(error.kind()))?
        .claims;
    let (issued_at, expires_at) = (seconds(&mut claims, "iat")?, seconds(&mut claims, "exp")?);
    let valid_from = match claims.get("nbf") {
        Some(_) => seconds(&mut claims, "nbf")?,
        None => issued_at,
    };
    for claim in STANDARD {
        claims.remove(claim);
    }
    if expires_at <= issued_at || expires_at > issued_at.saturating_add(LONGEST_LIFE) {
        return Err(TokenRefusal::Lifetime);
    }
    if issued_at.max(valid_from) > now.saturating_add(CLOCK_SKEW) {
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

/// A time of the standard, in whole seconds since 1970.
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
