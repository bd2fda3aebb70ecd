use super::Settings;
use crate::payment_service::TokenSource;

/// The access token, from exactly one of its two settings.
pub(super) fn payment_token(given: &Settings) -> Result<TokenSource, String> {
    let filled = |value: &Option<String>| value.clone().filter(|text| !text.trim().is_empty());
    let token = filled(&given.payment_token);
    let file = filled(&given.payment_token_file);
    let (name, source) = match (token, file) {
        (Some(_), Some(_)) => {
            let wrong = "PAYMENT_TOKEN and PAYMENT_TOKEN_FILE are both set: leave one out.";
            return Err(wrong.to_owned());
        }
        (None, None) => {
            let wrong = "PAYMENT_TOKEN is missing: give the access token that the payment service issued, or name a file that holds it in PAYMENT_TOKEN_FILE.";
            return Err(wrong.to_owned());
        }
        (Some(token), None) => ("PAYMENT_TOKEN", TokenSource::Fixed(token.into())),
        (None, Some(file)) => ("PAYMENT_TOKEN_FILE", TokenSource::file(file.into())),
    };
    match source.current() {
        Ok(_) => Ok(source),
        Err(error) => Err(format!("{name}: {error}.")),
    }
}
