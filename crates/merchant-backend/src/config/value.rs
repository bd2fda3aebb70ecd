//! The value of one setting, or the sentence that says why it cannot be used.
//!
//! A parser of `clap` that refuses a value ends the program at the first mistake, with a message that
//! repeats the value. A [`Given`] keeps the sentence instead, so that all mistakes are listed together
//! and no secret is printed. No error repeats a text that may hold a secret.

use super::RedirectAllow;
use crate::payment_service::TokenSource;
use crate::plain_text::plain;
use axum::http::HeaderValue;
use clap::builder::{TypedValueParser, ValueParser};
use clap::error::Error;
use clap::parser::ValueSource;
use clap::{Arg, Command};
use ipnet::IpNet;
use jiff::tz::TimeZone;
use payment_rules::service_answers::AcceptedCodes;
use payment_rules::service_answers::AmountUnits;
use secrecy::{ExposeSecret, SecretString};
use std::ffi::OsStr;
use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use url::Url;

/// What was given for a setting.
#[derive(Clone)]
pub(super) struct Given<T>(pub(super) Result<T, String>);

/// Reads a setting with `read`, which says what is wrong with a text; `remedy` says what to give.
pub(super) fn setting<T>(
    remedy: impl Into<String>,
    read: impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
) -> ValueParser
where
    T: Clone + Send + Sync + 'static,
{
    let remedy = remedy.into();
    ValueParser::new(Reader { read, remedy })
}

/// Reads a whole number; `what` names it with its unit.
pub(super) fn number<T>(what: &str, range: RangeInclusive<T>) -> ValueParser
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    let remedy = format!("give a {what} from {} to {}", range.start(), range.end());
    setting(remedy, move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("is `{text}`"))
    })
}

#[derive(Clone)]
struct Reader<F> {
    read: F,
    remedy: String,
}

impl<T, F> TypedValueParser for Reader<F>
where
    F: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
    T: Clone + Send + Sync + 'static,
{
    type Value = Given<T>;

    fn parse_ref(
        &self,
        command: &Command,
        setting: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Given<T>, Error> {
        self.parse_ref_(command, setting, value, ValueSource::CommandLine)
    }

    fn parse_ref_(
        &self,
        _: &Command,
        setting: Option<&Arg>,
        value: &OsStr,
        source: ValueSource,
    ) -> Result<Given<T>, Error> {
        let read = match value.to_str().map(plain) {
            // The default of a setting that has to be given.
            Some(Ok("")) if source == ValueSource::DefaultValue => Err("is missing".to_owned()),
            Some(Ok("")) => Err("is empty".to_owned()),
            Some(Ok(text)) => (self.read)(text),
            Some(Err(why)) => Err(why.to_owned()),
            None => Err("is no text in UTF-8".to_owned()),
        };
        let name = setting.and_then(Arg::get_env).unwrap_or_default().display();
        Ok(Given(
            read.map_err(|why| format!("{name} {why}: {}.", self.remedy)),
        ))
    }
}

pub(super) fn text(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

pub(super) fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| format!("is `{text}`"))
}

/// A folder in which the element's script lies. A build may replace its files later.
pub(super) fn element_folder(text: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(text);
    match folder.join("payment-checkout.js").is_file() {
        true => Ok(folder),
        false => Err("names a folder without the file payment-checkout.js".to_owned()),
    }
}

pub(super) fn listen(text: &str) -> Result<SocketAddr, String> {
    let address = text.parse();
    address.map_err(|_| format!("is `{text}`, which is no address with a port"))
}

pub(super) fn header(text: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_str(text).map_err(|_| "has characters that a header cannot have".to_owned())
}

pub(super) fn amount_units(text: &str) -> Result<AmountUnits, String> {
    text.parse().map_err(str::to_owned)
}

pub(super) fn accepted_codes(text: &str) -> Result<AcceptedCodes, String> {
    AcceptedCodes::read(text).ok_or_else(|| "has an empty code".to_owned())
}

pub(super) fn time_zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name).map_err(|_| format!("is `{name}`"))
}

pub(super) fn redirects(text: &str) -> Result<RedirectAllow, String> {
    RedirectAllow::parse(text).map_err(|why| format!("is wrong, {why}"))
}

/// An address to which paths are added.
pub(super) fn base_url(text: &str) -> Result<Url, String> {
    let url = web_url(text)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err("must end before any `?` or `#`".to_owned());
    }
    Ok(url)
}

pub(super) fn event_url(text: &str) -> Result<Url, String> {
    let url = web_url(text)?;
    if url.fragment().is_some() {
        return Err("must not have a `#`".to_owned());
    }
    Ok(url)
}

fn web_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|_| "is no absolute address".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("is neither http nor https".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not hold a user name or password".to_owned());
    }
    Ok(url)
}

/// Origins in the form in which browsers send them.
pub(super) fn origins(text: &str) -> Result<Vec<String>, String> {
    let entries = entries(text).map(|entry| {
        let url = base_url(entry).ok();
        let origin = url.map(|url| url.origin().ascii_serialization());
        origin
            .filter(|origin| entry.trim_end_matches('/').eq_ignore_ascii_case(origin))
            .ok_or_else(|| format!("is wrong, `{entry}` is no origin"))
    });
    entries.collect()
}

/// Addresses and networks.
pub(super) fn networks(text: &str) -> Result<Vec<IpNet>, String> {
    let entries = entries(text).map(|entry| {
        let network = entry.parse().ok();
        let network = network.or_else(|| entry.parse::<IpAddr>().ok().map(IpNet::from));
        network.ok_or_else(|| format!("is wrong, `{entry}` is neither an address nor a network"))
    });
    entries.collect()
}

fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ', '\n', '\t'])
        .filter(|entry| !entry.is_empty())
}

/// A secret from one of its two settings, without the blanks around it.
pub(super) fn secret(
    name: &str,
    given: Option<SecretString>,
    file: Option<String>,
) -> Result<Option<SecretString>, String> {
    let Some(file) = file else {
        let given = given.map(|secret| plain_secret(name, secret.expose_secret()));
        return given.transpose();
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
        Ok(text) => plain_secret(&format!("{name}_FILE"), &text).map(Some),
        Err(error) => {
            let kind = error.kind();
            Err(format!(
                "{name}_FILE: {file} cannot be read ({kind}): {hint}."
            ))
        }
    }
}

fn plain_secret(name: &str, text: &str) -> Result<SecretString, String> {
    let secret = plain(text).map_err(|why| format!("{name} {why}."))?;
    Ok(secret.into())
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

#[cfg(test)]
mod tests {
    use super::networks;

    #[test]
    fn addresses_and_networks_are_read() {
        let read = networks("127.0.0.1, 10.0.0.0/8 ::1,2001:db8::/32").unwrap();
        let read: Vec<_> = read.iter().map(ToString::to_string).collect();
        assert_eq!(
            read,
            ["127.0.0.1/32", "10.0.0.0/8", "::1/128", "2001:db8::/32"]
        );
        for odd in ["proxy.example", "10.0.0.0/33", "10.0.0", "*"] {
            assert!(networks(odd).unwrap_err().contains(odd));
        }
    }
}
