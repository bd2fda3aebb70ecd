//! Verifies the signature of a delivery by the specification "Standard Webhooks".

use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

/// The largest difference between the timestamp of a delivery and our clock. It prevents the replay of a recorded
/// delivery.
const MAX_AGE_SECONDS: u64 = 5 * 60;

pub(crate) struct Verifier(hmac::Key);

impl Verifier {
    /// Reads a secret: `whsec_` and base64, or any text of at least 32 characters.
    pub(crate) fn new(secret: &str) -> Result<Self, &'static str> {
        let key = match secret.trim().strip_prefix("whsec_") {
            Some(encoded) => STANDARD
                .decode(encoded)
                .map_err(|_| "has no base64 after whsec_")?,
            None => secret.trim().as_bytes().to_vec(),
        };
        if key.len() < 24 {
            return Err("is too short");
        }
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &key)))
    }

    /// Verifies the signature and the timestamp of a delivery, and returns its id.
    pub(crate) fn verify<'a>(
        &self,
        headers: &'a HeaderMap,
        body: &[u8],
        now: u64,
    ) -> Result<&'a str, &'static str> {
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let (Some(id), Some(timestamp), Some(signatures)) = (
            header("webhook-id"),
            header("webhook-timestamp"),
            header("webhook-signature"),
        ) else {
            return Err("a webhook header is missing");
        };
        let sent: u64 = timestamp
            .parse()
            .map_err(|_| "the webhook-timestamp is no number")?;
        if now.abs_diff(sent) > MAX_AGE_SECONDS {
            return Err("the webhook-timestamp is too old or in the future");
        }
        let signed = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat();
        // During a change of the secret the header has the signatures of both secrets.
        let matches = |signature: &str| {
            let encoded = signature.strip_prefix("v1,");
            let bytes = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
            // The comparison takes constant time.
            bytes.is_some_and(|bytes| hmac::verify(&self.0, &signed, &bytes).is_ok())
        };
        if signatures.split(' ').any(matches) {
            Ok(id)
        } else {
            Err("the webhook-signature is wrong")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verifier;
    use axum::http::HeaderMap;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const SENT: u64 = 1_614_265_330;
    /// Computed with openssl.
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    fn headers(signature: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(
            "webhook-id",
            "msg_p5jXN8AQM9LWM0D4loKWxJek".parse().unwrap(),
        );
        headers.insert("webhook-timestamp", SENT.to_string().parse().unwrap());
        headers.insert("webhook-signature", signature.parse().unwrap());
        headers
    }

    #[test]
    fn only_fresh_deliveries_with_the_right_signature_are_believed() {
        let verifier = Verifier::new(SECRET).unwrap();
        let check = |signature: &str, body: &[u8], now: u64| {
            verifier.verify(&headers(signature), body, now).is_ok()
        };
        assert!(check(SIGNATURE, BODY, SENT));
        assert!(check(SIGNATURE, BODY, SENT + 300));
        assert!(check(
            &format!("v1,AAAA v2,x {SIGNATURE}"),
            BODY,
            SENT - 300
        ));
        assert!(!check(SIGNATURE, BODY, SENT + 301));
        assert!(!check(SIGNATURE, BODY, SENT - 301));
        assert!(!check(SIGNATURE, b"{}", SENT));
        assert!(!check("v1,AAAA", BODY, SENT));
        assert!(!check(&SIGNATURE.replace("v1,", ""), BODY, SENT));
        assert!(verifier.verify(&HeaderMap::new(), BODY, SENT).is_err());
        let other = Verifier::new("another secret of thirty-two chars").unwrap();
        assert!(other.verify(&headers(SIGNATURE), BODY, SENT).is_err());
    }

    #[test]
    fn a_secret_that_anybody_could_guess_is_refused() {
        assert!(Verifier::new("short").is_err());
        assert!(Verifier::new("whsec_AAAA").is_err());
        assert!(Verifier::new("whsec_no base64 at all, but long enough").is_err());
    }
}
