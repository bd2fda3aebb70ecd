//! The value of one setting, or the sentence that says why it cannot be used.
//!
//! A parser of `clap` that refuses a value ends the program at the first mistake, with a message that
//! repeats the value. A [`Given`] keeps the sentence instead, so that all mistakes are listed together
//! and no secret is printed. No error repeats a text that may hold a secret.

use crate::plain_text::plain;
use axum::http::HeaderValue;
use clap::builder::TypedValueParser;
use clap::error::Error;
use clap::{Arg, Command};
use ipnet::IpNet;
use std::ffi::OsStr;
use std::fmt::Display;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use url::Url;

/// Every error in the settings: a sentence each, with the setting's name and the remedy.
#[derive(Debug, Clone, Default, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct WrongSettings(pub(super) Vec<String>);

impl WrongSettings {
    /// Keeps the sentence about a wrong value, so that reading goes on.
    pub(super) fn keep<T>(&mut self, read: Result<T, String>) -> Option<T> {
        read.map_err(|wrong| self.0.push(wrong)).ok()
    }
}

/// The value of a setting, or the sentence about it.
#[derive(Clone)]
pub(super) struct Given<T>(pub(super) Result<T, String>);

impl<T> Given<T> {
    pub(super) fn read(self, wrong: &mut WrongSettings) -> Option<T> {
        wrong.keep(self.0)
    }
}

type Read<T> = dyn Fn(&str) -> Result<T, String> + Send + Sync;

/// How the text of a setting becomes its value.
#[derive(Clone)]
pub(super) struct Reader<T> {
    read: Arc<Read<T>>,
    remedy: String,
    /// The value if nothing is given, for a setting that may be left out.
    missing: Option<T>,
}

/// Reads a setting with `read`, which says what is wrong with a text; `remedy` says what to give.
pub(super) fn setting<T>(
    remedy: impl Into<String>,
    read: impl Fn(&str) -> Result<T, String> + Send + Sync + 'static,
) -> Reader<T> {
    Reader {
        read: Arc::new(read),
        remedy: remedy.into(),
        missing: None,
    }
}

/// Reads a whole number; `what` names it with its unit.
pub(super) fn number<T>(what: &str, range: RangeInclusive<T>) -> Reader<T>
where
    T: FromStr + PartialOrd + Display + Send + Sync + 'static,
{
    let remedy = format!("give a {what} from {} to {}", range.start(), range.end());
    setting(remedy, move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("is `{text}`"))
    })
}

impl<T: 'static> Reader<T> {
    pub(super) fn map<U>(self, map: impl Fn(T) -> U + Send + Sync + 'static) -> Reader<U> {
        setting(self.remedy, move |text| (self.read)(text).map(&map))
    }

    /// Lets the setting be left out.
    pub(super) fn optional<U: Default + From<T> + 'static>(self) -> Reader<U> {
        let missing = Some(U::default());
        Reader {
            missing,
            ..self.map(U::from)
        }
    }
}

/// The hidden default of a setting without another one: no environment variable and no flag can have a zero byte.
pub(super) const MISSING: &str = "\0";

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Reader<T> {
    type Value = Given<T>;

    fn parse_ref(
        &self,
        _: &Command,
        setting: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Given<T>, Error> {
        let read = match value.to_str().map(plain) {
            Some(Ok(MISSING)) => self.missing.clone().ok_or_else(|| "is missing".to_owned()),
            Some(Ok("")) => Err("is empty".to_owned()),
            Some(Ok(text)) => (self.read)(text),
            Some(Err(why)) => Err(why.to_owned()),
            None => Err("is no text in UTF-8".to_owned()),
        };
        let name = setting.and_then(Arg::get_env).unwrap_or_default().display();
        let read = read.map_err(|why| format!("{name} {why}: {}.", self.remedy));
        Ok(Given(read))
    }
}

/// Reads the file of this path; `parse` says what is wrong with its text.
pub(super) fn file<T>(
    name: &str,
    path: &str,
    remedy: &str,
    parse: fn(&str) -> Result<T, String>,
) -> Result<T, String> {
    let read = match path.trim() {
        "" => Err("is empty".to_owned()),
        path => std::fs::read_to_string(path)
            .map_err(|error| format!("is `{path}`, which cannot be read ({error})"))
            .and_then(|text| parse(&text).map_err(|why| format!("is `{path}`, which {why}"))),
    };
    read.map_err(|why| format!("{name} {why}: {remedy}."))
}

pub(super) fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| format!("is `{text}`"))
}

/// A folder in which the element's script lies. A build may replace its files later.
pub(super) fn element_folder(text: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(text);
    let is_whole = folder.join("payment-checkout.js").is_file();
    let wrong = || "names a folder without the file payment-checkout.js".to_owned();
    is_whole.then_some(folder).ok_or_else(wrong)
}

pub(super) fn header(text: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_str(text).map_err(|_| "has characters that a header cannot have".to_owned())
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
