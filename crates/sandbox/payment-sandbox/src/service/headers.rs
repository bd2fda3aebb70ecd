use super::error::ServiceError;
use crate::settings::Settings;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, Method};
use secrecy::ExposeSecret;

/// Checks the token, the version and the content type of an authorization, in this sequence.
///
/// # Errors
/// The first missing or invalid header.
pub(super) fn check(
    headers: &HeaderMap,
    method: &Method,
    path: &str,
    settings: &Settings,
) -> Result<(), ServiceError> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let token = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("Bearer"))
        .map(|(_, token)| token);
    if settings.token_expired || token != Some(settings.token.expose_secret()) {
        return Err(ServiceError::Unauthorized);
    }
    let version = text("alg-api-version").unwrap_or_default();
    if version.is_empty() || !version.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ServiceError::WrongHeader(
            "ALG-API-VERSION",
            "a version, in digits",
        ));
    }
    let media_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .map(str::trim);
    match media_type {
        _ if method != Method::POST || path != "/charges" => Ok(()),
        Some(json) if json.eq_ignore_ascii_case("application/json") => Ok(()),
        Some(_) => Err(ServiceError::NotJson),
        None => Err(ServiceError::WrongHeader(
            "Content-Type",
            "application/json",
        )),
    }
}
