use crate::plain_text::plain;
use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;

/// Where the access token comes from: a setting or a file.
#[derive(Debug)]
pub enum TokenSource {
    /// A token that does not change while the server runs.
    Fixed(SecretString),
    /// A file that another program renews, with what was read from it last. The file is
    /// read for every request: that costs little beside the request, and the token is never stale.
    File(PathBuf, Mutex<LastRead>),
}

/// What was read from a file of tokens.
#[derive(Debug, Default)]
pub struct LastRead {
    token: Option<SecretString>,
    /// Why the file has no usable token now, as the last alert said.
    alerted: Option<TokenError>,
}

/// There is no usable access token. The message names the remedy and quotes nothing of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The file of this name cannot be read.
    #[error("{0} cannot be read ({1}); name a file with the access token in it")]
    Unreadable(String, std::io::ErrorKind),
    /// The setting or the file is empty.
    #[error("the access token is empty; put the token that the payment service issued there")]
    Empty,
    /// The token cannot be sent in a header.
    #[error("the access token has characters that no token has; put it there alone, on one line")]
    Malformed,
}

impl TokenSource {
    /// Reads the token from this file whenever it is needed.
    #[must_use]
    pub fn file(path: PathBuf) -> Self {
        Self::File(path, Mutex::default())
    }

    /// The current token. While the file is missing or invalid, the last valid token stays in use, and an alert
    /// says once why the file is not used.
    ///
    /// # Errors
    /// No valid token was ever read.
    pub fn current(&self) -> Result<SecretString, TokenError> {
        match self {
            Self::Fixed(token) => checked(token.expose_secret()),
            Self::File(path, last) => {
                let read = std::fs::read_to_string(path)
                    .map_err(|error| {
                        TokenError::Unreadable(path.display().to_string(), error.kind())
                    })
                    .and_then(|text| checked(&text));
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                match (read, last.token.clone()) {
                    (Ok(token), _) => {
                        last.token = Some(token.clone());
                        last.alerted = None;
                        Ok(token)
                    }
                    (Err(error), Some(token)) => {
                        if last.alerted.as_ref() != Some(&error) {
                            tracing::error!(
                                alert = true,
                                "PAYMENT_TOKEN_FILE: {error}; the last token stays in use until it expires"
                            );
                            last.alerted = Some(error);
                        }
                        Ok(token)
                    }
                    (Err(error), None) => Err(error),
                }
            }
        }
    }
}

fn checked(text: &str) -> Result<SecretString, TokenError> {
    let text = plain(text).map_err(|_| TokenError::Malformed)?;
    if text.is_empty() {
        return Err(TokenError::Empty);
    }
    // Not the JSON of a token endpoint, either.
    let is_of_token = |byte: u8| byte.is_ascii_graphic() && !b"\"'{}".contains(&byte);
    if text.len() <= 16_384 && text.bytes().all(is_of_token) {
        Ok(text.into())
    } else {
        Err(TokenError::Malformed)
    }
}

/// The value of `Authorization`, marked as sensitive so that no layer logs it.
pub(super) fn bearer(token: &SecretString) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose_secret())).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::{TokenError, TokenSource};
    use secrecy::ExposeSecret;

    #[test]
    fn a_renewed_file_is_used_at_once_and_a_vanished_one_does_no_harm() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("token");
        let source = TokenSource::file(path.clone());
        assert!(matches!(source.current(), Err(TokenError::Unreadable(..))));
        std::fs::write(&path, "one\n").unwrap();
        assert_eq!(source.current().unwrap().expose_secret(), "one");
        std::fs::write(&path, "two").unwrap();
        assert_eq!(source.current().unwrap().expose_secret(), "two");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(source.current().unwrap().expose_secret(), "two");
        std::fs::write(&path, "").unwrap();
        assert_eq!(source.current().unwrap().expose_secret(), "two");
        assert_eq!(alerted(&source), Some(TokenError::Empty));
        std::fs::write(&path, "\u{feff}three\r\n").unwrap();
        assert_eq!(source.current().unwrap().expose_secret(), "three");
        assert_eq!(alerted(&source), None);
    }

    fn alerted(source: &TokenSource) -> Option<TokenError> {
        match source {
            TokenSource::File(_, last) => last.lock().unwrap().alerted.clone(),
            TokenSource::Fixed(_) => None,
        }
    }

    #[test]
    fn what_is_no_token_is_refused_without_showing_it() {
        for (text, expected) in [
            ("", TokenError::Empty),
            (" \n", TokenError::Empty),
            ("can ary", TokenError::Malformed),
            ("can\nary", TokenError::Malformed),
            ("canary\u{e9}", TokenError::Malformed),
            ("Bearer canary", TokenError::Malformed),
            ("\"canary\"", TokenError::Malformed),
            ("{\"access_token\":\"canary\"}", TokenError::Malformed),
        ] {
            let error = TokenSource::Fixed(text.into()).current().unwrap_err();
            assert!(
                error == expected && !error.to_string().contains("canary"),
                "{text:?}"
            );
        }
    }
}
