//! Secrets, each given in its setting or in a file: other programs can easily read an environment.

use crate::payment_service::TokenSource;
use secrecy::{ExposeSecret, SecretString};

/// A secret from one of its two settings, without the blanks around it.
pub(super) fn secret(
    name: &str,
    given: Option<SecretString>,
    file: Option<String>,
) -> Result<Option<SecretString>, String> {
    let Some(file) = file else {
        return Ok(given.map(|secret| secret.expose_secret().trim().into()));
    };
    if given.is_some() {
        return Err(format!(
            "{name}_FILE and {name} are both set: leave one out."
        ));
    }
    let file = file.trim();
    let hint = "name a file with the secret in it and nothing else";
    match std::fs::read_to_string(file) {
        Ok(text) if text.trim().is_empty() => Err(format!("{name}_FILE: {file} is empty: {hint}.")),
        Ok(text) => Ok(Some(text.trim().into())),
        Err(error) => {
            let kind = error.kind();
            Err(format!(
                "{name}_FILE: {file} cannot be read ({kind}): {hint}."
            ))
        }
    }
}

/// The access token, whose file is read again for every request.
pub(super) fn payment_token(
    given: Option<SecretString>,
    file: Option<String>,
) -> Result<TokenSource, String> {
    let token = given.filter(|token| !token.expose_secret().trim().is_empty());
    let file = file.filter(|file| !file.trim().is_empty());
    let (name, source) = match (token, file) {
        (Some(_), Some(_)) => {
            let wrong = "PAYMENT_TOKEN and PAYMENT_TOKEN_FILE are both set: leave one out.";
            return Err(wrong.to_owned());
        }
        (None, None) => {
            let wrong = "PAYMENT_TOKEN is missing: give the access token that the payment service issued, or name a file that holds it in PAYMENT_TOKEN_FILE.";
            return Err(wrong.to_owned());
        }
        (Some(token), None) => ("PAYMENT_TOKEN", TokenSource::Fixed(token)),
        (None, Some(file)) => ("PAYMENT_TOKEN_FILE", TokenSource::file(file.into())),
    };
    match source.current() {
        Ok(_) => Ok(source),
        Err(error) => Err(format!("{name}: {error}.")),
    }
}
