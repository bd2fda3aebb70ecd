//! The second factor of an account: codes of an authenticator app by time (RFC 6238), recovery codes that take their
//! place once, and the enrolment codes of an operator.
//!
//! The key of an app is sealed for its account by a key that is derived from `COOKIE_KEY`, and the codes are hashed
//! with it, so that a copy of the database neither tells a code nor lets anybody choose one.

use crate::cookies::{CookieKey, Purpose};
use crate::random::{NoRandomness, bytes, readable};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pay_page::qr_path;
use payment_model::Timestamp;
use payment_rules::second_factor::{FactorChange, StoredFactor};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use staff_model::{EnrolmentKey, QrPath, SecondFactor};
use totp_rs::{Builder, Totp};

const RECOVERY_CODES: usize = 10;
/// 80 random bits.
const RECOVERY_CODE_CHARACTERS: usize = 16;
/// 100 random bits.
const ENROLMENT_CODE_CHARACTERS: usize = 20;
const APP_CODE_DIGITS: usize = 6;
/// 160 bits, as RFC 4226 recommends.
const APP_KEY_BYTES: usize = 20;

/// Whether accounts need a second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondFactorPolicy {
    /// An account without one may only look.
    Required,
    /// Only an account that has one is asked for codes.
    Optional,
}

impl SecondFactorPolicy {
    pub(crate) fn read(word: &str) -> Result<Self, String> {
        match word {
            "required" => Ok(Self::Required),
            "optional" => Ok(Self::Optional),
            other => Err(format!("is `{other}`")),
        }
    }
}

/// Checks and makes codes and keys.
#[derive(Clone)]
pub(crate) struct SecondFactors {
    key: CookieKey,
    policy: SecondFactorPolicy,
    /// The name of the shop, by which an app lists the key.
    issuer: String,
}

impl SecondFactors {
    pub(crate) fn new(key: CookieKey, policy: SecondFactorPolicy, shop: &str) -> Self {
        Self {
            key,
            policy,
            // The colon separates the issuer from the account in an `otpauth` address.
            issuer: shop.replace(':', ""),
        }
    }

    /// Whether an account has a second factor, and what it may do without one. A key that was sealed under another
    /// `COOKIE_KEY` is none, but still ends what the password alone may do.
    pub(crate) fn state(&self, name: &str, stored: &StoredFactor) -> SecondFactor {
        if self.app(name, stored.sealed_key.as_deref()).is_some() {
            SecondFactor::Enrolled
        } else if self.policy == SecondFactorPolicy::Required || stored.was_enrolled {
            SecondFactor::Missing
        } else {
            SecondFactor::Optional
        }
    }

    /// What a typed code changes; `None` for a code that is wrong, was used or has expired.
    pub(crate) fn judge(
        &self,
        name: &str,
        stored: &StoredFactor,
        typed: &str,
        now: Timestamp,
    ) -> Option<FactorChange> {
        let code = canonical(typed)?;
        match code.len() {
            APP_CODE_DIGITS => {
                let app = self.app(name, stored.sealed_key.as_deref())?;
                let step = step_of(&app, &code, now)?;
                (step > stored.last_step).then_some(FactorChange::UseStep(step))
            }
            RECOVERY_CODE_CHARACTERS => {
                let hash = self.hash(name, &code);
                let is_unused = stored.recovery_codes.contains(&hash);
                is_unused.then_some(FactorChange::UseRecoveryCode(hash))
            }
            ENROLMENT_CODE_CHARACTERS => {
                let pending = stored.enrolment.as_ref()?;
                let permits = pending.code == self.hash(name, &code) && now < pending.until;
                permits.then_some(FactorChange::PermitEnrolment)
            }
            _ => None,
        }
    }

    /// Makes an operator's code for an account: the code itself and its hash.
    pub(crate) fn enrolment_code(&self, name: &str) -> Result<(String, String), NoRandomness> {
        let code = readable()?;
        let hash = self.hash(name, &code);
        Ok((grouped(&code, 5), hash))
    }

    /// Makes the key of an app, sealed; `None` if the system gave no random bytes.
    pub(crate) fn sealed_key(&self, name: &str) -> Option<String> {
        self.seal(name, &bytes::<APP_KEY_BYTES>().ok()?)
    }

    /// A sealed key in the forms in which a person brings it into an app.
    pub(crate) fn shown(&self, name: &str, sealed: &str) -> Option<EnrolmentKey> {
        let app = self.app(name, Some(sealed))?;
        let uri = app.to_url().ok()?;
        let (size, path) = qr_path(&uri)?;
        Some(EnrolmentKey {
            key: grouped(&app.secret().to_base32(), 4).replace('-', " "),
            uri,
            qr: QrPath { size, path },
        })
    }

    /// The new factor of an account whose app has made this code from the shown key, and its recovery codes, which the
    /// person sees only now.
    pub(crate) fn confirmed(
        &self,
        name: &str,
        sealed_key: &str,
        typed: &str,
        now: Timestamp,
    ) -> Option<(FactorChange, Vec<String>)> {
        let app = self.app(name, Some(sealed_key))?;
        let step = step_of(&app, &canonical(typed)?, now)?;
        let codes = (0..RECOVERY_CODES).map(|_| readable());
        let codes = codes.collect::<Result<Vec<_>, _>>().ok()?;
        let codes = codes.iter().map(|code| &code[..RECOVERY_CODE_CHARACTERS]);
        let enrol = FactorChange::Enrol {
            sealed_key: sealed_key.to_owned(),
            step,
            recovery_codes: codes.clone().map(|code| self.hash(name, code)).collect(),
        };
        Some((enrol, codes.map(|code| grouped(code, 4)).collect()))
    }

    fn app(&self, name: &str, sealed: Option<&str>) -> Option<Totp> {
        // The defaults are what every app takes: SHA-1, 6 digits, 30 seconds, and a clock that differs by a step.
        let app = Builder::new()
            .with_secret(self.open(name, sealed?)?)
            .with_account_name(name)
            .with_issuer(Some(&*self.issuer));
        app.build().ok()
    }

    fn hash(&self, name: &str, code: &str) -> String {
        self.key
            .sign(Purpose::SecondFactorCode, &format!("{name}\0{code}"))
    }

    fn seal(&self, name: &str, key: &[u8]) -> Option<String> {
        let nonce = bytes::<NONCE_LEN>().ok()?;
        let mut sealed = key.to_vec();
        let (with, for_account) = (Nonce::assume_unique_for_key(nonce), Aad::from(name));
        let done = self
            .sealing_key()?
            .seal_in_place_append_tag(with, for_account, &mut sealed);
        done.ok()?;
        Some(URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat()))
    }

    fn open(&self, name: &str, sealed: &str) -> Option<Vec<u8>> {
        let mut sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = sealed.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let opened = self.sealing_key()?;
        let opened = opened.open_in_place(nonce, Aad::from(name), sealed).ok()?;
        Some(opened.to_vec())
    }

    fn sealing_key(&self) -> Option<LessSafeKey> {
        let key = self.key.derive(Purpose::SecondFactorKey);
        Some(LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key).ok()?))
    }
}

/// True for a typed text that may be a code of an app. The other codes are too long to be guessed.
pub(crate) fn is_guessable(typed: &str) -> bool {
    canonical(typed).is_none_or(|code| {
        !matches!(
            code.len(),
            RECOVERY_CODE_CHARACTERS | ENROLMENT_CODE_CHARACTERS
        )
    })
}

/// The time step of a code, which may be one before or after the present one.
fn step_of(app: &Totp, code: &str, now: Timestamp) -> Option<i64> {
    let now = u64::try_from(now.as_secs()).ok()?;
    let step = app.check(code, now)?;
    i64::try_from(step).ok()
}

/// A typed code as it is hashed: without blanks and dashes, in capital letters, and with the digits for which people
/// take the letters that no code has.
fn canonical(typed: &str) -> Option<String> {
    let characters = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let code = characters.map(|c| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    });
    // One more than the longest code tells it from a longer text.
    let code: String = code.take(ENROLMENT_CODE_CHARACTERS + 1).collect();
    code.is_ascii().then_some(code)
}

/// A code in groups that people can read and type.
fn grouped(code: &str, characters: usize) -> String {
    let mut text = String::with_capacity(code.len() + code.len() / characters);
    for (at, character) in code.chars().enumerate() {
        if at > 0 && at % characters == 0 {
            text.push('-');
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests;
