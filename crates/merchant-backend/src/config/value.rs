//! The forms of settings. No error repeats a text that may hold a secret.

use super::RedirectAllow;
use axum::http::HeaderValue;
use ipnet::IpNet;
use jiff::tz::TimeZone;
use payment_rules::accepted::AcceptedCodes;
use payment_rules::amount_units::AmountUnits;
use std::net::{IpAddr, SocketAddr};
use url::Url;

pub(super) fn text(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

pub(super) fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| format!("is `{text}`"))
}

pub(super) fn listen(text: &str) -> Result<SocketAddr, String> {
    let address = text.parse();
    address.map_err(|_| format!("is `{text}`, which is no address with a port"))
}

pub(super) fn header(text: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_str(text).map_err(|_| "cannot stand in a header".to_owned())
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
